/** The difference between two reviews tells every change once and misses none. */

import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  compareStates,
  type ListingChange,
  type ListingStates,
  type ReviewedListingState,
} from '../../../src/data/review/compare-states.ts';
import { describeNews } from '../../../src/data/review/describe-news.ts';
import {
  compareWithEarlierReview,
  momentOf,
  readListingChanges,
  readReviews,
} from '../../../src/data/review/review-changes.ts';
import { Snapshots } from '../../../src/data/review/snapshots.ts';
import type { ChangeRow, CollectionSource } from '../../../src/data/tables/table-types.ts';
import { marketplaces } from '../../../src/service/facts/marketplaces.ts';
import { execute, sql } from '../../../src/store/statement.ts';
import { comparisonsBeside } from '../../helpers/leases.ts';
import { makeTestFolder } from '../../helpers/tables-worker.ts';

const DE = { id: 'A1PA6795UKMFR9', name: 'Germany' };
const FR = { id: 'A13V1IB3VIYZZH', name: 'France' };
const START = Date.parse('2026-11-20T08:00:00.000Z');
const HOUR = 3_600_000;

const PLAIN: ReviewedListingState = {
  suppressed: null,
  causes: [],
  price: 10,
  currency: 'EUR',
  stock: 3,
  buyable: 1,
  featured: null,
};

const state: fc.Arbitrary<ReviewedListingState> = fc.record({
  suppressed: fc.constantFrom(null, 'search', 'altogether'),
  causes: fc.uniqueArray(fc.constantFrom('8541', '90220 weight', '18027'), { maxLength: 3 }),
  price: fc.constantFrom(null, 0, 9.99, 10),
  currency: fc.constantFrom(null, 'EUR', 'SEK'),
  stock: fc.constantFrom(null, 0, 1, 3),
  buyable: fc.constantFrom(null, 0, 1),
  featured: fc.constantFrom(null, 0, 1),
});

const states: fc.Arbitrary<ListingStates> = fc
  .dictionary(fc.constantFrom('A', 'B b', 'C«', '__proto__', '4'), state)
  .map((all) => new Map(Object.entries(all)));

/** Applies the changes to the earlier states, and returns the resulting members by SKU. */
function applyChanges(
  before: ListingStates,
  changes: readonly ListingChange[],
): Map<string, Map<string, unknown>> {
  const valuesOf = ({ causes, currency: _, ...rest }: ReviewedListingState) =>
    new Map<string, unknown>([...Object.entries(rest), ['causes', causes.join('; ') || null]]);
  const all = new Map([...before].map(([sku, one]) => [sku, valuesOf(one)]));
  for (const { sku, member, old, new: now } of changes) {
    if (member === 'listing' && now === null) all.delete(sku);
    else if (member === 'listing') all.set(sku, new Map());
    else {
      expect(all.get(sku)?.get(member)).toEqual(old);
      all.get(sku)?.set(member, now);
    }
  }
  return all;
}

it('differences lead from any states to any others: none missed, none twice', () => {
  fc.assert(
    fc.property(states, states, (before, after) => {
      const changes = compareStates(before, after);
      const reached = applyChanges(before, changes);
      const meant = applyChanges(after, []);
      expect([...reached.keys()].sort()).toEqual([...meant.keys()].sort());
      for (const [sku, values] of reached) if (before.has(sku)) expect(values).toEqual(meant.get(sku));
      const keys = changes.map(({ sku, member }) => JSON.stringify([sku, member]));
      expect(new Set(keys).size).toBe(keys.length);
      expect(compareStates(after, after)).toEqual([]);
    }),
  );
});

