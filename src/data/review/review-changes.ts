/**
 * Finds the changes since an earlier review: for the answer of a review, and as tables of all stored reviews.
 */

import * as z from 'zod';
import { InputError } from '../../base/errors.ts';
import { yieldToEventLoop } from '../../base/event-loop.ts';
import { groupBy } from '../../base/group-by.ts';
import { parseJson } from '../../base/json.ts';
import { lazy } from '../../base/lazy.ts';
import { isDay, localTime, momentOfDay, utcMinute } from '../../base/text/local-time.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import { marketplaceById } from '../../service/facts/marketplaces.ts';
import type { ChangeRow, Changes, CollectionInfo, SqlValue } from '../tables/table-types.ts';
import { compareStates, type ListingChange, type ListingStates } from './compare-states.ts';
import type { Snapshot, SnapshotContent, Snapshots } from './snapshots.ts';

/** The start of the note on an unsold marketplace, after its name. */
export const NOT_SOLD_THERE = 'this account does not sell there';

/** One difference between two consecutive reviews. */
export interface ReviewedChange extends ListingChange {
  /** Whether a write of this server between the two may have changed this member of this listing. */
  ours: boolean;
}

/** The changes in one marketplace. */
export interface MarketplaceNews {
  marketplaceId: string;
  marketplace: string;
  /** The moment of the earlier review; absent if there is none to compare with. */
  since?: string;
  /** A note if the comparison differs from the requested one. */
  note?: string;
  /** Whether this review leaves nothing to compare, now or later. */
  isUnknown?: true;
  changes: ReviewedChange[];
  before: ListingStates;
  after: ListingStates;
}

export interface NewsParts {
  snapshots: Pick<Snapshots, 'list' | 'read'>;
  changes(): Promise<Changes>;
}

interface ReviewInfo
  extends Pick<CollectionInfo, 'source' | 'collectedAt' | 'notes'>,
    Partial<Pick<CollectionInfo, 'complete'>> {}

/**
 * Returns the changes that a complete review has found; nothing for a review of single SKUs, which stores no
 * snapshot.
 * @param since a day of the marketplace (its beginning), a moment, how long ago, or a moment for each
 * marketplace id; the previous review if omitted
 * @throws InputError for any other `since`
 */
export async function compareWithEarlierReview(
  { source, collectedAt, complete = true, notes }: ReviewInfo,
  { snapshots, changes }: NewsParts,
  since?: string | ((marketplaceId: string) => string | undefined),
): Promise<MarketplaceNews[]> {
  const given = source.kind === 'operation' ? source.parameters : {};
  const ids = Array.isArray(given.marketplaces)
    ? given.marketplaces.filter((id) => typeof id === 'string')
    : [];
  if (given.skus !== undefined || ids.length === 0) {
    if (since === undefined) return [];
    throw new InputError(
      'since compares whole reviews, and one of single SKUs leaves nothing to compare.',
      'Leave skus or since out.',
    );
  }
  const all = await snapshots.list();
  // The writes of all marketplaces are read once, and only if there is a review to compare with.
  const writes = lazy(() => readWrites(changes));
  return Promise.all(
    ids.map(async (id) => {
      const zone = marketplaceById(id)?.timeZone ?? 'UTC';
      const from = typeof since === 'string' ? momentOf(since, zone, Date.parse(collectedAt)) : since?.(id);
      const own = all.filter(
        ({ marketplaceId, at, isPart }) => marketplaceId === id && at <= collectedAt && !isPart,
      );
      return newsOf(id, { own, from, collectedAt, complete, notes, snapshots, writes });
    }),
  );
}

interface MarketplaceNewsParts {
  /** The snapshots, oldest first. */
  own: readonly Snapshot[];
  from: string | undefined;
  collectedAt: string;
  complete: boolean;
  /** The notes of the review. */
  notes: readonly string[];
  snapshots: NewsParts['snapshots'];
  writes(): Promise<WritesBySku>;
}

