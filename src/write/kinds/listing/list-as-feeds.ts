/** A list that is too long for patches one by one: the same changes as feeds, each listing looked at once more, and kept, before its feed goes out. */

import * as z from 'zod';
import { AppError } from '../../../base/errors.ts';
import { isJsonObject } from '../../../base/json.ts';
import { type LongList, mapped } from '../../../base/packed.ts';
import { count } from '../../../base/text/value-words.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import type { Expand } from '../../answer/many/list-outcome.ts';
import type { IsChangedSinceShown } from '../../keep/history/changed-since-shown.ts';
import { keptChange } from '../../keep/history/differences.ts';
import type { WriteValues } from '../../keep/history/values.ts';
import { MAY_BE_APPLIED } from '../../outcome.ts';
import type { ListedWrite, PreparedList } from '../../plan/listed-write.ts';
import { memberValues } from '../../plan/member-values.ts';
import type { BatchItem, ItemOutcome, Sender, SendParts, Sent } from '../../run/batches/types.ts';
import type { Session, ToolContext } from '../../tool-context.ts';
import { expandFeed, type StoredFeed, storeFeed } from '../feed/feed-item.ts';
import { createFeedSender } from '../feed/feed-sender.ts';
import { buildListingsFeed, endsOfFeeds } from '../feed/listings-feed.ts';
import { attributeOfPatch } from './apply-patches.ts';
import { createReader, type ListingsPlace } from './find-place.ts';
import {
  endFeed,
  keepFeed,
  keptListingSchema,
  tellCannotUndoAll,
  toKept,
  undoIdOf,
  whatOf,
} from './keep-feed.ts';
import { basisOfListing } from './listing-change.ts';
import { readListings } from './read-listings.ts';

/** Beyond that at the limit of patches a feed is quicker, though it says nothing until its end. */
const MOST_MINUTES = 10;
/** Where no limit is known. */
const USUAL_RATE = 5;
/** Reading 25,000 again takes minutes at the limit. */
const MOST_WAIT_MS = 60 * 60_000;

const listingSchema = z.object({
  sku: z.string(),
  productType: z.string(),
  patches: z.array(z.unknown()),
  /** Digest of the values that were shown. */
  basis: z.string().optional(),
  ...keptListingSchema.shape,
});
/** Each is looked at once, and none is copied: a feed holds thousands, and is asked for them at every step. */
const listingsSchema = z.custom<readonly FeedListing[]>((value) => {
  if (!Array.isArray(value)) return false;
  if (checked.has(value)) return true;
  const areListings = value.every((one) => listingSchema.safeParse(one).success);
  if (areListings) checked.add(value);
  return areListings;
});
const checked = new WeakSet<object>();
const itemSchema = z.object({ all: listingsSchema, what: z.string().optional() });
/** What its document is made of. */
const sentSchema = itemSchema.pick({ all: true }).extend({
  options: z.object({
    sellerId: z.string(),
    marketplaceIds: z.array(z.string()),
    issueLocale: z.string().optional(),
  }),
});
/** `changed`: SKUs that somebody changed meanwhile; `kept`: the values of the others are in the history. */
const stepsSchema = z.object({ changed: z.array(z.string()).optional(), kept: z.boolean().optional() });
type FeedListSteps = z.output<typeof stepsSchema>;

type FeedListing = z.output<typeof listingSchema>;

/** The same list, to be sent as feeds where patches would take too long. */
export async function asFeeds(
  list: PreparedList,
  operation: Pick<Operation, 'rate'>,
  place: ListingsPlace,
  session: Session,
): Promise<PreparedList> {
  const { remarks = [] } = list;
  const perMinute = (operation.rate?.requestsPerSecond ?? USUAL_RATE) * 60;
  if (list.writes.length <= perMinute * MOST_MINUTES) return list;
  const writes = await tellCannotUndoAll(list.writes, session);
  const items = feedsOf(writes, place);
  const feeds = items.length === 1 ? 'a feed' : `${items.length} feeds, one after the other`;
  const remark = `Sent as ${feeds} (JSON_LISTINGS_FEED), since ${count(writes.length)} patches would take more than ${MOST_MINUTES} minutes: what became of each is known when the feed has ended.`;
  return { ...list, writes, items, remarks: [...remarks, remark] };
}

function toListing(write: ListedWrite, at: number): FeedListing {
  const { key, input, basis } = write;
  const { productType, patches } = isJsonObject(input.body) ? input.body : {};
  return {
    sku: key,
    productType: String(productType),
    patches: Array.isArray(patches) ? patches : [],
    basis,
    ...toKept(write, at + 1),
  };
}