async function open(more: { keepDays?: number } = {}) {
  const clock = { time: START };
  const comparisons = comparisonsBeside(await makeTestFolder());
  const snapshots = new Snapshots({
    comparisons,
    account: 'default',
    now: () => clock.time,
    keepDays: 90,
    ...more,
  });
  let writes: ChangeRow[] = [];
  const parts = { snapshots, changes: async () => ({ rows: writes, leftOut: 0 }) };
  const infoOf = (at: string, skus?: string[], notes: string[] = []) => ({
    collectedAt: at,
    notes,
    source: {
      kind: 'operation' as const,
      operation: 'review_listings',
      parameters: { marketplaces: [DE.id], skus },
    },
  });
  return {
    clock,
    comparisons,
    snapshots,
    parts,
    write: (...rows: ChangeRow[]) => {
      writes = rows;
    },
    async review(listings: Record<string, Partial<ReviewedListingState>>, marketplace = DE) {
      const at = new Date(clock.time).toISOString();
      const all = Object.entries(listings).map(([sku, one]) => [sku, { ...PLAIN, ...one }] as const);
      await snapshots.keep({ marketplace, at, states: new Map(all) });
      return infoOf(at);
    },
    infoOf,
    async line(info: ReturnType<typeof infoOf>, since?: string) {
      const news = await compareWithEarlierReview(info, parts, since);
      const { lines, data } = describeNews(news, { mostSkus: 3, clean: (text) => text });
      expect(JSON.stringify(data)).not.toContain('undefined');
      return lines[0];
    },
  };
}

it('a difference came after a write from here where one of that listing may have changed it, in that time', async () => {
  const MINUTE = 60_000;
  const write = fc.record({
    sku: fc.constantFrom('A', 'B'),
    // Half an hour before a review it may have been too early to show; one is made each hour.
    minute: fc.constantFrom(-31, -30, -29, 0, 29, 30, 31, 60, 61, 89, 90, 120, 121, 180, 181),
    outcome: fc.constantFrom(
      'done',
      'accepted_not_visible',
      'partly_accepted',
      'unknown',
      'failed',
      'refused',
    ),
  });
  const anyReviews = fc
    .integer({ min: 2, max: 4 })
    .chain((count) =>
      fc.record({ count: fc.constant(count), changed: fc.integer({ min: 1, max: count - 1 }) }),
    );
  await fc.assert(
    fc.asyncProperty(fc.array(write, { maxLength: 3 }), anyReviews, async (writes, { count, changed }) => {
      const reviews = Array.from({ length: count }, (_, hour) => {
        const at = new Date(START + hour * HOUR).toISOString();
        const stock = Number(hour >= changed);
        const states = new Map(['A', 'B'].map((sku) => [sku, { ...PLAIN, stock }]));
        return {
          at,
          marketplaceId: DE.id,
          isPart: false,
          content: { marketplace: DE, at, states },
        };
      });
      const rowsOf = () =>
        writes.map(({ minute, ...one }) => ({ ...one, at: new Date(START + minute * MINUTE).toISOString() }));
      const parts = {
        snapshots: {
          list: async () => reviews,
          read: async ({ at }: { at: string }) => reviews.find((one) => one.at === at)?.content,
        },
        changes: async () => ({ rows: rowsOf(), leftOut: 0 }),
      };
      const isOurs = (sku: string) =>
        writes.some(
          (one) =>
            one.sku === sku &&
            one.minute >= 60 * (changed - 1) - 30 &&
            one.minute <= 60 * changed &&
            !['failed', 'refused'].includes(one.outcome),
        );
      const source: CollectionSource = {
        kind: 'operation',
        operation: 'review_listings',
        parameters: { marketplaces: [DE.id] },
      };
      const [first, last] = [reviews[0]?.at ?? '', reviews.at(-1)?.at ?? ''];
      const [news] = await compareWithEarlierReview({ source, collectedAt: last, notes: [] }, parts, first);
      expect(news?.changes.map(({ sku, ours }) => [sku, ours])).toEqual(
        ['A', 'B'].map((sku) => [sku, isOurs(sku)]),
      );
      const rows = await readListingChanges(parts);
      expect(rows.map((row) => [row[0], row.at(-1)])).toEqual(
        ['A', 'B'].map((sku) => [sku, Number(isOurs(sku))]),
      );
    }),
    { numRuns: 100 },
  );
});

