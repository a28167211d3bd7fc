/** Two collections of one kind: what cannot be true is found, what chance brings is not. */

import { expect, it } from 'vitest';
import {
  compareCollections,
  findingsLine,
  findLast,
  kindOf,
  type PastCollection,
} from '../../../src/data/tables/compare-collections.ts';
import type { CollectionSource } from '../../../src/data/tables/table-types.ts';
import { createRandom } from '../../helpers/random.ts';

const ORDERS: Extract<CollectionSource, { kind: 'report' }> = {
  kind: 'report',
  reportType: 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
  marketplaces: ['A1PA6795UKMFR9'],
  start: '2026-11-02T00:00:00Z',
  end: '2026-11-16T00:00:00Z',
};
const DAY_MS = 86_400_000;
const LIMITS = { below: 0.5, fromRows: 20 };
const COLUMNS = ['order_id', 'purchase_date', 'sku', 'quantity', 'item_price', 'shipping_price'];

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

interface Row {
  day: string;
  price: number;
  quantity: number;
  shipping: number;
  country: string;
}

/** Returns what is stored of a collection with these rows for a comparison. */
function past(startDay: string, days: number, rows: readonly Row[], columns = COLUMNS): PastCollection {
  const end = Date.parse(startDay) + days * DAY_MS;
  const tally = (of: (row: Row) => string) => {
    const counts: Record<string, number> = {};
    for (const row of rows) counts[of(row)] = (counts[of(row)] ?? 0) + 1;
    return counts;
  };
  const measure = (column: string, of: (row: Row) => number) => ({
    column,
    nonzero: rows.filter((row) => of(row) !== 0).length,
    size: rows.reduce((sum, row) => sum + of(row), 0),
  });
  return {
    at: new Date(end).toISOString(),
    start: `${startDay}T00:00:00Z`,
    end: new Date(end).toISOString(),
    tables: [
      {
        suffix: '',
        columns,
        profile: {
          rows: rows.length,
          measures: [
            measure('quantity', ({ quantity }) => quantity),
            measure('item_price', ({ price }) => price),
            measure('shipping_price', ({ shipping }) => shipping),
          ].filter(({ column }) => columns.includes(column)),
          day: { column: 'purchase_date', rows: tally(({ day }) => day) },
        },
        marketplaces: tally(({ country }) => country),
      },
    ],
  };
}

/** So many rows of each day, every fourth of France. */
function rowsOf(startDay: string, days: number, each: number): Row[] {
  return Array.from({ length: days * each }, (_, at) => ({
    day: dayOf(Date.parse(startDay) + Math.floor(at / each) * DAY_MS),
    price: 10 + (at % 30),
    quantity: 1,
    shipping: at % 3 === 0 ? 4.99 : 0,
    country: at % 4 === 0 ? 'France' : 'Germany',
  }));
}

const BEFORE = past('2026-11-02', 14, rowsOf('2026-11-02', 14, 10));
const LATER = rowsOf('2026-11-16', 14, 10);
const HEADINGS = ['numer', 'data', 'sku', 'ilosc', 'cena', 'wysylka'];

const kindsOf = (now: PastCollection, before = BEFORE, source: CollectionSource = ORDERS, limits = LIMITS) =>
  compareCollections(source, now, before, { limits, isSameDays: true }).map(({ kind }) => kind);

it.each<[string, Row[], string[] | undefined, string[]]>([
  ['the same again', LATER, undefined, []],
  ['no rows', [], undefined, ['no rows']],
  ['a quarter of the rows', LATER.filter((_, at) => at % 4 === 1), undefined, ['fewer rows']],
  ['just half of the rows', LATER.filter((_, at) => at % 2 === 0), undefined, []],
  ['amounts of a third', LATER.map((row) => ({ ...row, price: row.price / 3 })), undefined, ['smaller sum']],
  ['a measure of zeros', LATER.map((row) => ({ ...row, quantity: 0 })), undefined, ['zero measure']],
  [
    'a week without rows',
    LATER.filter(({ day }) => day < '2026-11-20' || day > '2026-11-26'),
    undefined,
    ['days without rows'],
  ],
  [
    'one country of two',
    LATER.filter(({ country }) => country === 'Germany'),
    undefined,
    ['marketplace without rows'],
  ],
  ['a column less', LATER, COLUMNS.slice(0, 5), ['columns gone']],
  ['a column more', LATER, [...COLUMNS, 'promotion'], ['columns new']],
  ['headings of another language', LATER, HEADINGS, ['other headings']],
])('finds in %s what it is', (_what, rows, columns, kinds) => {
  const found = kindsOf(past('2026-11-16', 14, rows, columns));
  for (const kind of kinds) expect(found).toContain(kind);
  if (kinds.length === 0) expect(found).toEqual([]);
  if (kinds.length > 0) expect(found[0]).toBe(kinds[0]);
});

