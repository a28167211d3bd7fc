/** update_supply_source: section 4.3, by change or by whole body, one store or several, previewed, confirmed, read back. */

import * as z from 'zod';
import { InputError } from '../src/base/errors.ts';
import { defineTool } from '../src/protocol/define-tool.ts';
import { supplySourceSchema } from '../src/service/document/supply-source.ts';
import {
  accountArgument,
  confirmationCodeArgument,
  dryRunArgument,
  stopArgument,
} from '../src/tell/arguments/arguments.ts';
import { parseArguments } from '../src/tell/arguments/parse-arguments.ts';
import { writeOutput } from '../src/write/answer/write-answer.ts';
import { chooseForm, dropNulls } from '../src/write/kinds/store/body.ts';
import { findStore } from '../src/write/kinds/store/find-store.ts';
import { type AskedStore, prepareStore } from '../src/write/kinds/store/prepare-store.ts';
import { ALL, MOST_STORES, type NamedStore, runStores } from '../src/write/kinds/store/store-writes.ts';
import { resolveMarks } from '../src/write/plan/resolve-arguments.ts';
import { createWriteView } from '../src/write/plan/write-view.ts';
import type { ToolContext } from '../src/write/session.ts';
import { writeOne } from '../src/write/write-one.ts';

const input = z.strictObject({
  supplySourceId: z
    .string()
    .refine((id) => id !== '', 'is empty; getSupplySources lists the ids')
    .optional()
    .describe('ID or alias'),
  supplySourceIds: z
    .array(z.unknown())
    .refine((stores) => stores.length > 0, 'is empty')
    .refine((stores) => stores.length <= MOST_STORES, `takes at most ${MOST_STORES} stores`)
    .optional()
    .describe('Several; ["all"] for all; {supplySourceId, changes}: its own'),
  changes: z.record(z.string(), z.unknown()).optional().describe('Instead of the three below'),
  ...supplySourceSchema.shape,
  dryRun: dryRunArgument,
  confirmationCode: confirmationCodeArgument,
  stop: stopArgument,
  account: accountArgument,
});
type Arguments = z.output<typeof input>;

/** Checked by `storesOf`, so that no model has to read its shape. */
const ownSchema = z.strictObject({ supplySourceId: z.string(), changes: z.record(z.string(), z.unknown()) });

export const updateSupplySource = defineTool({
  name: 'update_supply_source',
  title: 'Update a supply source',
  description:
    'Changes stores or warehouses of the seller: opening hours, contacts, handling time, pickup, delivery, returns; several at once with one question. Prefer "changes": a JSON Merge Patch over the current state; null removes, an empty day list closes that day, e.g. {"configuration":{"operationalConfiguration":{"operatingHoursByDay":{"sunday":[]}}}}. Otherwise alias, configuration and capabilities replace the whole: what is absent is removed. Shows the difference first (dryRun: only that), reads back afterwards.',
  effect: 'write',
  takesMarks: true,
  idempotent: true,
  input,
  output: writeOutput,
  async run(given, ctx) {
    const account = ctx.session.accountOf(given.account);
    const personal = await ctx.session.personal();
    const { value, replaced } = await resolveMarks(given, account, ctx);
    const args = replaced.length === 0 ? given : parseArguments(input, value);
    const { changes, alias, configuration, capabilities, stop, ...options } = args;
    const named = storesOf(args);
    const stores = typeof named === 'string' ? [{ name: named }] : named;
    const whole = { alias, configuration, capabilities };
    const isOfEach = changes === undefined && stores.every((store) => store.changes !== undefined);
    if (!isOfEach && chooseForm(whole, changes) === 'changes') {
      parseArguments(supplySourceSchema, dropNulls(changes), 'changes');
    }
    if (typeof named !== 'string') {
      const asked = { names: given.supplySourceIds ?? given.supplySourceId, changes: given.changes };
      const body = { changes, ...whole };
      return runStores({ ...options, stop, given: asked, stores, args: body, account, replaced }, ctx);
    }
    const writes = await ctx.session.writes();
    const view = createWriteView({ personal, account, replaced });
    const inTurn = (id: string) =>
      writes.inTurn(JSON.stringify([account, id]), () =>
        edit({ supplySourceId: id, args, account, replaced, view }, options, ctx),
      );
    const answer = await inTurn(named);
    if (typeof answer !== 'string') return answer;
    // It was an alias; edits wait for each other by the id.
    const byId = await inTurn(answer);
    if (typeof byId !== 'string') return byId;
    throw new InputError(
      'The store is no longer there; nothing was sent.',
      'List the stores with getSupplySources.',
    );
  },
});

/** One, or several. @throws InputError unless exactly one of the two is given, and for what one store does not take */
function storesOf({ supplySourceId, supplySourceIds, stop }: Arguments): string | readonly NamedStore[] {
  if ((supplySourceId === undefined) === (supplySourceIds === undefined)) {
    throw new InputError(
      'Either supplySourceId or supplySourceIds is needed, not both; nothing was sent.',
      'Such as supplySourceId: "Berlin store", or supplySourceIds: ["all"].',
    );
  }
  if (supplySourceIds !== undefined) return supplySourceIds.map(namedStore);
  const only = supplySourceId ?? '';
  if (only === ALL) return [{ name: ALL }];
  if (stop !== true) return only;
  throw new InputError('"stop" ends a list of stores; one store is written at once.');
}

function namedStore(given: unknown, at: number): NamedStore {
  if (typeof given === 'string') return { name: given };
  const path = `supplySourceIds.${at}`;
  const { supplySourceId: name, changes } = parseArguments(ownSchema, given, path);
  parseArguments(supplySourceSchema, dropNulls(changes), `${path}.changes`);
  return { name, changes };
}

/** The answer; the id, where it was given by its alias. */
async function edit(
  asked: AskedStore,
  { dryRun = false, confirmationCode }: Pick<Arguments, 'dryRun' | 'confirmationCode'>,
  ctx: ToolContext,
) {
  const { session, call } = ctx;
  const { supplySourceId, account } = asked;
  let id: string | undefined;
  const prepared = await prepareStore(asked, ctx, async () => {
    const [client, registry] = await Promise.all([session.client(), session.program.registry()]);
    id = await findStore(supplySourceId, { client, registry, account }, call);
    return id !== undefined && id !== supplySourceId;
  });
  if (prepared === undefined) return id ?? supplySourceId;
  return (await writeOne({ prepared: prepared.write, dryRun, confirmationCode }, ctx)).answer;
}