interface Touched {
  attribute: string;
  marketplaces: string[];
}

/** Which members of listing A are told as ours, by marketplace, after these writes: in reviews and in the table. */
async function oursAfter(writes: readonly { operation?: string; touched: readonly Touched[] }[]) {
  const shop = await open();
  const changed = { price: 8, stock: 1, buyable: 0, suppressed: 'search', causes: ['1'], featured: 1 };
  for (const each of [DE, FR]) await shop.review({ A: { featured: 0 } }, each);
  const at = new Date(START + HOUR / 2).toISOString();
  const rows = writes.map(({ touched, ...one }) => ({ ...one, sku: 'A', at, outcome: 'done' }));
  shop.write(...rows.map((row, index) => ({ ...row, touched: JSON.stringify(writes[index]?.touched) })));
  shop.clock.time += HOUR;
  const infos = [await shop.review({ A: changed }), await shop.review({ A: changed }, FR)];
  const source = {
    kind: 'operation' as const,
    operation: 'review_listings',
    parameters: { marketplaces: [DE.id, FR.id] },
  };
  const news = await compareWithEarlierReview(
    { source, collectedAt: infos[0]?.collectedAt ?? '', notes: [] },
    shop.parts,
  );
  const reported = news.flatMap(({ marketplace, changes }) =>
    changes.filter(({ ours }) => ours).map(({ member }) => `${marketplace} ${member}`),
  );
  const table = (await readListingChanges(shop.parts))
    .filter((row) => row.at(-1) === 1)
    .map(([, each, member]) => `${each} ${member}`);
  expect(table.sort()).toEqual(reported.toSorted());
  return new Set(reported);
}

it('a change is ours only in the marketplace and the member that a write from here changed', async () => {
  const title = await oursAfter([{ touched: [{ attribute: 'item_name', marketplaces: [DE.id] }] }]);
  const positionsOf = (ours: ReadonlySet<string>, member: string) =>
    ['Germany', 'France'].filter((each) => ours.has(`${each} ${member}`));
  expect(positionsOf(title, 'price')).toEqual([]);
  expect(positionsOf(title, 'suppressed')).toEqual(['Germany']);
  const price = await oursAfter([{ touched: [{ attribute: 'purchasable_offer', marketplaces: [DE.id] }] }]);
  expect(positionsOf(price, 'price')).toEqual(['Germany']);
  expect(positionsOf(price, 'stock')).toEqual([]);
});

it('over any writes, what is ours is what one of them may have moved there', async () => {
  const touched = fc.record({
    attribute: fc.constantFrom('item_name', 'purchasable_offer', 'fulfillment_availability', 'brand'),
    marketplaces: fc.subarray([DE.id, FR.id]),
  });
  const movers: Readonly<Record<string, readonly string[]>> = {
    price: ['purchasable_offer'],
    stock: ['fulfillment_availability'],
    featured: ['purchasable_offer', 'fulfillment_availability'],
  };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(touched, { maxLength: 3 }), { maxLength: 3 }), async (writes) => {
      const all = writes.flat();
      const meant = [DE, FR].flatMap(({ id, name }) =>
        ['suppressed', 'causes', 'price', 'stock', 'buyable', 'featured']
          .filter((member) =>
            all.some(
              ({ attribute, marketplaces: places }) =>
                places.includes(id) && (movers[member]?.includes(attribute) ?? true),
            ),
          )
          .map((member) => `${name} ${member}`),
      );
      expect(await oursAfter(writes.map((one) => ({ touched: one })))).toEqual(new Set(meant));
    }),
    { numRuns: 20 },
  );
});

