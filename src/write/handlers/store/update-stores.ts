/** Changes one store or several: finds them by id or alias, and edits each in turn. */

import * as z from 'zod';
import { type AppError, InputError } from '../../../base/errors.ts';
import { formatFailedItems } from '../../../base/failure-of-one.ts';
import { escapeText } from '../../../base/text/escape-text.ts';
import { findStore, type ListedStore, listStores, storeOf } from '../../../call/find-store.ts';
import type { ReplacedPlaceholder } from '../../../privacy/personal/personal-data.ts';
import { parseArguments } from '../../../render/arguments/parse-arguments.ts';
import type { ToolAnswer } from '../../../render/tool-answer.ts';
import { supplySourceSchema } from '../../../service/shapes/supply-source.ts';
import { nameOf } from '../../model/format/subject.ts';
import type { WriteStructured } from '../../model/outcome.ts';
import { chooseForm, dropNulls } from '../../model/store/body.ts';
import { createWriteView } from '../../model/write-view.ts';
import { inParallel } from '../../plan/in-parallel.ts';
import { type BatchWrite, type PreparedBatch, toBatchWrite } from '../../plan/prepared-batch.ts';
import { findRecent } from '../../plan/recent-writes.ts';
import { resolvePlaceholders } from '../../plan/resolve-arguments.ts';
import type { ToolContext, WriteFlags } from '../../session.ts';
import { writeBatch } from '../../write-batch.ts';
import { writeOne } from '../../write-one.ts';
import {
  prepareStore,
  type RequestedStore,
  type StoreArguments,
  storeOperation,
  UnreadStoreError,
} from './prepare-store.ts';

/** Selects every store that is not archived, unless a store has this name. */
const ALL = 'all';

/** The maximum number of stores in one call; a seller has a few dozen at most. */
const MAX_STORES = 100;

interface NamedStore {
  name: string;
  /** The store's own changes, which replace those for all. */
  changes?: Readonly<Record<string, unknown>>;
}

interface RequestedStores {
  how: StoreWriteOptions;
  /** The arguments as given, with placeholders. */
  given: unknown;
  stores: readonly NamedStore[];
  /** The arguments for stores without changes of their own. */
  args: StoreArguments;
  replaced: readonly ReplacedPlaceholder[];
}

/** One of several stores, with its own changes. */
const ownSchema = z.strictObject({ supplySourceId: z.string(), changes: z.record(z.string(), z.unknown()) });

/** The stores, with their changes or the whole body of section 4.3. */
export const storeArguments = z.strictObject({
  supplySourceId: z
    .string()
    .refine((id) => id !== '', 'is empty; getSupplySources lists the ids')
    .optional()
    .describe('ID or alias (its name) of one store'),
  supplySourceIds: z
    .array(z.union([z.string(), ownSchema]))
    .refine((stores) => stores.length > 0, 'is empty')
    .refine((stores) => stores.length <= MAX_STORES, `takes at most ${MAX_STORES} stores`)
    .optional()
    .describe('Several stores; ["all"] for all; as objects where each changes differently'),
  changes: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('JSON Merge Patch: only what is to change of the three members below'),
  ...supplySourceSchema.shape,
});
type GivenStores = z.output<typeof storeArguments>;

interface StoreWriteOptions extends WriteFlags {
  account: string;
}

/**
 * @param given may contain placeholders of personal values
 * @throws AppError; AskPerson while the user's approval is requested
 */
export async function updateStores(
  given: GivenStores,
  how: StoreWriteOptions,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  const { account, stop } = how;
  const personal = await ctx.session.personal();
  const { value, replaced } = await resolvePlaceholders(given, account, ctx);
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
    return runStores({ how, given: asked, stores, args: body, replaced }, ctx);
  }
  const guard = await ctx.session.writeGuard();
  const view = createWriteView({ personal, account, replaced });
  const inTurn = (id: string) =>
    guard.inTurn(JSON.stringify([account, id]), () =>
      editStore({ supplySourceId: id, args, account, replaced, view }, how, ctx),
    );
  const answer = await inTurn(named);
  if (typeof answer !== 'string') return answer;
  // The name was an alias; edits of a store wait for each other by its id.
  const byId = await inTurn(answer);
  if (typeof byId !== 'string') return byId;
  throw new InputError(
    'The store is no longer there; nothing was sent.',
    'List the stores with getSupplySources.',
  );
}

/**
 * Returns the one name, or the named stores.
 * @throws InputError unless exactly one of the two arguments is given, and for arguments that one store does
 * not take
 */
