/** A list that is too long for patches one by one: the same changes as feeds, each listing looked at once more before its feed goes out. */

import * as z from 'zod';
import type { BatchInfoItem, BatchItem, ItemOutcome, Sender, SendParts, Sent } from '../../batches/types.ts';
import { basisOfListing } from '../../changes/listing-change.ts';
import { count } from '../../collections/pages.ts';
import { isJsonObject } from '../../json.ts';
import { readListings } from '../../listings/read-listings.ts';
import type { Operation } from '../../service/facts/operation.ts';
import type { ListedWrite } from '../many-writes/listed-write.ts';
import type { PreparedList } from '../many-writes/run-many.ts';
import { createListingsFeedSender, expandFeed, listingsFeedItems } from '../outgoing/listings-feeds.ts';
import type { ToolContext } from '../session.ts';
import { createReader, type ListingsPlace } from './find-place.ts';

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
});
const itemSchema = z.object({ all: z.array(listingSchema) });
const stepsSchema = z.object({ changed: z.array(z.string()).optional() });

type FeedListing = z.output<typeof listingSchema>;

/** The same list, to be sent as feeds where patches would take too long. */
export function asFeeds(
  list: PreparedList,
  operation: Pick<Operation, 'rate'>,
  place: ListingsPlace,
): PreparedList {
  const { writes, remarks = [] } = list;
  const perMinute = (operation.rate?.requestsPerSecond ?? USUAL_RATE) * 60;
  if (writes.length <= perMinute * MOST_MINUTES) return list;
  const items = feedItems(writes.map(toListing), place);
  const feeds = items.length === 1 ? 'a feed' : `${items.length} feeds, one after the other`;
  const remark = `Sent as ${feeds} (JSON_LISTINGS_FEED), since ${count(writes.length)} patches would take more than ${MOST_MINUTES} minutes: what became of each is known when the feed has ended. undo_change cannot take back what a feed changed.`;
  return { writes, items, remarks: [...remarks, remark] };
}

function toListing({ key, input, basis }: ListedWrite): FeedListing {
  const { productType, patches } = isJsonObject(input.body) ? input.body : {};
  return {
    ...{ sku: key, productType: String(productType), patches: Array.isArray(patches) ? patches : [] },
    ...(basis === undefined ? {} : { basis }),
  };
}

function feedItems(listings: readonly FeedListing[], { owner, id }: ListingsPlace): BatchItem[] {
  const plain = listings.map(({ sku, productType, patches }) => ({ sku, productType, patches }));
  const options = { sellerId: owner.sellerId ?? '', marketplaceIds: [id] };
  let from = 0;
  return listingsFeedItems(plain, options).map(({ key, value }) => {
    const stored = isJsonObject(value) ? value : {};
    const size = Array.isArray(stored.listings) ? stored.listings.length : 0;
    const all = listings.slice(from, from + size);
    from += size;
    return { key, value: { ...stored, all } };
  });
}

/** @param writes what sends single writes of a list */
export function createFeedListSender(place: ListingsPlace, writes: Sender, ctx: ToolContext): Sender {
  const feeds = createListingsFeedSender({ account: place.account, owner: place.owner }, ctx);
  return {
    ...writes,
    async send(item, parts) {
      if (!isFeed(item)) return writes.send(item, parts);
      // One stuck feed holds up those behind it: they go one after the other.
      const guard = await ctx.session.writes();
      return guard.inTurn(`feeds of ${place.mark}`, () => sendUnchanged(item, parts, feeds, place, ctx));
    },
    async look(item, steps, parts) {
      if (!isFeed(item)) return writes.look(item, steps, parts);
      const changed = stepsSchema.safeParse(steps).data?.changed;
      if (changed === undefined) return { kind: 'later', why: 'The feed was not created yet.', afterMs: 0 };
      const left = without(item, changed, place);
      if (left === undefined) return ALL_CHANGED;
      const found = await feeds.look(left, steps, noting(parts, changed));
      return typeof found === 'string' ? found : withChanged(found, changed);
    },
  };
}

const isFeed = ({ value }: BatchItem) => itemSchema.safeParse(value).success;

/** What somebody changed since it was shown is left out of the feed, before anything of it is uploaded. */
async function sendUnchanged(
  item: BatchItem,
  parts: SendParts,
  feeds: Sender,
  place: ListingsPlace,
  { session }: ToolContext,
): Promise<Sent> {
  let changed = stepsSchema.safeParse(parts.steps).data?.changed;
  if (changed === undefined) {
    const { all } = itemSchema.parse(item.value);
    const reader = await createReader(place, { signal: parts.signal, timeoutMs: MOST_WAIT_MS }, session);
    const attributes = new Set(all.flatMap(({ patches }) => patches.map(attributeOf)));
    const found = await readListings(
      all.map(({ sku }) => sku),
      { ...reader, attributes },
    );
    changed = all
      .filter(
        ({ sku, patches, basis }) => basisOfListing(found.get(sku)?.item, patches, [place.id]) !== basis,
      )
      .map(({ sku }) => sku);
    await parts.note({ changed });
  }
  const left = without(item, changed, place);
  if (left === undefined) return ALL_CHANGED;
  return withChanged(await feeds.send(left, noting(parts, changed)), changed);
}

const attributeOf = (patch: unknown) =>
  isJsonObject(patch) && typeof patch.path === 'string' ? patch.path.replace(/^\/attributes\//, '') : '';

const ALL_CHANGED: ItemOutcome = {
  kind: 'changed_since',
  why: 'All of its listings were changed since they were shown; not sent.',
};

/** Undefined where nothing is left of it. */
function without(item: BatchItem, changed: readonly string[], place: ListingsPlace): BatchItem | undefined {
  if (changed.length === 0) return item;
  const { all } = itemSchema.parse(item.value);
  const gone = new Set(changed);
  const [left] = feedItems(
    all.filter(({ sku }) => !gone.has(sku)),
    place,
  );
  return left === undefined ? undefined : { ...left, key: item.key };
}

/** Beside what a feed notes itself. */
const noting = (parts: SendParts, changed: readonly string[]): SendParts => ({
  ...parts,
  note: (step) => parts.note({ ...(isJsonObject(step) ? step : {}), changed }),
});

/** Told with the outcome of the feed, for those who tell each listing. */
function withChanged(sent: Sent, changed: readonly string[]): Sent {
  if (sent.kind === 'later' || sent.kind === 'left' || changed.length === 0) return sent;
  return { ...sent, facts: { ...(isJsonObject(sent.facts) ? sent.facts : {}), changed } };
}

/** One entry for each listing of a feed; undefined for an item that is no feed. */
export function expandFeedList(place: ListingsPlace) {
  return (item: BatchInfoItem): { key: string; outcome?: ItemOutcome | undefined }[] | undefined => {
    if (!isFeed(item)) return undefined;
    const { outcome } = item;
    const changed = stepsSchema.safeParse(outcome?.facts).data?.changed ?? [];
    const left = without(item, changed, place);
    const entries = left === undefined ? [] : expandFeed({ ...left, ...(outcome && { outcome }) });
    return [
      ...(entries ?? []),
      ...changed.map((key) => ({ key, outcome: { kind: 'changed_since' } as const })),
    ];
  };
}
