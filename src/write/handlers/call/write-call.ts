/** Handles a call of any operation that writes: a single one, several as a batch, or one with a document. */

import * as z from 'zod';
import { canonicalJson } from '../../../base/canonical-json.ts';
import { InputError } from '../../../base/errors.ts';
import { tokensOf } from '../../../base/text/shorten.ts';
import type { CallResult } from '../../../call/client-types.ts';
import { bodyArgument, parametersArgument } from '../../../render/arguments/arguments.ts';
import { checkSaveAs, createDocumentSaver } from '../../../render/documents/save-documents.ts';
import { maskServiceAnswer } from '../../../render/mask-answer.ts';
import { hideSecretAnswer } from '../../../render/secret-answers.ts';
import { fitServiceAnswer } from '../../../render/service-answer.ts';
import type { ToolAnswer } from '../../../render/tool-answer.ts';
import type { WriteStructured } from '../../model/outcome.ts';
import type { PreparedWrite } from '../../model/write-view.ts';
import { ownerOf } from '../../plan/batch-owner.ts';
import { inParallel } from '../../plan/in-parallel.ts';
import { prepareWrite } from '../../plan/prepare-write.ts';
import { toBatchWrite } from '../../plan/prepared-batch.ts';
import { findRecent, recordSeen } from '../../plan/recent-writes.ts';
import type { ServiceArguments } from '../../plan/resolve-arguments.ts';
import type { ToolContext, WriteFlags } from '../../session.ts';
import { type BatchRequest, writeBatch } from '../../write-batch.ts';
import { writeOne } from '../../write-one.ts';
import { type DocumentArgument, documentArgument } from '../document/document-argument.ts';
import { refuseBesideDocument, writeDocument } from '../document/write-document.ts';

/** The maximum number of calls, because each is read before the approval request, which shows it. */
const MAX_CALLS = 100;

const callSchema = z.strictObject({
  parameters: parametersArgument.meta({ description: undefined }),
  body: bodyArgument.meta({ description: undefined }),
});

const callsArgument = z
  .array(callSchema)
  .min(1, 'is empty')
  .max(MAX_CALLS, `takes at most ${MAX_CALLS}; make several calls of it`)
  .optional()
  .describe('Instead of parameters and body: several calls of the operation, approved together');

/** The arguments that replace parameters and body. */
export const insteadArguments = { calls: callsArgument, document: documentArgument };

interface RequestedCall extends ServiceArguments, WriteFlags {
  account: string;
  /** The operation's name, or a unique part of it. */
  operation: string;
  calls?: readonly ServiceArguments[] | undefined;
  document?: DocumentArgument | undefined;
  /** The parts of the service's answer to return. */
  select?: readonly string[] | undefined;
}

/** @throws AppError; AskPerson while the user's approval is requested */
export async function writeCall(
  { account, operation: name, parameters, body, calls, document, select, ...how }: RequestedCall,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  const { saveAs } = how;
  const registry = await ctx.session.program.registry();
  const { operation, note } = registry.resolve(name);
  if (operation.effect === 'read') {
    throw new InputError(`${operation.id} only reads; nothing was sent.`, 'Call it with read_operation.');
  }
  await checkSaveAs(saveAs);
  if (calls !== undefined) {
    refuseBeside(calls, { parameters, body, select, document });
    return runCalls({ operation, account, calls, ...how }, ctx);
  }
  const asked = { parameters, body };
  if (document !== undefined) {
    refuseBesideDocument({ select });
    return writeDocument({ operation, account, asked, document, ...how }, ctx);
  }
  if (how.stop === true) throw new InputError('"stop" ends a list of calls; give the calls that began it.');
  const prepared = await prepareWrite({ operation, account, asked }, ctx);
  const { answer, response } = await writeOne({ prepared, ...how, remark: note }, ctx);
  if (response === undefined) return answer;
  return addWriteValue(answer, { write: prepared, response, saveAs, select, remark: note }, ctx);
}

