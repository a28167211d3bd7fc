/**
 * Sends the listings of a batch, one by one or, if single patches would take too long, as feeds. Each listing
 * of a feed is compared once more, and its values are recorded, before the feed is sent.
 */

import * as z from 'zod';
import { AppError } from '../../../base/errors.ts';
import { isJsonObject, toObject } from '../../../base/json.ts';
import { count } from '../../../base/text/format-value.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import { attributeOfPatch } from '../../model/listing/apply-patches.ts';
import { isAsShown } from '../../model/listing/listing-change.ts';
import { listingValues } from '../../model/listing/listing-values.ts';
import { POSSIBLY_APPLIED } from '../../model/outcome.ts';
import type { BatchWrite, PreparedBatch } from '../../plan/prepared-batch.ts';
import type { IsChangedSinceShown } from '../../records/undo/changed-since-shown.ts';
import { recordedChange } from '../../records/undo/recorded-change.ts';
import type { BatchItem, ItemOutcome, Sender, SendOutcome, SendParts } from '../../run/batches/batch.ts';
import type { BatchInfoItem } from '../../run/batches/summary.ts';
import type { Expand, ItemResult } from '../../run/items/batch-result.ts';
import {
  type FeedListing,
  isListingsFeed,
  listingsOf,
  packListings,
  valuesOfFeed,
} from '../../run/items/packed-listings.ts';
import type { Session, ToolContext } from '../../session.ts';
import { expandFeed, restoreFeed, type StoredFeed, storeFeed } from '../feed/feed-item.ts';
import { createFeedSender } from '../feed/feed-sender.ts';
import { buildListingsFeed, endsOfFeeds } from '../feed/listings-feed.ts';
import { createReader, type ListingsScope } from './listings-scope.ts';
import { readListings } from './read-listings.ts';
import {
  addCannotUndoNotices,
  describeRecordedChange,
  recordFeed,
  recordFeedOutcomes,
  toRecordedListing,
  undoIdOfListing,
} from './record-feed.ts';

/**
 * Above this time at the rate limit of patches, a feed is quicker, though its outcomes are known only at its
 * end.
 */
const MAX_MINUTES = 10;
/** Requests per second where no limit is known. */
const USUAL_RATE = 5;
/** Reading 25,000 listings again takes minutes at the rate limit. */
const MAX_WAIT_MS = 60 * 60_000;

const itemSchema = z.object({
  options: z.object({ sellerId: z.string(), marketplaceIds: z.array(z.string()) }).optional(),
  what: z.string().optional(),
});
/** `changed`: SKUs that someone changed meanwhile; `kept`: the values of the others are in the journal. */
const stepsSchema = z.object({ changed: z.array(z.string()).optional(), kept: z.boolean().optional() });
/** Returns the same batch, to be sent as feeds where patches would take too long. */
export async function splitLongListIntoFeeds(
  list: PreparedBatch,
  operation: Pick<Operation, 'rate'>,
  scope: ListingsScope,
  session: Session,
): Promise<PreparedBatch> {
  const { remarks = [] } = list;
  const perMinute = (operation.rate?.requestsPerSecond ?? USUAL_RATE) * 60;
  if (list.writes.length <= perMinute * MAX_MINUTES) return list;
  const writes = await addCannotUndoNotices(list.writes, session);
  const itemsOf = async (some: readonly BatchWrite[]) => {
    const items = await feedsOf(some, scope);
    return { items, content: items.map(inClear) };
  };
  const made = await itemsOf(writes);
  const { items } = made;
  const feeds = items.length === 1 ? 'a feed' : `${items.length} feeds, one after the other`;
  const remark = `Sent as ${feeds} (JSON_LISTINGS_FEED), since ${count(writes.length)} patches would take more than ${MAX_MINUTES} minutes: what became of each is known when the feed has ended.`;
  return { ...list, writes, ...made, itemsOf, remarks: [...remarks, remark] };
}

function toListing(write: BatchWrite, at: number): FeedListing {
  const { key, input, stateDigest } = write;
  const { productType, patches } = toObject(input.body);
  return {
    sku: key,
    productType: String(productType),
    patches: Array.isArray(patches) ? patches : [],
    basis: stateDigest,
    ...toRecordedListing(write, at + 1),
  };
}

/** @throws InputError like `buildListingsFeed` */
async function feedsOf(writes: readonly BatchWrite[], scope: ListingsScope): Promise<BatchItem[]> {
  const listings = writes.map(toListing);
  const ends = endsOfFeeds(listings);
  const first = writes.at(0);
  const what = first && describeRecordedChange(first);
  const items: BatchItem[] = [];
  for (const [at, end] of ends.entries()) {
    const all = listings.slice(ends[at - 1] ?? 0, end);
    items.push(await feedItem(all, scope, { at, of: ends.length, what }));
  }
  return items;
}

