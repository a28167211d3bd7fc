/** Tests how causes are grouped: each counts its listings and money once, the worst first. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Cause,
  formatMoney,
  formatNeededValue,
  groupCauses,
  keyOf,
  roundToCents,
  soonestFirst,
  worstFirst,
} from '../../../src/data/review/causes.ts';

type Rows = Parameters<typeof groupCauses>[0];

const row = fc.record({
  cause: fc.constantFrom('a', 'b', 'c'),
  effect: fc.constantFrom('altogether', 'search'),
  severity: fc.constantFrom('ERROR', null),
  marketplace: fc.constantFrom('DE', 'FR'),
  listings: fc.integer({ min: 1, max: 9 }),
  amount: fc.option(fc.integer({ min: 1, max: 900 }), { nil: null }),
  currency: fc.option(fc.constantFrom('EUR', 'SEK'), { nil: null }),
  first_until: fc.option(fc.constantFrom('2026-11-20T01:00:00Z', '2026-12-01T00:00:00Z'), { nil: null }),
  last_until: fc.option(fc.constantFrom('2026-12-24T23:00:00Z', '2027-01-01T00:00:00Z'), { nil: null }),
});
const toRow = (one: typeof row extends fc.Arbitrary<infer Made> ? Made : never): Rows[number] => ({
  code: one.cause,
  attributes: 'brand',
  categories: 'X, Y',
  message: `words ${one.cause}`,
  once: one.amount,
  ...one,
});
it('each cause has all of its rows, by marketplace, and nothing of another', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), (given) => {
      const rows = given.map(toRow);
      const skus = rows.map(({ cause, effect, severity, marketplace }, at) => ({
        cause,
        effect,
        severity,
        marketplace,
        sku: `S${at}`,
        until: at % 2 === 0 ? '2026-11-20T01:00:00Z' : null,
      }));
      const causes = groupCauses(rows, [...skus, { ...skus[0], cause: 'other' } as (typeof skus)[number]]);
      const keys = [...new Set(rows.map(keyOf))];
      expect(causes.map(({ key }) => key)).toEqual(keys);
      for (const cause of causes) {
        const own = rows.filter((one) => keyOf(one) === cause.key);
        const sum = (some: Rows) => some.reduce((all, { listings }) => all + listings, 0);
        expect(cause).toMatchObject({ listings: sum(own), attributes: 'brand', categories: ['X', 'Y'] });
        const days = (name: 'first_until' | 'last_until') =>
          own.flatMap((one) => one[name]?.slice(0, 10) ?? []).sort();
        expect([cause.firstUntil, cause.lastUntil]).toEqual([
          days('first_until')[0],
          days('last_until').at(-1),
        ]);
        for (const currency of ['EUR', 'SEK']) {
          const money = own.filter((one) => one.currency === currency && one.amount !== null);
          const total = money.reduce((all, { amount }) => all + (amount ?? 0), 0);
          expect(cause.amounts.get(currency)).toBe(money.length === 0 ? undefined : total);
        }
        expect(new Set(cause.places.map(({ marketplace }) => marketplace)).size).toBe(cause.places.length);
        for (const marketplaceTotal of cause.places) {
          const here = own.filter(({ marketplace }) => marketplace === marketplaceTotal.marketplace);
          expect(marketplaceTotal).toMatchObject({
            listings: sum(here),
            money: here.map(({ amount, currency }) => formatMoney(amount, currency)),
            skus: skus
              .filter((one) => keyOf(one) === cause.key && one.marketplace === marketplaceTotal.marketplace)
              .map(({ sku, until }) => ({ sku, until: until?.slice(0, 10) })),
          });
        }
      }
    }),
  );
});

it('what the service left out is empty', () => {
  const nothing = { code: null, attributes: null, categories: null, message: null, severity: null };
  const none = { amount: null, once: null, currency: null, first_until: null, last_until: null };
  const [cause] = groupCauses(
    [{ cause: 'a', effect: 'search', marketplace: 'DE', listings: 2, ...nothing, ...none }],
    [],
  );
  expect(cause).toMatchObject({ code: '', attributes: '', categories: [], severity: '', message: '' });
  expect(cause?.places[0]?.money).toEqual(['amount not known']);
});

const cause = (name: string, more: Partial<Cause> = {}): Cause => ({
  key: name,
  code: name,
  attributes: '',
  categories: [],
  effect: 'altogether',
  severity: '',
  message: '',
  listings: 1,
  places: [],
  amounts: new Map(),
  ...more,
});
const names = (causes: readonly Cause[]) => causes.map(({ code }) => code).join(' ');

it('unsellable stands before hidden, then the most money of each currency in turn, then the most listings', () => {
  const all = [
    cause('hidden', { effect: 'search', amounts: new Map([['EUR', 999]]) }),
    cause('few'),
    cause('many', { listings: 5 }),
    cause('2 eur', { amounts: new Map([['EUR', 2]]) }),
    cause('3 eur', { amounts: new Map([['EUR', 3]]) }),
    cause('900 sek', { amounts: new Map([['SEK', 900]]), listings: 9 }),
    cause('800 sek', { amounts: new Map([['SEK', 800]]), listings: 2 }),
    cause('both', {
      amounts: new Map([
        ['EUR', 1],
        ['SEK', 1_000],
      ]),
      listings: 3,
    }),
  ];
  // The first of each currency, then the second.
  expect(names(worstFirst(all))).toBe('both 3 eur 900 sek 2 eur 800 sek many few hidden');
  expect(names(worstFirst([...all].reverse()))).toBe('both 3 eur 900 sek 2 eur 800 sek many few hidden');
});

it('the currency in which a cause has the most money decides, whichever comes first', () => {
  const amounts = (...all: [string, number][]) => ({ amounts: new Map(all) });
  const both = cause('both', amounts(['EUR', 900], ['SEK', 1]));
  const others = [cause('800 eur', amounts(['EUR', 800])), cause('2 sek', amounts(['SEK', 2]))];
  expect(names(worstFirst([both, ...others, cause('3 sek', amounts(['SEK', 3]))]))).toBe(
    'both 3 sek 800 eur 2 sek',
  );
});

it('what ends soonest comes first, what has no end last, of the same day the most listings', () => {
  const all = [
    cause('no end'),
    cause('later', { firstUntil: '2026-12-01' }),
    cause('few', { firstUntil: '2026-11-01' }),
    cause('more', { firstUntil: '2026-11-01', listings: 2 }),
  ];
  expect(names(all.toSorted(soonestFirst))).toBe('more few later no end');
});

it.each([
  [12, 'EUR', '12 EUR'],
  [12.5, 'EUR', '12.50 EUR'],
  [0.1 + 0.2, 'EUR', '0.30 EUR'],
  [3.0000001, 'kr x', '3 «kr x»'],
  [null, 'EUR', 'amount not known'],
  [5, null, 'amount not known'],
])('%s %s is told as %s', (amount, currency, words) => {
  expect(formatMoney(amount, currency)).toBe(words);
});

it('sums are exact to the cent', () => {
  expect([roundToCents(1.005 * 100), roundToCents(0.1 + 0.2), roundToCents(null)]).toEqual([
    100.5,
    0.3,
    null,
  ]);
});

it.each([
  [['X', 'MISSING_ATTRIBUTE'], 'brand, country_of_origin', 'brand, country_of_origin'],
  [['MISSING_ATTRIBUTE'], '', 'the missing attribute'],
  [['MISSING_ATTRIBUTE'], 'ignore all of this', 'the missing attribute'],
  [['MISSING_ATTRIBUTE'], 'Brand', 'the missing attribute'],
  [['MISSING_ATTRIBUTE'], 'brand,', 'the missing attribute'],
  [['MISSING_ATTRIBUTE'], ' brand', 'the missing attribute'],
  [['INVALID_PRICE'], 'brand', 'a price that is accepted'],
  [['OTHER'], 'brand', undefined],
  [[], 'brand', undefined],
])('of %j, %j: %s', (categories, attributes, words) => {
  expect(formatNeededValue({ categories, attributes })).toBe(words);
});

it('a day decides before the number of listings, whichever way round two are compared', () => {
  const cause = (firstUntil: string | undefined, listings: number): Cause => ({
    key: '',
    code: '',
    attributes: '',
    categories: [],
    effect: 'search',
    severity: '',
    message: '',
    places: [],
    amounts: new Map(),
    listings,
    firstUntil,
  });
  const inOrder = [
    cause('2026-11-20', 1),
    cause('2026-11-21', 9),
    cause('2026-11-21', 5),
    cause(undefined, 99),
  ];
  for (const [at, one] of inOrder.entries()) {
    for (const [index, other] of inOrder.entries()) {
      expect(Math.sign(soonestFirst(one, other))).toBe(Math.sign(at - index));
    }
  }
});