// The functions below append the service's answer to the answer about the write itself.

type WriteAnswer = ToolAnswer<WriteStructured>;

interface WriteValueParts {
  write: Pick<PreparedWrite, 'input' | 'replaced' | 'view'>;
  response: CallResult;
  /** The path under which documents of the answer are saved. */
  saveAs: string | undefined;
  select: readonly string[] | undefined;
  /** The remark at the end of `answer`; none where it is empty. */
  remark: string;
}

/** @param answer the answer about the write; the value gets the rest of its budget */
async function addWriteValue(
  answer: WriteAnswer,
  { write: { input, replaced, view }, response, saveAs, select, remark }: WriteValueParts,
  ctx: ToolContext,
): Promise<WriteAnswer> {
  const { operation, account, body } = input;
  const { session } = ctx;
  const plain = await hideSecretAnswer({ operation, body, result: response, session });
  if (plain === undefined && saveAs === undefined) return answer;
  const parts = { operation, account, result: response };
  const saveAll = createDocumentSaver(saveAs, parts, ctx);
  const saved = await maskServiceAnswer({ ...parts, whole: plain, session, saveAll, replaced });
  const fitted = await fitServiceAnswer({
    session,
    name: operation.name,
    account,
    // The warnings of the write already include doubtful marketplaces.
    result: { ...response, marketplaces: [] },
    whole: view.value(saved.whole) ?? null,
    saved,
    select,
    remark,
    taken: tokensOf(answer.text) + tokensOf(JSON.stringify(answer.structured)),
  });
  return {
    ...answer,
    text: joinTexts(answer.text, fitted.text, remark),
    structured: { ...answer.structured, note: fitted.note, ...fitted.facts, value: fitted.value },
    links: fitted.links,
  };
}

/**
 * Joins two texts that begin with a note on data. The note of the values says more, so it replaces the other,
 * and so does its remark.
 */
function joinTexts(answer: string, values: string, remark: string): string {
  const [note = '', ...rest] = values.split('\n');
  const own = answer.split('\n').slice(1);
  if (own.at(-1) === `(${remark})`) own.pop();
  return [note, ...own, ...rest].join('\n');
}

// The functions below run several calls of one operation as a batch: parameters and body for each, one
// approval, an outcome for each.

interface RequestedCalls extends Pick<BatchRequest, 'operation' | 'account'>, WriteFlags {
  calls: readonly ServiceArguments[];
}

async function runCalls(asked: RequestedCalls, ctx: ToolContext): Promise<ToolAnswer<WriteStructured>> {
  const { operation, account, calls, ...options } = asked;
  refuseTwice(calls);
  return writeBatch(
    {
      tool: 'write_operation',
      account,
      operation,
      ...options,
      asked: { operation: operation.id, calls },
      canSave: true,
      things: { one: `call of ${operation.name}`, many: `calls of ${operation.name}` },
      async prepare() {
        const { owner } = await ownerOf(account, ctx.session);
        const recent = await findRecent(account, ctx.session, owner);
        const read = async (call: ServiceArguments, at: number) => {
          const prepared = await prepareWrite({ operation, account, asked: call, recent }, ctx);
          return toBatchWrite(String(at + 1), prepared);
        };
        const writes = await inParallel(calls, read, ctx.tell);
        await recordSeen(recent, ctx.session);
        return { writes };
      },
    },
    ctx,
  );
}

/** @throws InputError for arguments beside calls that have their own */
function refuseBeside(calls: readonly unknown[], others: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(others).filter((name) => others[name] !== undefined);
  if (names.length === 0) return;
  throw new InputError(
    `"calls" and ${names.join(', ')} were both given; nothing was sent.`,
    `Put parameters and body into each of the ${calls.length} calls; select is not taken with them.`,
  );
}

/** @throws InputError where two calls are the same */
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