/** @param what describes the change of the first listing */
async function feedItem(
  all: Iterable<FeedListing>,
  { owner, id }: ListingsScope,
  { at, of, what }: { at: number; of: number; what?: string | undefined },
): Promise<BatchItem> {
  const options = { sellerId: owner.sellerId ?? '', marketplaceIds: [id] };
  const packed = await packListings(all);
  const feed = storeFeed(`feed ${at + 1} of ${of}`, buildListingsFeed(listingsOf(packed) ?? [], options));
  return { ...feed, value: { ...feed.value, options, ...packed, what: at === 0 ? what : undefined } };
}

/** Returns the content to approve: the listings themselves, however they are packed. */
function inClear({ key, value }: BatchItem): BatchItem {
  const { packed: _packed, ...parts } = toObject(value);
  return { key, value: { ...parts, all: listingsOf(value) } };
}

/** Builds the feed's document again, as it was approved. */
async function loadFeed({ value }: BatchItem, { document: { sha256 } }: StoredFeed) {
  const options = itemSchema.safeParse(value).data?.options;
  const listings = listingsOf(value);
  if (options === undefined || listings === undefined) return undefined;
  const { document } = buildListingsFeed(listings, options);
  return document.sha256 === sha256 ? document : undefined;
}

interface FeedBatch {
  scope: ListingsScope;
  /** The id of the batch. */
  batch: string;
  /** Checks for changes from here by anything outside this batch. */
  isChangedSince: IsChangedSinceShown;
  ctx: ToolContext;
}

/** @param writes sends the single writes of a batch */
export function createListingsSender(writes: Sender, list: FeedBatch): Sender {
  const { scope, batch, ctx } = list;
  const recorded = ({ messages }: StoredFeed) => ({
    batch,
    what: `${count(messages.length)} ${messages.length === 1 ? 'listing' : 'listings'}, ${scope.name}, by a feed`,
  });
  const { account, owner } = scope;
  const feeds = createFeedSender({ account, owner, recorded, load: loadFeed }, ctx);
  return {
    ...writes,
    async send(item, sending) {
      if (!isFeed(item)) return writes.send(item, sending);
      // Feeds are sent one after the other, because a stuck feed holds up those behind it.
      const guard = await ctx.session.writeGuard();
      return guard.inTurn(`feeds of ${scope.ownerDigest}`, () => sendUnchanged(item, sending, feeds, list));
    },
    async look(item, steps, sending) {
      if (!isFeed(item)) return writes.look(item, steps, sending);
      const known = stepsSchema.safeParse(steps).data ?? {};
      const { changed } = known;
      if (changed === undefined) return { kind: 'later', why: 'The feed was not created yet.', afterMs: 0 };
      const left = await without(item, changed, scope);
      if (left === undefined) return ALL_CHANGED;
      const found = await feeds.look(left, steps, noting(sending, { ...known, changed }));
      return typeof found === 'string' ? found : settle(item, withChanged(found, changed), list);
    },
  };
}

const isFeed = ({ value }: BatchItem) => isListingsFeed(value);

/**
 * Sends the feed without the listings that someone changed since they were shown. The values of the others
 * are recorded before anything is uploaded.
 */
async function sendUnchanged(
  item: BatchItem,
  sending: SendParts,
  feeds: Sender,
  list: FeedBatch,
): Promise<SendOutcome> {
  const { scope, batch, isChangedSince, ctx } = list;
  const { what } = itemSchema.parse(item.value);
  const all = listingsOf(item.value) ?? [];
  const noted = stepsSchema.safeParse(sending.steps).data ?? {};
  const before = noted.changed ?? (await findChanged(all, sending.signal, scope, ctx));
  const later = await changedFromHere(item, before, isChangedSince);
  const changed = [...before, ...later];
  const left = await without(item, changed, scope);
  if (noted.kept !== true) {
    const listings = listingsOf(left?.value) ?? [];
    try {
      if (left !== undefined) await recordFeed(scope, batch, what, listings, ctx.session);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { kind: 'later', why: error.message, endsRun: true };
    }
    await sending.note({ changed, kept: true });
  }
  if (left === undefined) return ALL_CHANGED;
  const recording = noting(sending, { changed, kept: true });
  // A document that was uploaded with the changed listings is not used.
  const fresh = later.length === 0 ? recording : { ...recording, steps: {} };
  const sent = await feeds.send(left, fresh);
  return settle(item, withChanged(sent, changed), list);
}

/** Returns the SKUs of other listings that were changed from here. */
async function changedFromHere(
  item: BatchItem,
  others: readonly string[],
  isChangedSince: IsChangedSinceShown,
): Promise<string[]> {
  const known = new Set(others);
  const found: string[] = [];
  for (const values of valuesOfFeed(item) ?? []) {
    const sku = String(values.parameters.sku);
    if (!known.has(sku) && (await isChangedSince(values))) found.push(sku);
  }
  return found;
}