/** A feed is large: each is made when it is asked for, and let go. @throws InputError as `buildListingsFeed` */
function feedsOf(writes: LongList<ListedWrite>, place: ListingsPlace): LongList<BatchItem> {
  const listings = mapped(writes, toListing);
  const ends = endsOfFeeds(listings);
  const first = writes.at(0);
  const what = first && whatOf(first);
  const make = (all: readonly FeedListing[], at: number): BatchItem =>
    feedItem(all, place, { at, of: ends.length, what });
  return {
    length: ends.length,
    at(index) {
      const [from, to] = [ends[index - 1] ?? 0, ends[index]];
      if (to === undefined) return undefined;
      const all = Array.from({ length: to - from }, (_, at) => listings.at(from + at));
      return make(
        all.flatMap((one) => one ?? []),
        index,
      );
    },
    *[Symbol.iterator]() {
      for (let index = 0; index < ends.length; index += 1) {
        const item = this.at(index);
        if (item !== undefined) yield item;
      }
    },
  };
}

/** @param what the first of them changes */
function feedItem(
  all: readonly FeedListing[],
  { owner, id }: ListingsPlace,
  { at, of, what }: { at: number; of: number; what?: string | undefined },
): BatchItem {
  const options = { sellerId: owner.sellerId ?? '', marketplaceIds: [id] };
  const feed = storeFeed(`feed ${at + 1} of ${of}`, buildListingsFeed(all, options));
  return { ...feed, value: { ...feed.value, options, all, what: at === 0 ? what : undefined } };
}

/** Its document once more, as it was confirmed. */
async function loadFeed({ value }: BatchItem, { document: { sha256 } }: StoredFeed) {
  const { data } = sentSchema.safeParse(value);
  if (data === undefined) return undefined;
  const { document } = buildListingsFeed(data.all, data.options);
  return document.sha256 === sha256 ? document : undefined;
}

interface FeedList {
  place: ListingsPlace;
  /** Id of the list. */
  batch: string;
  /** From here, by whatever is not of this list. */
  isChangedSince: IsChangedSinceShown;
  ctx: ToolContext;
}

/** @param writes what sends single writes of a list */
export function createFeedListSender(writes: Sender, list: FeedList): Sender {
  const { place, batch, ctx } = list;
  const recorded = ({ messages }: StoredFeed) => ({
    batch,
    what: `${count(messages.length)} ${messages.length === 1 ? 'listing' : 'listings'}, ${place.name}, by a feed`,
  });
  const { account, owner } = place;
  const feeds = createFeedSender({ account, owner, recorded, load: loadFeed }, ctx);
  return {
    ...writes,
    async send(item, sending) {
      if (!isFeed(item)) return writes.send(item, sending);
      // One stuck feed holds up those behind it: they go one after the other.
      const guard = await ctx.session.writes();
      return guard.inTurn(`feeds of ${place.mark}`, () => sendUnchanged(item, sending, feeds, list));
    },
    async look(item, steps, sending) {
      if (!isFeed(item)) return writes.look(item, steps, sending);
      const known = stepsSchema.safeParse(steps).data ?? {};
      const { changed } = known;
      if (changed === undefined) return { kind: 'later', why: 'The feed was not created yet.', afterMs: 0 };
      const left = without(item, changed, place);
      if (left === undefined) return ALL_CHANGED;
      const found = await feeds.look(left, steps, noting(sending, { ...known, changed }));
      return typeof found === 'string' ? found : settle(item, withChanged(found, changed), list);
    },
  };
}

/** Numbers, within the whole list, of the listings of a feed; undefined for an item that is no feed of ours. */
export const itemsOfFeed = ({ value }: BatchItem): number[] | undefined =>
  itemSchema.safeParse(value).data?.all.map(({ n }) => n);

/** What each listing of a feed changes; undefined for an item that is no feed of ours. */
export function listingsOfFeed({ value }: BatchItem): WriteValues[] | undefined {
  const feed = itemSchema.safeParse(value).data;
  const marketplaceIds = isJsonObject(value) ? value.marketplaceIds : undefined;
  return feed?.all.map(({ sku, members = [] }) => ({ parameters: { sku, marketplaceIds }, members }));
}

const isFeed = ({ value }: BatchItem) => isJsonObject(value) && Array.isArray(value.all);

/**
 * What somebody changed since it was shown is left out of the feed, and the values of the others are kept, before
 * anything of it is uploaded.
 */
async function sendUnchanged(
  item: BatchItem,
  sending: SendParts,
  feeds: Sender,
  list: FeedList,
): Promise<Sent> {
  const { place, batch, isChangedSince, ctx } = list;
  const { all, what } = itemSchema.parse(item.value);
  const noted = stepsSchema.safeParse(sending.steps).data ?? {};
  const before = noted.changed ?? (await findChanged(all, sending.signal, place, ctx));
  const later = await changedFromHere(item, before, isChangedSince);
  const changed = [...before, ...later];
  const left = without(item, changed, place);
  if (noted.kept !== true) {
    const gone = new Set(changed);
    const listings = all.filter(({ sku }) => !gone.has(sku));
    try {
      if (left !== undefined) await keepFeed(place, batch, what, listings, ctx.session);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { kind: 'later', why: error.message, endsRun: true };
    }
    await sending.note({ changed, kept: true });
  }
  if (left === undefined) return ALL_CHANGED;
  const told = noting(sending, { changed, kept: true });
  // A document that was uploaded with them is not used.
  const fresh = later.length === 0 ? told : { ...told, steps: { changed, kept: true } };
  const sent = await feeds.send(left, fresh);
  return settle(item, withChanged(sent, changed), list);
}