it('a write whose values are not kept counts in the marketplaces of its parameters', async () => {
  const shop = await open();
  await shop.review({ A: {} });
  await shop.review({ A: {} }, FR);
  const parameters = JSON.stringify({ sku: 'A', marketplaceIds: [DE.id] });
  shop.write({ sku: 'A', at: new Date(START).toISOString(), outcome: 'done', parameters });
  shop.clock.time += HOUR;
  await shop.review({ A: { price: 8 } });
  await shop.review({ A: { price: 8 } }, FR);
  const rows = await readListingChanges(shop.parts);
  expect(new Map(rows.map((row) => [row[1], row.at(-1)]))).toEqual(
    new Map([
      ['Germany', 1],
      ['France', 0],
    ]),
  );
});

it('tells what is worse with its money, what is better, new and gone, and what came after a write from here', async () => {
  const shop = await open();
  await shop.review({
    A: {},
    B: { suppressed: 'altogether', causes: ['8541'] },
    C: { stock: 0 },
    D: {},
    E: {},
  });
  shop.clock.time += 24 * HOUR;
  shop.write(
    { sku: 'D', at: new Date(START + HOUR).toISOString(), outcome: 'done' },
    { sku: 'E', at: new Date(START + HOUR).toISOString(), outcome: 'failed' },
    { sku: 'A', at: new Date(START - HOUR).toISOString(), outcome: 'done' },
  );
  const info = await shop.review({
    A: { suppressed: 'search', causes: ['90220 weight'], price: 20 },
    B: {},
    C: {},
    D: { price: 11, stock: 0 },
    F: {},
  });
  expect(await shop.line(info)).toBe(
    'Germany, since 2026-11-20T08:00Z: 1 has new or more suppression (60.00 EUR of inventory): A (hidden from search: «90220 weight»); 1 is gone: E; 1 sold out (1 after a write from here): D (3 -> 0); 2 have other prices (1 after a write from here): A (10.00 -> 20.00 EUR), D (10.00 -> 11.00 EUR); 1 has less or no suppression (30.00 EUR of inventory): B (not suppressed now); 1 is in stock again: C (0 -> 3); 1 is new: F.',
  );
});

it('a write that was undone meanwhile has moved nothing, and what does it again has', async () => {
  const shop = await open();
  await shop.review({ A: {} });
  const row = (id: string, minutes: number, undoes: string | null) => {
    return { id, sku: 'A', at: new Date(START + minutes * 60_000).toISOString(), outcome: 'done', undoes };
  };
  const oursNow = async () => (await readListingChanges(shop.parts)).map((change) => change.at(-1));
  const undone = [row('one', 10, null), row('two', 20, 'one')];
  shop.write(...undone);
  shop.clock.time += HOUR;
  await shop.review({ A: { price: 8 } });
  expect(await oursNow()).toEqual([0]);
  shop.write(...undone, row('three', 30, 'two'));
  expect(await oursNow()).toEqual([1]);
});

it('a listing that is suppressed by something more is worse, by something less is not', async () => {
  const shop = await open();
  await shop.review({
    A: { suppressed: 'altogether', causes: ['1'] },
    B: { suppressed: 'altogether', causes: ['1', '2'] },
  });
  shop.clock.time += HOUR;
  const info = await shop.review({
    A: { suppressed: 'altogether', causes: ['1', '3'] },
    B: { suppressed: 'altogether', causes: ['2'] },
  });
  expect(await shop.line(info)).toContain(
    '1 has new or more suppression (30.00 EUR of inventory): A (suppressed: 1, 3).',
  );
});

it('reads what was written from here only where there is a review to compare with', async () => {
  const shop = await open();
  let asked = 0;
  const changes = async () => {
    asked += 1;
    return { rows: [], leftOut: 0 };
  };
  const parts = { ...shop.parts, changes };
  await compareWithEarlierReview(await shop.review({ A: {} }), parts);
  expect(asked).toBe(0);
  shop.clock.time += HOUR;
  await compareWithEarlierReview(await shop.review({ A: {} }), parts);
  expect(asked).toBe(1);
});

