/** One store or several changed: which are meant, by id or alias, and each edited in its turn. */

import * as z from 'zod';
import { InputError } from '../../../base/errors.ts';
import { findStore } from '../../../call/find-store.ts';
import { supplySourceSchema } from '../../../service/document/supply-source.ts';
import { parseArguments } from '../../../tell/arguments/parse-arguments.ts';
import type { ToolAnswer } from '../../../tell/tool-answer.ts';
import type { WriteStructured } from '../../answer/tell-write.ts';
import { resolveMarks } from '../../plan/resolve-arguments.ts';
import { createWriteView } from '../../plan/write-view.ts';
import type { ToolContext } from '../../tool-context.ts';
import { writeOne } from '../../write-one.ts';
import { chooseForm, dropNulls } from './body.ts';
import { type AskedStore, prepareStore } from './prepare-store.ts';
import { ALL, MOST_STORES, type NamedStore, runStores, type StoresAsked } from './store-writes.ts';

/** Which stores, and what of them: changes, or the whole of section 4.3. */
export const storeArguments = z.strictObject({
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
});
type StoreArguments = z.output<typeof storeArguments>;

/** Checked by `storesOf`, so that no model has to read its shape. */
const ownSchema = z.strictObject({ supplySourceId: z.string(), changes: z.record(z.string(), z.unknown()) });

type Options = Pick<StoresAsked, 'account' | 'dryRun' | 'confirmationCode' | 'stop'>;

/** @param given may hold marks of personal values @throws AppError; AskPerson while the person is asked */
export async function updateStores(
  given: StoreArguments,
  { account, stop, ...options }: Options,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  const personal = await ctx.session.personal();
  const { value, replaced } = await resolveMarks(given, account, ctx);
  const args = replaced.length === 0 ? given : parseArguments(storeArguments, value);
  const { changes, alias, configuration, capabilities } = args;
  const named = storesOf(args, stop);
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
}

/** One, or several. @throws InputError unless exactly one of the two is given, and for what one store does not take */
function storesOf(
  { supplySourceId, supplySourceIds }: StoreArguments,
  stop: boolean | undefined,
): string | readonly NamedStore[] {
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
  { dryRun = false, confirmationCode }: Pick<Options, 'dryRun' | 'confirmationCode'>,
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