async function newsOf(
  id: string,
  { own, from, collectedAt, complete, notes, snapshots, writes }: MarketplaceNewsParts,
): Promise<MarketplaceNews> {
  const marketplace = marketplaceById(id)?.name ?? id;
  const news: MarketplaceNews = {
    marketplaceId: id,
    marketplace,
    changes: [],
    before: new Map(),
    after: new Map(),
  };
  const last = own.at(-1);
  const after = last?.at === collectedAt ? await snapshots.read(last) : undefined;
  if (after === undefined) {
    const why = notes.find((one) => one.startsWith(`${marketplace}: ${NOT_SOLD_THERE}`));
    const note = why?.slice(`${marketplace}: `.length, -1);
    const reason = complete ? 'this review could not be kept' : 'not all of its listings were read';
    return {
      ...news,
      note: note ?? `what is new is not known: ${reason}`,
      isUnknown: true,
    };
  }
  const earlier = own.slice(0, -1);
  const first = earlier[0];
  if (first === undefined) {
    const note = 'the first review that is kept; the next one tells what is new';
    return { ...news, note, after: after.states };
  }
  const wanted = from === undefined ? earlier : earlier.filter(({ at }) => at <= from);
  const before = await snapshots.read(wanted.at(-1) ?? first);
  if (before === undefined)
    return { ...news, note: 'the earlier review that is kept cannot be read', after: after.states };
  const isLater = from !== undefined && before.at > from;
  const note = isLater ? `the first review that is kept is of ${utcMinute(before.at)}` : undefined;
  const changes = await markOurs(
    compareStates(before.states, after.states),
    { marketplaceId: id, from: before.at, to: after.at },
    await writes(),
    () => readBetween(own, { before, after }, snapshots),
  );
  return {
    ...news,
    since: before.at,
    note,
    changes,
    before: before.states,
    after: after.states,
  };
}

// This part reads a day, a moment, or how long ago, as users write it.

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Each word means the beginning of a day so many days before today. */
const DAYS: Readonly<Record<string, number>> = { today: 0, yesterday: 1 };
const AGO = /^(\d{1,3}) ?(hours?|h|days?|d|weeks?|w)(?: ago)?$/;
const DAY_MS = 86_400_000;
const UNITS_MS: Readonly<Record<string, number>> = { h: DAY_MS / 24, d: DAY_MS, w: 7 * DAY_MS };

/**
 * Returns the moment in ISO 8601, UTC.
 * @param now milliseconds since the epoch, from which words count
 * @throws InputError
 */
export function momentOf(since: string, timeZone: string, now: number): string {
  const word = since.trim().toLowerCase();
  if (isDay(word)) return momentOfDay(word, timeZone, 'start');
  if (Object.hasOwn(DAYS, word)) {
    const today = Date.parse(localTime(now, timeZone).slice(0, 'yyyy-mm-dd'.length));
    const day = new Date(today - (DAYS[word] ?? 0) * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length);
    return momentOfDay(day, timeZone, 'start');
  }
  const [, count, unit = ''] = AGO.exec(word === 'last week' ? '7d' : word) ?? [];
  const time =
    count === undefined ? parseMoment(since) : now - Number(count) * (UNITS_MS[unit.charAt(0)] ?? 0);
  if (Number.isNaN(time)) {
    throw new InputError(
      `since is a day, a moment or how long ago, and ${quoteName(since)} is none of them.`,
      'Such as "yesterday", "7d", "2026-11-15", the beginning of that day there, or "2026-11-15T08:00:00Z".',
    );
  }
  return new Date(time).toISOString();
}

const parseMoment = (text: string) => (MOMENT.test(text) ? Date.parse(text) : Number.NaN);

// The writes of this server by SKU, each with the attributes and marketplaces that it may have changed.

interface OwnWrite {
  id: SqlValue;
  /** The id of the write that it has certainly undone; null for none. */
  undoes: SqlValue;
  at: string;
  operation: SqlValue;
  /** A missing marketplace or attribute may be any. */
  touched: readonly { attribute?: string; marketplaces?: readonly string[] }[];
}

type WritesBySku = ReadonlyMap<string, readonly OwnWrite[]>;