/** Returns the SKUs of the listings that changed since they were shown. */
async function findChanged(
  all: Iterable<FeedListing>,
  signal: AbortSignal,
  scope: ListingsScope,
  { session }: ToolContext,
): Promise<string[]> {
  const reader = await createReader(scope, { signal, timeoutMs: MAX_WAIT_MS }, session);
  const skus: string[] = [];
  const attributes = new Set<string>();
  for (const { sku, patches } of all) {
    skus.push(sku);
    for (const name of patches.flatMap((patch) => attributeOfPatch(patch) ?? [])) attributes.add(name);
  }
  const found = await readListings(skus, { ...reader, attributes });
  // A feed is sent whole, so it waits until all of its listings can be compared.
  for (const error of found.unread.values()) throw error;
  const changed: string[] = [];
  for (const { sku, patches, basis } of all) {
    const now = session.program.now();
    if (!isAsShown(found.get(sku)?.item, { patches, stateDigest: basis }, [scope.id], now)) changed.push(sku);
  }
  return changed;
}

/** Records the outcome of each listing in the journal before the batch has it. */
async function settle<Result extends SendOutcome>(
  item: BatchItem,
  sent: Result,
  { batch, ctx }: FeedBatch,
): Promise<Result> {
  if (sent.kind === 'later' || sent.kind === 'left') return sent;
  const numbers = new Map<string, number>();
  for (const { sku, n } of listingsOf(item.value) ?? []) numbers.set(sku, n);
  const outcomes = endsOfFeed({ ...item, outcome: sent });
  await recordFeedOutcomes(batch, outcomes, numbers, ctx.session);
  return sent;
}

const ALL_CHANGED: ItemOutcome = {
  kind: 'changed_since',
  why: 'All of its listings were changed since they were shown; not sent.',
};

/** Returns the item without the changed listings; undefined where none remain. */
async function without(
  item: BatchItem,
  changed: readonly string[],
  scope: ListingsScope,
): Promise<BatchItem | undefined> {
  if (changed.length === 0) return item;
  const gone = new Set(changed);
  const left = function* () {
    for (const listing of listingsOf(item.value) ?? []) if (!gone.has(listing.sku)) yield listing;
  };
  if (left().next().done === true) return undefined;
  // A part of one feed fits into one feed.
  return { ...(await feedItem(left(), scope, { at: 0, of: 1 })), key: item.key };
}

/** Adds these steps to those that a feed records itself. */
const noting = (parts: SendParts, steps: z.output<typeof stepsSchema>): SendParts => ({
  ...parts,
  note: (step) => parts.note({ ...toObject(step), ...steps }),
});

/** Adds the changed listings to the feed's outcome, for code that shows each listing. */
function withChanged(sent: SendOutcome, changed: readonly string[]): SendOutcome {
  if (sent.kind === 'later' || sent.kind === 'left' || changed.length === 0) return sent;
  return { ...sent, facts: { ...toObject(sent.facts), changed } };
}

/** Returns one entry for each listing of a feed; undefined for an item that is no feed. */
export function expandFeedList(scope: ListingsScope): Expand {
  return (item, batch) => {
    const listings = listingsOf(item.value);
    if (listings === undefined) return undefined;
    const changed = changedIn(item);
    const ends = new Map(endsOfFeed(item).map(({ key, outcome }) => [key, outcome]));
    const others = new Map<string, FeedListing>();
    const results: Omit<ItemResult, 'name'>[] = [];
    for (const listing of listings) {
      const { sku: key } = listing;
      if (changed.has(key)) {
        others.set(key, listing);
        continue;
      }
      const outcome = ends.get(key);
      const undoId = POSSIBLY_APPLIED.has(outcome?.kind) ? undoIdOfListing(batch, listing) : undefined;
      results.push({ key, outcome, ...valuesOf(listing, scope), undoId });
    }
    for (const key of changed) results.push({ key, outcome: CHANGED, ...valuesOf(others.get(key), scope) });
    return results;
  };
}

const CHANGED: ItemOutcome = { kind: 'changed_since' };

const changedIn = ({ outcome }: BatchInfoItem) =>
  new Set(stepsSchema.safeParse(outcome?.facts).data?.changed);

/** Returns the outcomes by SKU, with the changed listings last because they were not sent. */
function endsOfFeed(item: BatchInfoItem) {
  const { messages } = restoreFeed(item) ?? { messages: [] };
  const changed = changedIn(item);
  const left = messages.filter(({ sku = '' }) => !changed.has(sku));
  const numbered = left.map(({ sku = '' }, at) => [at + 1, sku]);
  const value = isJsonObject(item.value) ? { ...item.value, messages: numbered } : item.value;
  return [
    ...(expandFeed({ ...item, value }) ?? []),
    ...[...changed].map((key) => ({ key, outcome: CHANGED })),
  ];
}

function valuesOf(listing: FeedListing | undefined, { id }: ListingsScope) {
  if (listing?.members === undefined || listing.isPersonal === true) return {};
  const { sku, members } = listing;
  const values = listingValues(recordedChange({ parameters: { sku, marketplaceIds: [id] }, members }));
  return values.length === 0 ? {} : { values };
}