it('says what it compares with: the first, another than asked for, none that can be read, none of this one', async () => {
  const shop = await open();
  const first = await shop.review({ A: {} });
  expect(await shop.line(first)).toBe(
    'Germany: the first review that is kept; the next one tells what is new.',
  );
  shop.clock.time += 24 * HOUR;
  const second = await shop.review({ A: {} });
  expect(await shop.line(second)).toBe('Germany, since 2026-11-20T08:00Z: nothing is new.');
  shop.clock.time += 24 * HOUR;
  const third = await shop.review({ A: { price: 11 } });
  expect(await shop.line(third)).toContain('since 2026-11-21T08:00Z: 1 has another price: A (');
  // Snapshots of that day itself are later than its beginning.
  expect(await shop.line(third, '2026-11-21')).toContain('since 2026-11-20T08:00Z: 1 has');
  expect(await shop.line(third, '2026-11-21T08:00:00Z')).toContain('since 2026-11-21T08:00Z: 1 has');
  expect(await shop.line(third, '2026-01-01')).toContain(
    'since 2026-11-20T08:00Z (the first review that is kept is of 2026-11-20T08:00Z): 1 has',
  );
  const missing = shop.infoOf(new Date(START + 99 * HOUR).toISOString());
  expect(await shop.line(missing)).toContain('what is new is not known: this review could not be kept');
  const elsewhere = 'Germany: this account does not sell there, so there are no listings. It sells in Japan.';
  expect(await shop.line(shop.infoOf(missing.collectedAt, undefined, ['More.', elsewhere]))).toBe(elsewhere);
  expect(await compareWithEarlierReview(shop.infoOf(third.collectedAt, ['A']), shop.parts)).toEqual([]);
  await expect(
    compareWithEarlierReview(shop.infoOf(third.collectedAt, ['A']), shop.parts, '2026-11-20'),
  ).rejects.toThrow('since compares whole reviews');
});

it('a review of a later version is not read, and the next one tells what is new since this one', async () => {
  const shop = await open();
  await shop.review({ A: { price: 1 } });
  const later = gzipSync('[["A", {}]]').toString('base64');
  await shop.comparisons.run(() => execute(sql`UPDATE snapshots SET listings = ${later}`));
  shop.clock.time += HOUR;
  const info = await shop.review({ A: { price: 2 } });
  expect(await shop.line(info)).toContain('the earlier review that is kept cannot be read');
  expect(await readReviews(shop.parts)).toHaveLength(1);
  shop.clock.time += HOUR;
  const next = await shop.review({ A: { price: 3 } });
  expect(await shop.line(next)).toContain('since 2026-11-20T09:00Z: 1 has another price: A (');
});

it('a clock that went back compares with what was before, and loses nothing', async () => {
  const shop = await open();
  await shop.review({ A: { price: 1 } });
  shop.clock.time += 10 * HOUR;
  await shop.review({ A: { price: 2 } });
  shop.clock.time -= 5 * HOUR;
  const info = await shop.review({ A: { price: 3 } });
  expect(await shop.line(info)).toContain('since 2026-11-20T08:00Z: 1 has another price: A (');
  expect(await readReviews(shop.parts)).toHaveLength(3);
});

it('listing_changes has every difference of reviews that follow each other, each marketplace by itself', async () => {
  const shop = await open();
  await shop.review({ A: {} });
  await shop.review({ A: { price: 99 } }, FR);
  shop.clock.time += HOUR;
  await shop.review({ A: { price: 12 }, B: {} });
  shop.clock.time += HOUR;
  await shop.review({ A: { price: 12, stock: 0 }, B: {} });
  const [first, second, third] = [0, 1, 2].map((hours) => new Date(START + hours * HOUR).toISOString());
  expect(await readListingChanges(shop.parts)).toEqual([
    ['A', 'Germany', 'stock', 3, 0, null, third, second, 0],
    ['A', 'Germany', 'price', 10, 12, 'EUR', second, first, 0],
    ['B', 'Germany', 'listing', null, 'there', null, second, first, 0],
  ]);
  expect(await readReviews(shop.parts)).toContainEqual(['Germany', third, 2, 0, 0, 1]);
});