/** Of the others, by their SKUs. */
async function changedFromHere(
  item: BatchItem,
  others: readonly string[],
  isChangedSince: IsChangedSinceShown,
): Promise<string[]> {
  const found: string[] = [];
  for (const values of listingsOfFeed(item) ?? []) {
    const sku = String(values.parameters.sku);
    if (!others.includes(sku) && (await isChangedSince(values))) found.push(sku);
  }
  return found;
}

/** By their SKUs. */
async function findChanged(
  all: readonly FeedListing[],
  signal: AbortSignal,
  place: ListingsPlace,
  { session }: ToolContext,
): Promise<string[]> {
  const reader = await createReader(place, { signal, timeoutMs: MOST_WAIT_MS }, session);
  const attributes = new Set(
    all.flatMap(({ patches }) => patches.flatMap((patch) => attributeOfPatch(patch) ?? [])),
  );
  const found = await readListings(
    all.map(({ sku }) => sku),
    { ...reader, attributes },
  );
  return all
    .filter(({ sku, patches, basis }) => basisOfListing(found.get(sku)?.item, patches, [place.id]) !== basis)
    .map(({ sku }) => sku);
}

/** The history knows what became of each before the list does. */
async function settle<Result extends Sent>(
  item: BatchItem,
  sent: Result,
  { place, batch, ctx }: FeedList,
): Promise<Result> {
  if (sent.kind === 'later' || sent.kind === 'left') return sent;
  const { all } = itemSchema.parse(item.value);
  const numbers = new Map(all.map(({ sku, n }) => [sku, n]));
  const told = expandFeedList(place)({ ...item, outcome: sent }, batch) ?? [];
  await endFeed(batch, told, numbers, ctx.session);
  return sent;
}

const ALL_CHANGED: ItemOutcome = {
  kind: 'changed_since',
  why: 'All of its listings were changed since they were shown; not sent.',
};

/** Undefined where nothing is left of it. */
function without(item: BatchItem, changed: readonly string[], place: ListingsPlace): BatchItem | undefined {
  if (changed.length === 0) return item;
  const { all } = itemSchema.parse(item.value);
  const gone = new Set(changed);
  const left = all.filter(({ sku }) => !gone.has(sku));
  // Of one feed, a part fits into one feed.
  return left.length === 0 ? undefined : { ...feedItem(left, place, { at: 0, of: 1 }), key: item.key };
}

/** Beside what a feed notes itself. */
const noting = (parts: SendParts, steps: FeedListSteps): SendParts => ({
  ...parts,
  note: (step) => parts.note({ ...(isJsonObject(step) ? step : {}), ...steps }),
});

/** Told with the outcome of the feed, for those who tell each listing. */
function withChanged(sent: Sent, changed: readonly string[]): Sent {
  if (sent.kind === 'later' || sent.kind === 'left' || changed.length === 0) return sent;
  return { ...sent, facts: { ...(isJsonObject(sent.facts) ? sent.facts : {}), changed } };
}

/** One entry for each listing of a feed; undefined for an item that is no feed. */
export function expandFeedList(place: ListingsPlace): Expand {
  return (item, batch) => {
    const stored = itemSchema.safeParse(item.value).data;
    if (stored === undefined) return undefined;
    const { outcome } = item;
    const changed = stepsSchema.safeParse(outcome?.facts).data?.changed ?? [];
    const left = without(item, changed, place);
    const entries = left === undefined ? [] : expandFeed({ ...left, outcome });
    const listings = new Map(stored.all.map((listing) => [listing.sku, listing]));
    const told = (entries ?? []).map((entry) => {
      const listing = listings.get(entry.key);
      const undoId =
        listing && MAY_BE_APPLIED.has(entry.outcome?.kind) ? undoIdOf(batch, listing) : undefined;
      return { ...entry, ...valuesOf(listing, place), undoId };
    });
    return [
      ...told,
      ...changed.map((key) => ({
        key,
        outcome: { kind: 'changed_since' } as const,
        ...valuesOf(listings.get(key), place),
      })),
    ];
  };
}

function valuesOf(listing: FeedListing | undefined, { id }: ListingsPlace) {
  if (listing?.members === undefined || listing.isPersonal === true) return {};
  const { sku, members } = listing;
  const values = memberValues(keptChange({ parameters: { sku, marketplaceIds: [id] }, members }));
  return values.length === 0 ? {} : { values };
}