it('tells nothing of one that is the same and begins with days without rows', () => {
  const rows = rowsOf('2026-11-02', 28, 10).filter(({ day }) => day > '2026-11-04');
  const same = past('2026-11-02', 28, rows);
  expect(kindsOf(same, same)).toEqual([]);
  const gap = rows.filter(({ day }) => day < '2026-11-06' || day > '2026-11-10');
  expect(kindsOf(past('2026-11-02', 28, gap), same)).toContain('days without rows');
});

it('tells the figures of both collections in one line', () => {
  const now = past('2026-11-16', 14, LATER.slice(0, 30));
  const options = { limits: LIMITS, isSameDays: true };
  const line = findingsLine(compareCollections(ORDERS, now, BEFORE, options), BEFORE) ?? '';
  for (const figure of ['30', '140', '2026-11-16']) expect(line).toContain(figure);
  expect(line).not.toContain('\n');
});

it('says nothing of sizes below 20 rows', () => {
  const before = past('2026-11-02', 14, LATER.slice(0, 19));
  expect(kindsOf(past('2026-11-16', 14, LATER.slice(0, 4)), before)).toEqual([]);
});

it('tells by the limits of the settings when rows and sums are too few', () => {
  const fewer = past(
    '2026-11-16',
    14,
    LATER.filter((_, at) => at % 5 < 3),
  );
  const cheaper = past(
    '2026-11-16',
    14,
    LATER.map((row) => ({ ...row, price: row.price * 0.6 })),
  );
  const small = past('2026-11-02', 14, LATER.slice(0, 10));
  const smaller = past('2026-11-16', 14, LATER.slice(0, 3));
  expect(kindsOf(fewer)).toEqual([]);
  expect(kindsOf(cheaper)).toEqual([]);
  expect(kindsOf(smaller, small)).toEqual([]);
  const above = { below: 0.7, fromRows: 20 };
  expect(kindsOf(fewer, BEFORE, ORDERS, above)).toContain('fewer rows');
  expect(kindsOf(cheaper, BEFORE, ORDERS, above)).toEqual(['smaller sum']);
  expect(kindsOf(smaller, small, ORDERS, { below: 0.5, fromRows: 5 })).toContain('fewer rows');
  const quarter = past(
    '2026-11-16',
    14,
    LATER.filter((_, at) => at % 4 === 1),
  );
  expect(kindsOf(quarter, BEFORE, ORDERS, { below: 0.1, fromRows: 200 })).toEqual([]);
});

it('takes members that occur in some answers for no columns', () => {
  const source: CollectionSource = { kind: 'operation', operation: 'orders/getOrders', parameters: {} };
  const now = past('2026-11-16', 14, LATER, COLUMNS.slice(1));
  expect(kindsOf(now, BEFORE, source)).toEqual([]);
});

it.each<[string, CollectionSource, CollectionSource, boolean]>([
  ['other times', ORDERS, { ...ORDERS, start: '2026-11-16T00:00:00Z', end: undefined }, true],
  ['another marketplace', ORDERS, { ...ORDERS, marketplaces: ['A13V1IB3VIYZZH'] }, false],
  ['another option', ORDERS, { ...ORDERS, options: { aggregate: 'DAY' } }, false],
  [
    'an interval',
    { kind: 'operation', operation: 'a', parameters: { interval: '2026-11-01T00:00Z--2026-11-08T00:00Z' } },
    { kind: 'operation', operation: 'a', parameters: { interval: '2026-11-08T00:00Z--2026-11-15T00:00Z' } },
    true,
  ],
  [
    'a time of something else',
    { kind: 'operation', operation: 'a', parameters: { createdAfter: '2026-11-01' } },
    { kind: 'operation', operation: 'a', parameters: { lastUpdatedAfter: '2026-11-01' } },
    false,
  ],
])('judges by %s whether two are of one kind', (_what, one, other, isSame) => {
  const [kind, another] = [kindOf(one)?.kind, kindOf(other)?.kind].map((of) => JSON.stringify(of));
  expect(kind === another).toBe(isSame);
});

it('takes documents of Data Kiosk for one kind by their query without its days, else by their columns', () => {
  const kiosk = { kind: 'document', id: 'D1', of: 'data-kiosk' } as const;
  const query = (from: string, to: string, more = '') =>
    `query { economics(startDate: "${from}"\n  endDate: "${to}"${more}) { sales { netUnitsSold } } }`;
  const of = (text: string) => kindOf(kiosk, { query: text });
  const [one, next] = [
    of(query('2026-11-01', '2026-11-07')),
    of(query('2026-11-08', '2026-11-14').replace(/\n/, ' ')),
  ];
  expect(next).toMatchObject({ kind: one?.kind, start: '2026-11-08', end: '2026-11-15T00:00:00.000Z' });
  expect(of(query('2026-11-01', '2026-11-07', ' marketplaceIds: ["A"]'))?.kind).not.toEqual(one?.kind);
  const byColumns = (...columns: string[]) => kindOf(kiosk, { columns });
  expect(byColumns('a', 'b')).toEqual(byColumns('a', 'b'));
  expect(byColumns('a', 'b')).not.toEqual(byColumns('a', 'c'));
  expect(byColumns()).toBeUndefined();
});