/** The outcomes after which a write may have changed something. */
const APPLIED: ReadonlySet<SqlValue | undefined> = new Set([
  'done',
  'accepted_not_visible',
  'requested',
  'partly_accepted',
  'unknown',
]);

/**
 * The attributes that affect a member of a review. The service checks a listing as a whole, so a change of
 * any attribute may suppress it or make it buyable; the other members that are not named here have no
 * attribute of their own.
 */
const MOVED_BY: Readonly<Partial<Record<ListingChange['member'], readonly string[]>>> = {
  price: ['purchasable_offer'],
  stock: ['fulfillment_availability'],
  // The featured offer depends on price and stock.
  featured: ['purchasable_offer', 'fulfillment_availability'],
};

/** A patch neither creates nor removes a listing; only the other writes do. */
const PATCH = /patchListingsItem$/;

/** The service shows a change some time after accepting it. */
const SHOWN_LATE_MS = 30 * 60_000;

const touchedSchema = z.array(z.object({ attribute: z.string(), marketplaces: z.array(z.string()) }));

const parametersSchema = z.object({ marketplaceIds: z.array(z.string()) });

async function readWrites(changes: NewsParts['changes']): Promise<WritesBySku> {
  const applied = (await changes()).rows.flatMap((row) => {
    const { sku, at, outcome, operation = null, id = null, undoes = null } = row;
    if (typeof sku !== 'string' || typeof at !== 'string' || !APPLIED.has(outcome)) return [];
    const touched = touchedBy(row);
    return [{ sku, id, at, operation, touched, undoes: outcome === 'done' ? undoes : null }];
  });
  return groupBy(applied, ({ sku }) => sku);
}

/** Returns the touched attributes; if values are not recorded, the parameters still name the marketplaces. */
function touchedBy({ touched, parameters }: ChangeRow): OwnWrite['touched'] {
  const kept = touchedSchema.safeParse(parseRow(touched));
  if (kept.success) return kept.data;
  const named = parametersSchema.safeParse(parseRow(parameters));
  return [named.success ? { marketplaces: named.data.marketplaceIds } : {}];
}

const parseRow = (value: SqlValue | undefined) => (typeof value === 'string' ? parseJson(value) : undefined);

function mayHaveMoved({ operation, touched }: OwnWrite, member: ListingChange['member'], place: string) {
  if (member === 'listing' && PATCH.test(String(operation))) return false;
  const movers = MOVED_BY[member];
  return touched.some(
    ({ attribute, marketplaces }) =>
      (marketplaces === undefined || marketplaces.includes(place)) &&
      (attribute === undefined || movers === undefined || movers.includes(attribute)),
  );
}

interface ReviewInterval {
  marketplaceId: string;
  from: string;
  to: string;
}

/** Leaves out a write that was undone meanwhile, and its undo, because the two have changed nothing. */
function withoutUndone(writes: readonly OwnWrite[], from: string): OwnWrite[] {
  const gone = new Set<SqlValue>();
  for (const { id, undoes } of writes) {
    const isMeanwhile = writes.some((one) => one.id === undoes && one.at > from);
    if (undoes !== null && isMeanwhile && !gone.has(undoes)) gone.add(undoes).add(id);
  }
  return writes.filter(({ id }) => !gone.has(id));
}

/**
 * Marks a change as ours if a write of this server to this listing, marketplace and member may have made it:
 * after the last review without it, and before the first with it.
 * @param reviews the reviews between, newest first, each with its moment and the changes that it did not have
 * yet
 */
