/**
 * Prepares the changes of many listings before an approval is requested: reads the wanted values and the
 * current ones, and builds the patches between them.
 */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { InputError, type Problem } from '../../../base/errors.ts';
import { yieldEvery } from '../../../base/event-loop.ts';
import { formatFailedItems } from '../../../base/failure-of-one.ts';
import { count } from '../../../base/text/format-value.ts';
import { quoteName } from '../../../base/text/quote-name.ts';
import { queryRows } from '../../../render/rows/answer-query.ts';
import { findMarketplace } from '../../../service/facts/find-marketplace.ts';
import { adapterOf } from '../../model/find-adapter.ts';
import { marketplacesOfPatches, PATCH } from '../../model/listing/apply-patches.ts';
import { type Attributes, toAttributes } from '../../model/listing/entries.ts';
import { withoutUnchanged } from '../../plan/check-batch.ts';
import { prepareWrite } from '../../plan/prepare-write.ts';
import { type BatchWrite, type PreparedBatch, toBatchWrite } from '../../plan/prepared-batch.ts';
import { findRecent, recordSeen } from '../../plan/recent-writes.ts';
import { findPending, type RecentWrites } from '../../records/undo/pending-writes.ts';
import type { ToolContext } from '../../session.ts';
import { startOrJoinListingsRead, toKnownState } from './background-read.ts';
import { splitLongListIntoFeeds } from './batch-as-feeds.ts';
import {
  type AttributePatch,
  buildPatches,
  type CurrentListing,
  listNeededListingAttributes,
  type PatchTarget,
  readCurrentListing,
} from './build-patches.ts';
import { describeUnknownSku, listKnownSkus } from './known-skus.ts';
import { createReader, type ListingsScope } from './listings-scope.ts';
import type { ReadListing, ReadListings } from './read-listings.ts';
import {
  listProblems,
  MAX_LISTINGS,
  type RequestedItems,
  type RequestedListing,
  readItems,
  readRows,
} from './requested-items.ts';

/** The product type of a listing that shows none; the service accepts it for any listing. */
const ANY_TYPE = 'PRODUCT';
/**
 * A batch with mistakes is still read up to this size, in five requests, so that unknown SKUs are listed
 * together with them.
 */
const MAX_READ_WITH_PROBLEMS = 100;
/** The number of listings to process before other work gets a turn. */
const LISTINGS_PER_TURN = 25;

/**
 * @throws InputError that lists what cannot be done, and what would also prevent the writes; nothing is sent
 * then
 * @throws StillReading where the read takes longer than the call
 */
export async function prepareListings(
  asked: { items?: readonly unknown[] | undefined; query?: string | undefined },
  scope: ListingsScope,
  ctx: ToolContext,
): Promise<PreparedBatch> {
  const { listings, problems, leftOut = [] } = await readAsked(asked, scope, ctx);
  if (problems.length > 0 && listings.length > MAX_READ_WITH_PROBLEMS) throw listProblems(problems);
  const skus = listings.map(({ sku }) => sku);
  const found = await startOrJoinListingsRead(
    { skus, attributes: listNeededListingAttributes(listings) },
    scope,
    ctx,
  );
  problems.push(...(await findUnknownSkus(listings, found, scope, ctx)));
  const here = { marketplaceId: scope.id, name: scope.name, now: ctx.session.program.now() };
  const recent = await findRecent(scope.account, ctx.session, scope.owner);
  const all = await buildAllPatches(listings, found, { here, scope, recent, problems });
  if (problems.length > 0) throw listProblems(problems);
  const operation = (await ctx.session.program.registry()).find(PATCH);
  const writes: BatchWrite[] = [];
  let [at, same] = [0, 0];
  for (const { sku, productType, patches } of all) {
    at += 1;
    await yieldEvery(LISTINGS_PER_TURN, at);
    const listing = found.get(sku);
    if (listing === undefined || patches.length === 0) {
      same += 1;
      continue;
    }
    const asked = { parameters: { sku, marketplaceIds: [scope.id] }, body: { productType, patches } };
    const wanted = { operation, account: scope.account, asked, known: toKnownState(listing), recent };
    writes.push(toBatchWrite(sku, await prepareWrite(wanted, ctx)));
  }
  await recordSeen(recent, ctx.session);
  const list = withoutUnchanged({
    writes,
    remarks: same === 0 ? [] : [describeUnchanged(same)],
    leftOut: [...leftOut, ...describeUnread(found)],
  });
  return splitLongListIntoFeeds(list, operation, scope, ctx.session);
}

function describeUnread({ unread }: ReadListings): string[] {
  if (unread.size === 0) return [];
  const which = unread.size === 1 ? '1 listing is' : `${count(unread.size)} listings are`;
  const reasons = formatFailedItems([...unread].map(([sku, error]) => [quoteName(sku), error]));
  return [`${which} left out, because what is there could not be read.`, ...reasons];
}

const describeUnchanged = (same: number) =>
  same === 1
    ? '1 listing has these values already and is left out.'
    : `${count(same)} listings have these values already and are left out.`;

