/** One change of several stores, or one for each, as a list: which are meant by ids, aliases or `all`, and what is made of each. */

import { InputError } from '../../../base/errors.ts';
import { listStores, type Store, storeOf } from '../../../call/find-store.ts';
import type { Replaced } from '../../../privacy/personal/personal-data.ts';
import type { ToolAnswer } from '../../../tell/tool-answer.ts';
import type { WriteStructured } from '../../answer/tell-write.ts';
import { nameOf } from '../../ask/many/rows.ts';
import { inParallel } from '../../plan/in-parallel.ts';
import { ownerOf } from '../../plan/list-owner.ts';
import { type ListedWrite, listedWrite, type PreparedList } from '../../plan/listed-write.ts';
import { findRecent } from '../../plan/unseen-writes.ts';
import { createWriteView } from '../../plan/write-view.ts';
import type { ToolContext } from '../../tool-context.ts';
import { type AskedList, writeList } from '../../write-list.ts';
import { prepareStore, type StoreArguments, storeOperation } from './prepare-store.ts';

/** Every store that is not archived, unless one is called so. */
export const ALL = 'all';

/** Stores of one call; a seller has a few dozen at most. */
export const MOST_STORES = 100;

export interface NamedStore {
  name: string;
  /** Its own, instead of the one for all. */
  changes?: Readonly<Record<string, unknown>>;
}

export interface StoresAsked extends Pick<AskedList, 'account' | 'dryRun' | 'confirmationCode' | 'stop'> {
  /** As given, with marks. */
  given: unknown;
  stores: readonly NamedStore[];
  /** Of all that have no change of their own. */
  args: StoreArguments;
  replaced: readonly Replaced[];
}

export async function runStores(asked: StoresAsked, ctx: ToolContext): Promise<ToolAnswer<WriteStructured>> {
  const { account, given, dryRun, confirmationCode, stop } = asked;
  const registry = await ctx.session.program.registry();
  return writeList(
    {
      tool: 'update_supply_source',
      account,
      operation: storeOperation(registry),
      asked: given,
      dryRun,
      confirmationCode,
      stop,
      things: { one: 'store', many: 'stores' },
      prepare: () => prepareStores(asked, ctx),
    },
    ctx,
  );
}

async function prepareStores(asked: StoresAsked, ctx: ToolContext): Promise<PreparedList> {
  const { account, args, replaced } = asked;
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
  const { ids, isAll } = meant(
    asked.stores.map(({ name }) => name),
    stores,
  );
  const recent = await findRecent(account, await ownerOf(account, session), session);
  const read = async (supplySourceId: string, at: number) => {
    const own = asked.stores[isAll ? 0 : at]?.changes;
    const view = createWriteView({ personal, account, replaced });
    const write = { supplySourceId, args: { changes: own ?? changes }, account, replaced };
    return prepareStore({ ...write, view, recent }, ctx);
  };
  const prepared = await inParallel(ids, read, ctx.tell);
  const found = prepared.flatMap((one) => one ?? []);
  // What the whole list is asked for is no store that is no longer used.
  const isLeftOut = ({ state }: (typeof found)[number]) => isAll && state?.status === 'Archived';
  const writes = found
    .filter((one) => !isLeftOut(one))
    .map(({ write }) => listedWrite(String(write.input.parameters.supplySourceId), write));
  return {
    writes,
    remarks: leftOutWords(found.filter(isLeftOut).map(({ write }) => listedWrite('', write))),
  };
}

function leftOutWords(archived: readonly ListedWrite[]): string[] {
  if (archived.length === 0) return [];
  const names = archived.map(({ shown }) => nameOf({ key: '', change: shown.change }));
  return [`Archived, and left out: ${names.join(', ')}.`];
}

/** @throws InputError where a name is no store's, or two names are the same store's */
function meant(names: readonly string[], stores: readonly Store[] | undefined) {
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