async function markOurs(
  changes: readonly ListingChange[],
  { marketplaceId, ...between }: ReviewInterval,
  writes: WritesBySku,
  reviews?: () => AsyncIterable<{ at: string; missing: ReadonlySet<string> }>,
): Promise<ReviewedChange[]> {
  const isOurs = (change: ListingChange, { from, to }: Omit<ReviewInterval, 'marketplaceId'>) => {
    const begin = new Date(Date.parse(from) - SHOWN_LATE_MS).toISOString();
    const own = (writes.get(change.sku) ?? []).filter(({ at }) => at >= begin && at <= to);
    return withoutUndone(own, from).some((write) => mayHaveMoved(write, change.member, marketplaceId));
  };
  const spans = new Map(
    changes.filter((change) => isOurs(change, between)).map((one) => [keyOf(one), between]),
  );
  const open = new Set(spans.keys());
  if (open.size > 0 && reviews !== undefined) {
    for await (const { at, missing } of reviews()) {
      for (const key of open) {
        const span = spans.get(key) ?? between;
        if (missing.has(key)) open.delete(key);
        spans.set(key, missing.has(key) ? { ...span, from: at } : { ...span, to: at });
      }
      if (open.size === 0) break;
    }
  }
  return changes.map((change) => {
    const span = spans.get(keyOf(change));
    return { ...change, ours: span !== undefined && isOurs(change, span) };
  });
}

const keyOf = ({ sku, member }: ListingChange) => JSON.stringify([sku, member]);

/** Yields the reviews between two, newest first. */
async function* readBetween(
  own: readonly Snapshot[],
  { before, after }: Record<'before' | 'after', SnapshotContent>,
  snapshots: NewsParts['snapshots'],
) {
  for (const one of own.toReversed()) {
    if (one.at <= before.at || one.at >= after.at) continue;
    const content = await snapshots.read(one);
    if (content === undefined) continue;
    yield { at: one.at, missing: new Set(compareStates(content.states, after.states).map(keyOf)) };
  }
}

// All stored reviews are available as tables.

/** The columns of `listing_changes`. */
export const LISTING_CHANGE_COLUMNS = 'sku marketplace member old new currency seen before ours'.split(' ');

/** The columns of `reviews`. */
export const REVIEW_COLUMNS =
  'marketplace at listings suppressed_altogether hidden_from_search sold_out'.split(' ');

/** Max rows for one query, the newest. */
const MAX_ROWS = 200_000;

/** Returns every difference between consecutive reviews of a marketplace, newest first. */
export async function readListingChanges({ snapshots, changes }: NewsParts): Promise<SqlValue[][]> {
  const writes = await readWrites(changes);
  const rows: SqlValue[][] = [];
  const next = new Map<string, SnapshotContent>();
  for (const snapshot of (await snapshots.list()).toReversed()) {
    if (rows.length >= MAX_ROWS) break;
    const content = await snapshots.read(snapshot);
    if (content === undefined) continue;
    const later = next.get(snapshot.marketplaceId);
    next.set(snapshot.marketplaceId, content);
    if (later === undefined) continue;
    const all = compareStates(content.states, later.states);
    // The first known holder of a featured offer is no change.
    const known = all.filter(({ member, old }) => member !== 'featured' || old !== null);
    const found = await markOurs(
      known,
      { marketplaceId: snapshot.marketplaceId, from: content.at, to: later.at },
      writes,
    );
    for (const { sku, member, old, new: now, currency, ours } of found.slice(0, MAX_ROWS - rows.length)) {
      const { name } = later.marketplace;
      rows.push([sku, name, member, old, now, currency, later.at, content.at, Number(ours)]);
    }
    await yieldToEventLoop();
  }
  return rows;
}

/** Returns a row for each review of a marketplace, oldest first. */
export async function readReviews({ snapshots }: Pick<NewsParts, 'snapshots'>): Promise<SqlValue[][]> {
  const rows: SqlValue[][] = [];
  for (const snapshot of await snapshots.list()) {
    const content = snapshot.isPart ? undefined : await snapshots.read(snapshot);
    if (content === undefined) continue;
    const { marketplace, at, states } = content;
    const all = [...states.values()];
    const counted = (is: (state: (typeof all)[number]) => boolean) => all.filter(is).length;
    rows.push([
      marketplace.name,
      at,
      all.length,
      counted(({ suppressed }) => suppressed === 'altogether'),
      counted(({ suppressed }) => suppressed === 'search'),
      counted(({ stock }) => stock === 0),
    ]);
    await yieldToEventLoop();
  }
  return rows;
}