function storesOf(
  { supplySourceId, supplySourceIds }: GivenStores,
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

function namedStore(given: string | z.output<typeof ownSchema>, at: number): NamedStore {
  if (typeof given === 'string') return { name: given };
  const { supplySourceId: name, changes } = given;
  parseArguments(supplySourceSchema, dropNulls(changes), `supplySourceIds.${at}.changes`);
  return { name, changes };
}

/** Returns the answer; or the id, where the store was given by its alias. */
async function editStore(asked: RequestedStore, how: StoreWriteOptions, ctx: ToolContext) {
  const { session, call } = ctx;
  const { supplySourceId, account } = asked;
  let id: string | undefined;
  const prepared = await prepareStore(asked, ctx, async () => {
    const [client, registry] = await Promise.all([session.client(), session.program.registry()]);
    id = await findStore(supplySourceId, { client, registry, account }, call);
    return id !== undefined && id !== supplySourceId;
  });
  if (prepared === undefined) return id ?? supplySourceId;
  return (await writeOne({ prepared: prepared.write, ...how }, ctx)).answer;
}

// The functions below change several stores as a batch.

async function runStores(asked: RequestedStores, ctx: ToolContext): Promise<ToolAnswer<WriteStructured>> {
  const registry = await ctx.session.program.registry();
  return writeBatch(
    {
      tool: 'update_supply_source',
      operation: storeOperation(registry),
      asked: asked.given,
      ...asked.how,
      things: { one: 'store', many: 'stores' },
      prepare: () => prepareStores(asked, ctx),
    },
    ctx,
  );
}

async function prepareStores(asked: RequestedStores, ctx: ToolContext): Promise<PreparedBatch> {
  const { args, replaced } = asked;
  const { account } = asked.how;
  const { session, call } = ctx;
  const { changes, ...whole } = args;
  const isWhole = Object.values(whole).some((member) => member !== undefined);
  if (isWhole || asked.stores.some((store) => (store.changes ?? changes) === undefined)) {
    throw new InputError(
      'Several stores take "changes" only: a whole body would make them alike; nothing was sent.',
      'Give what is to change as "changes", or one store with its body.',
    );
  }
  const [personal, client, registry] = await Promise.all([
    session.personal(),
    session.client(),
    session.program.registry(),
  ]);
  const stores = await listStores({ client, registry, account }, call);
  const { ids, isAll } = resolveStores(
    asked.stores.map(({ name }) => name),
    stores,
  );
  const recent = await findRecent(account, session);
  const unread = new Map<string, AppError>();
  const nameOfStore = (id: string) => stores?.find((store) => store.id === id)?.alias ?? id;
  const read = async (supplySourceId: string, at: number) => {
    const own = asked.stores[isAll ? 0 : at]?.changes;
    const view = createWriteView({ personal, account, replaced });
    const write = { supplySourceId, args: { changes: own ?? changes }, account, replaced };
    return prepareStore({ ...write, view, recent }, ctx).catch((error: unknown) => {
      if (!(error instanceof UnreadStoreError) || ids.length === 1) throw error;
      unread.set(escapeText(nameOfStore(supplySourceId)), error.reason);
      return undefined;
    });
  };
  const prepared = await inParallel(ids, read, ctx.tell);
  const found = prepared.flatMap((one) => one ?? []);
  if (found.length === 0 && unread.size > 0) throw noneRead(unread);
  // A change of all stores leaves out archived ones, which are no longer used.
  const isLeftOut = ({ state }: (typeof found)[number]) => isAll && state?.status === 'Archived';
  const writes = found
    .filter((one) => !isLeftOut(one))
    .map(({ write }) => toBatchWrite(String(write.input.parameters.supplySourceId), write));
  return {
    writes,
    leftOut: describeUnread(unread),
    remarks: describeArchived(found.filter(isLeftOut).map(({ write }) => toBatchWrite('', write))),
  };
}

function describeUnread(unread: ReadonlyMap<string, AppError>): string[] {
  if (unread.size === 0) return [];
  const which = unread.size === 1 ? '1 store is' : `${unread.size} stores are`;
  return [`${which} left out, because what is there could not be read.`, ...formatFailedItems(unread)];
}

const noneRead = (unread: ReadonlyMap<string, AppError>) =>
  new InputError(
    `None of the stores could be read, so nothing could be changed and nothing was sent. ${formatFailedItems(unread).join(' ')}`,
    'Call again later.',
  );

function describeArchived(archived: readonly BatchWrite[]): string[] {
  if (archived.length === 0) return [];
  const names = archived.map(({ shown }) => nameOf({ key: '', change: shown.change }));
  return [`Archived, and left out: ${names.join(', ')}.`];
}

/** @throws InputError where a name belongs to no store, or two names to the same store */
function resolveStores(names: readonly string[], stores: readonly ListedStore[] | undefined) {
  if (stores === undefined) {
    throw new InputError(
      'The stores could not be listed, so it is not known which ones are meant; nothing was sent.',
      'Call again later, or change one store at a time by its ID.',
    );
  }
  const [only] = names;
  const isCalledSo = stores.some(({ id, alias, code }) => [id, alias, code].includes(ALL));
  if (names.length === 1 && only === ALL && !isCalledSo) {
    if (stores.length === 0) throw new InputError('The account has no stores; nothing was sent.');
    return { ids: stores.map(({ id }) => id), isAll: true };
  }
  const ids = names.map((name) => storeOf(name, stores).id);
  const twice = ids.findIndex((id, at) => ids.indexOf(id) !== at);
  if (twice >= 0) {
    const first = names[ids.indexOf(ids[twice] ?? '')];
    throw new InputError(
      `${JSON.stringify(first)} and ${JSON.stringify(names[twice])} are the same store; nothing was sent.`,
      'Name each store once.',
    );
  }
  return { ids, isAll: false };
}
