/** Several calls of one operation, as a list: parameters and body of each, one question, an outcome each. */

import * as z from 'zod';
import { canonicalJson } from '../../../base/canonical-json.ts';
import { InputError } from '../../../base/errors.ts';
import { parseArguments } from '../../../tell/arguments/parse-arguments.ts';
import type { ToolAnswer } from '../../../tell/tool-answer.ts';
import type { WriteStructured } from '../../answer/tell-write.ts';
import { inParallel } from '../../plan/in-parallel.ts';
import { ownerOf } from '../../plan/list-owner.ts';
import { listedWrite } from '../../plan/listed-write.ts';
import { prepareWrite } from '../../plan/prepare-write.ts';
import type { ServiceArguments } from '../../plan/resolve-arguments.ts';
import { findRecent } from '../../plan/unseen-writes.ts';
import type { HowToWrite, ToolContext } from '../../tool-context.ts';
import { type AskedList, writeList } from '../../write-list.ts';

/** Each is read before it is asked about, and stands in the question. */
const MOST_CALLS = 100;

const callSchema = z.strictObject({
  parameters: z.record(z.string(), z.unknown()).optional(),
  body: z.unknown().optional(),
});

const callsSchema = z.strictObject({
  calls: z
    .array(callSchema)
    .min(1, 'is empty')
    .max(MOST_CALLS, `takes at most ${MOST_CALLS}; make several calls of it`),
});

/** Checked by `runCalls`, so that no model has to read its shape twice. */
export const callsArgument = z
  .array(z.unknown())
  .optional()
  .describe(`Instead: 1 to ${MOST_CALLS} of {parameters, body}; one yes for all`);

export interface CallsAsked extends Pick<AskedList, 'operation' | 'account'>, HowToWrite {
  /** As given. */
  calls: readonly unknown[];
}

export async function runCalls(asked: CallsAsked, ctx: ToolContext): Promise<ToolAnswer<WriteStructured>> {
  const { operation, account, calls: given, ...options } = asked;
  const { calls } = parseArguments(callsSchema, { calls: given });
  refuseTwice(calls);
  return writeList(
    {
      tool: 'write_operation',
      account,
      operation,
      ...options,
      asked: { operation: operation.id, calls },
      things: { one: `call of ${operation.name}`, many: `calls of ${operation.name}` },
      async prepare() {
        const { owner } = await ownerOf(account, ctx.session);
        const recent = await findRecent(account, owner, ctx.session);
        const read = async (call: ServiceArguments, at: number) => {
          const prepared = await prepareWrite({ operation, account, asked: call, recent }, ctx);
          return listedWrite(String(at + 1), prepared);
        };
        const writes = await inParallel(calls, read, ctx.tell);
        return { writes };
      },
    },
    ctx,
  );
}

/** @throws InputError for what stands beside a list that has its own */
export function refuseBeside(calls: readonly unknown[], others: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(others).filter((name) => others[name] !== undefined);
  if (names.length === 0) return;
  throw new InputError(
    `"calls" and ${names.join(', ')} were both given; nothing was sent.`,
    `Put parameters and body into each of the ${calls.length} calls; select is not taken with them.`,
  );
}

/** @throws InputError where two of them are the same */
function refuseTwice(calls: readonly ServiceArguments[]): void {
  const seen = new Map<string, number>();
  for (const [at, call] of calls.entries()) {
    const text = canonicalJson(call);
    const first = seen.get(text);
    if (first !== undefined) {
      throw new InputError(
        `Calls ${first + 1} and ${at + 1} are the same; nothing was sent.`,
        'Leave one of them out.',
      );
    }
    seen.set(text, at);
  }
}