it('compares periods of about the same length, and short ones by their weekdays', () => {
  const of = (day: string, days: number) => past(day, days, rowsOf(day, days, 10));
  const earlier = [of('2026-11-02', 14), of('2026-11-09', 2), of('2026-11-14', 2)];
  expect(findLast(of('2026-11-16', 16), earlier)?.last).toBe(earlier[0]);
  expect(findLast(of('2026-11-16', 20), earlier)).toBeUndefined();
  expect(findLast(of('2026-11-16', 2), earlier)).toEqual({ last: earlier[1], isSameDays: true });
  expect(findLast(of('2026-11-17', 2), earlier)).toEqual({ last: earlier[2], isSameDays: false });
});

it('looks past a collection without rows, and no further than two', () => {
  const empty = (day: string) => past(day, 14, []);
  const full = past('2026-08-03', 14, LATER);
  const empties = ['2026-08-17', '2026-08-31', '2026-09-14'].map(empty);
  expect(findLast(empty('2026-10-12'), [full, ...empties.slice(0, 2)])?.last).toBe(full);
  expect(findLast(empty('2026-10-12'), [full, ...empties])).toBeUndefined();
});

// Histories as sellers have them: orders by chance, weekends, growth, prices of all sizes.

/** Share of a week's orders on each weekday, Sunday first. */
const WEEK = [0.8, 1.1, 1.1, 1.05, 1.05, 1.1, 0.8];

function poisson(random: () => number, mean: number): number {
  const limit = Math.exp(-mean);
  let product = random();
  let drawn = 0;
  for (; product > limit; drawn++) product *= random();
  return drawn;
}

function history(random: () => number, days: number, periods: number) {
  const perDay = 1 + random() ** 2 * 60;
  const growth = 0.97 + random() * 0.06;
  return Array.from({ length: periods }, (_, period) => {
    const start = Date.parse('2026-01-05') + period * days * DAY_MS;
    const rows: Row[] = [];
    for (let day = 0; day < days; day++) {
      const at = start + day * DAY_MS;
      const mean = perDay * growth ** period * (WEEK[new Date(at).getUTCDay()] ?? 1);
      for (let left = poisson(random, mean); left > 0; left--) {
        rows.push({
          day: dayOf(at),
          price: 5 + 40 * random() ** 2,
          quantity: random() < 0.1 ? 2 : 1,
          shipping: random() < 0.3 ? 4.99 : 0,
          country: random() < 0.2 ? 'France' : 'Germany',
        });
      }
    }
    return { day: dayOf(start), rows };
  });
}

// Measured: 3 of 1,036 for a day, 3 of 1,040 for one and for two weeks, 5 of 1,040 for 30 days.
it.each([1, 7, 14, 30])('raises at most one false alarm in 100 collections of %i days', (days) => {
  const random = createRandom(days);
  let compared = 0;
  let alarms = 0;
  for (let seller = 0; seller < 80; seller++) {
    const earlier: PastCollection[] = [];
    for (const { day, rows } of history(random, days, 14)) {
      const now = past(day, days, rows);
      const found = findLast(now, earlier.slice(-10));
      earlier.push(now);
      if (found === undefined) continue;
      compared += 1;
      const findings = compareCollections(ORDERS, now, found.last, {
        limits: LIMITS,
        isSameDays: found.isSameDays,
      });
      // A seller of one or two a day has days without rows, so the last day with rows is reported as a fact.
      if (findings.some(({ kind }) => kind === 'no rows')) {
        expect(found.last.tables[0]?.profile.rows).toBeLessThan(12);
      } else if (findings.length > 0) alarms += 1;
    }
  }
  expect(compared).toBeGreaterThan(500);
  expect(alarms / compared).toBeLessThanOrEqual(0.01);
});

it('finds what is broken in any history of some 20 rows a week and more', () => {
  const random = createRandom(46);
  const missed: string[] = [];
  let tried = 0;
  for (let seller = 0; seller < 60; seller++) {
    const days = seller % 2 === 0 ? 14 : 28;
    const [before, after] = history(random, days, 2);
    if (before === undefined || after === undefined || before.rows.length < 3 * days) continue;
    const last = past(before.day, days, before.rows);
    const week = Date.parse(after.day) + 4 * DAY_MS;
    const isInWeek = ({ day }: Row) => Date.parse(day) >= week && Date.parse(day) < week + 7 * DAY_MS;
    const broken: Record<string, PastCollection> = {
      quartered: past(
        after.day,
        days,
        after.rows.filter((_, at) => at % 4 === 0),
      ),
      zeroed: past(
        after.day,
        days,
        after.rows.map((row) => ({ ...row, quantity: 0 })),
      ),
      'a week less': past(
        after.day,
        days,
        after.rows.filter((row) => !isInWeek(row)),
      ),
      renamed: past(after.day, days, after.rows, HEADINGS),
    };
    for (const [fault, now] of Object.entries(broken)) {
      tried += 1;
      if (kindsOf(now, last).length === 0) missed.push(`${fault} of seller ${seller}`);
    }
  }
  expect(tried).toBeGreaterThan(100);
  expect(missed).toEqual([]);
});