it('what a collection has seen of some members is a change at its time, no review, and nothing is unsaid by it', async () => {
  const shop = await open();
  const part = (seen: Record<string, Partial<ReviewedListingState>>) => {
    shop.clock.time += HOUR;
    return shop.snapshots.keepPart(
      DE.id,
      new Date(shop.clock.time).toISOString(),
      new Map(Object.entries(seen)),
    );
  };
  await part({ A: { stock: 0 } });
  expect(await shop.snapshots.list()).toEqual([]);
  await shop.review({ A: {}, B: {} });
  await part({ A: { featured: 1 }, B: { featured: 1 }, X: { stock: 1 } });
  await part({ A: { stock: 0 }, B: { featured: 0 } });
  shop.clock.time += HOUR;
  const news = await shop.line(await shop.review({ A: { stock: 0 }, B: { price: 11 } }));
  // Compared with the review before: what was seen between is told now.
  expect(news).toContain('1 sold out: A');
  expect(news).toContain('1 has another price: B');
  const rows = (await readListingChanges(shop.parts)).map(([sku, , member, old, now]) => [
    sku,
    member,
    old,
    now,
  ]);
  expect(rows.sort()).toEqual([
    ['A', 'stock', 3, 0],
    ['B', 'featured', 1, 0],
    ['B', 'price', 10, 11],
  ]);
  expect(await readReviews(shop.parts)).toHaveLength(2);
});

it('words are counted from now, and days from where the marketplace is', () => {
  // Saturday evening in Los Angeles, Sunday in Berlin.
  const now = Date.parse('2026-11-29T04:30:00Z');
  const LA = 'America/Los_Angeles';
  const expectations: [string, string, string][] = [
    ['today', LA, '2026-11-28T08:00:00Z'],
    ['Yesterday', LA, '2026-11-27T08:00:00Z'],
    ['yesterday', 'Europe/Berlin', '2026-11-27T23:00:00Z'],
    ['7d', LA, '2026-11-22T04:30:00Z'],
    ['last week', LA, '2026-11-22T04:30:00Z'],
    ['2 weeks ago', LA, '2026-11-15T04:30:00Z'],
    ['12 hours', LA, '2026-11-28T16:30:00Z'],
  ];
  for (const [word, zone, moment] of expectations)
    expect(Date.parse(momentOf(word, zone, now)), word).toBe(Date.parse(moment));
});

it('a day begins where the marketplace is, also where summer time begins or ends, and one that does not exist is refused', () => {
  const zones = [...new Set(marketplaces().map(({ timeZone }) => timeZone)), 'UTC', 'America/Santiago'];
  const format = (timeZone: string) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  for (const zone of zones) {
    const local = format(zone);
    for (
      let day = Date.parse('2026-01-01T00:00:00Z');
      day < Date.parse('2027-12-31T00:00:00Z');
      day += 24 * HOUR
    ) {
      const date = new Date(day).toISOString().slice(0, 10);
      const start = Date.parse(momentOf(date, zone, 0));
      expect(local.format(start).slice(0, 10)).toBe(date);
      expect(local.format(start - 1).slice(0, 10)).not.toBe(date);
    }
  }
  for (const wrong of [
    '2026-02-30',
    'tomorrow',
    '7 fortnights',
    'd',
    '2026-11-15T08:00',
    '20261115',
    '2026-11-15 08:00Z',
    '+002026-11-15T08:00:00Z',
  ]) {
    expect(() => momentOf(wrong, 'Europe/Berlin', 0)).toThrow('since is a day, a moment or how long ago');
  }
});