async function readAsked(
  { items, query }: Parameters<typeof prepareListings>[0],
  { account }: ListingsScope,
  ctx: ToolContext,
): Promise<RequestedItems> {
  if ((items === undefined) === (query === undefined)) {
    throw new InputError(
      'Give items or query, one of the two; nothing was sent.',
      'items: [{"sku": "LAMP-1", "set": {"price": 17.99}}], or query: "SELECT sku, 17.99 AS price FROM listings".',
    );
  }
  if (items !== undefined) return readItems(items);
  return readRows(await queryRows(query ?? '', { account, maxRows: MAX_LISTINGS }, ctx));
}

/** Returns a problem for each SKU that the seller does not have. */
async function findUnknownSkus(
  listings: readonly RequestedListing[],
  found: ReadListings,
  scope: ListingsScope,
  { session, call }: ToolContext,
): Promise<Problem[]> {
  const unknown = listings.filter(({ sku }) => !found.has(sku) && !found.unread.has(sku));
  if (unknown.length === 0) return [];
  const known = await listKnownSkus(await createReader(scope, call, session), () => performance.now());
  const all = [...known, ...found.keys()];
  return unknown.map(({ sku, at }) => ({
    path: `${at}.sku`,
    message: describeUnknownSku(sku, all, scope.name),
  }));
}

interface WantedListing {
  sku: string;
  productType: string;
  patches: readonly unknown[];
}

/** Builds the patches. @param parts its `problems` receives what cannot be done */
async function buildAllPatches(
  listings: readonly RequestedListing[],
  found: ReadListings,
  { here, problems, ...known }: PreparationContext & { here: PatchTarget; problems: Problem[] },
): Promise<readonly WantedListing[]> {
  const all: WantedListing[] = [];
  for (const [at, one] of listings.entries()) {
    await yieldEvery(LISTINGS_PER_TURN, at);
    const { sku, wanted } = one;
    const listing = found.get(sku);
    if (listing === undefined) continue;
    const state = readCurrentListing(listing.item, here);
    const productType = state.productType ?? ANY_TYPE;
    if ('patches' in wanted) {
      problems.push(...findForeign(one, wanted.patches, here));
      all.push({ sku, productType, patches: wanted.patches });
      continue;
    }
    const coming = await withPendingWrites(sku, state, known);
    const built = buildPatches(coming.state, wanted.values, here);
    if ('problems' in built) {
      problems.push(...built.problems.map(({ word, message }) => ({ path: pathOf(one, word), message })));
      continue;
    }
    // A patch without an effect is still sent where only a pending write makes it so, because that write may
    // never become visible. It is also sent where unknown writes may overwrite the value.
    const again = built.same.filter((patch) => !coming.isKnown || !isRead(patch, state.attributes));
    const patches = [...built.patches, ...again];
    const wrong = findInexact(patches, listing);
    problems.push(...wrong.map(({ word, message }) => ({ path: pathOf(one, word), message })));
    all.push({ sku, productType, patches });
  }
  return all;
}

/**
 * Rejects patches for other marketplaces, because listings are read, compared and undone in one marketplace.
 */
function findForeign(
  { at, sku }: RequestedListing,
  patches: readonly unknown[],
  here: PatchTarget,
): Problem[] {
  const idOf = (named: string) => {
    const found = findMarketplace(named);
    return found.kind === 'known' ? found.marketplace.id : named;
  };
  const named = [...new Set(marketplacesOfPatches(patches))].filter(
    (one) => idOf(one) !== here.marketplaceId,
  );
  if (named.length === 0) return [];
  const message = `name ${named.map(quoteName).join(', ')}, and this list is for ${here.name}: make a list for each marketplace`;
  return [{ path: `${at}.patches (${quoteName(sku)})`, message }];
}

interface PreparationContext {
  scope: ListingsScope;
  recent: RecentWrites | undefined;
}

/**
 * Returns the state once pending writes of ours are visible. The patches send what `set` does not name as it
 * is in that state, because the old value would overwrite those writes.
 */
async function withPendingWrites(
  sku: string,
  state: CurrentListing,
  { scope: { id, owner }, recent }: PreparationContext,
): Promise<{ state: CurrentListing; isKnown: boolean }> {
  // Every patch is sent where it is not known what was written.
  if (recent === undefined) return { state, isKnown: false };
  const parameters = { sku, sellerId: owner.sellerId };
  if (recent.of(parameters).length === 0) return { state, isKnown: true };
  const adapter = adapterOf({ kind: 'listing' });
  const read = adapter.stateOf(state.attributes);
  const written = { operation: PATCH, parameters, places: [id], adapter, state: read };
  const found = await findPending(written, recent);
  const attributes = toAttributes(adapter.sideOf(found.state));
  return { state: { ...state, attributes }, isKnown: found.unknown === undefined };
}

const isRead = ({ path, op, value }: AttributePatch, attributes: Attributes): boolean =>
  canonicalJson(op === 'delete' ? [] : value) === canonicalJson(attributes[nameOf(path)] ?? []);

const nameOf = (path: string) => path.slice('/attributes/'.length);

function findInexact(patches: readonly { path: string }[], { inexact }: ReadListing) {
  const names = patches.map(({ path }) => nameOf(path)).filter((name) => inexact.has(name));
  return names.map((name) => ({
    word: name,
    message: 'holds a number with more digits than can be sent back unchanged; it cannot be changed here',
  }));
}

const pathOf = ({ at, sku }: RequestedListing, word: string) =>
  `${at.startsWith('row') ? `${at}.${word}` : `${at}.set.${word}`} (${quoteName(sku)})`;
