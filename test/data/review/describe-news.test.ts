/** News in both forms: every group that has something, worst first, with counts, money and SKUs that are those of the changes. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  compareStates,
  type ListingStates,
  type ReviewedListingState,
} from '../../../src/data/review/compare-states.ts';
import { countNews, describeNews, TOPICS, type Topic } from '../../../src/data/review/describe-news.ts';
import type { MarketplaceNews } from '../../../src/data/review/review-changes.ts';

const state: fc.Arbitrary<ReviewedListingState> = fc.record({
  suppressed: fc.constantFrom(null, 'search', 'altogether'),
  causes: fc.uniqueArray(fc.constantFrom('8541', '90220', '18027'), { maxLength: 2 }),
  price: fc.constantFrom(null, 0, 9.99, 20),
  currency: fc.constantFrom(null, 'EUR'),
  stock: fc.constantFrom(null, 0, 1, 3),
  buyable: fc.constantFrom(null, 0, 1),
  featured: fc.constantFrom(null, 0, 1),
});
const states: fc.Arbitrary<ListingStates> = fc
  .dictionary(fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F'), state)
  .map((all) => new Map(Object.entries(all)));
const news: fc.Arbitrary<MarketplaceNews> = fc
  .record({ before: states, after: states, ours: fc.uniqueArray(fc.constantFrom('A', 'B', 'C')) })
  .map(({ before, after, ours }) => ({
    marketplaceId: 'A1PA6795UKMFR9',
    marketplace: 'Germany',
    since: '2026-11-20T08:00:00.000Z',
    changes: compareStates(before, after).map((one) => ({
      ...one,
      ours: ours.some((sku) => sku === one.sku),
    })),
    before,
    after,
  }));
const only = fc.option(fc.subarray([...TOPICS], { minLength: 1 }), { nil: undefined });

/** Whether a listing belongs to a group, and what the group is about, said once more from the two states. */
const RANK = { altogether: 2, search: 1 } as const;
const rank = (one: ReviewedListingState) =>
  one.suppressed === 'altogether' || one.suppressed === 'search' ? RANK[one.suppressed] : 0;
type Is = (old: ReviewedListingState | undefined, now: ReviewedListingState | undefined) => boolean;
const both =
  (is: (old: ReviewedListingState, now: ReviewedListingState) => boolean): Is =>
  (old, now) =>
    old !== undefined && now !== undefined && is(old, now);
const GROUPS: readonly [string, Topic, string, Is][] = [
  [
    'worse',
    'suppressed',
    'new or more suppression',
    both((old, now) =>
      rank(now) === rank(old)
        ? old.suppressed === now.suppressed && now.causes.some((cause) => !old.causes.includes(cause))
        : rank(now) > rank(old),
    ),
  ],
  ['gone', 'listings', 'gone', (old, now) => old !== undefined && now === undefined],
  [
    'sold_out',
    'stock',
    'sold out',
    both((old, now) => old.stock !== null && old.stock !== 0 && now.stock === 0),
  ],
  [
    'featured_offer_lost',
    'offers',
    'not the featured offer any more',
    both((old, now) => old.featured === 1 && now.featured === 0),
  ],
  [
    'prices',
    'prices',
    'other price',
    both((old, now) => old.price !== now.price || old.currency !== now.currency),
  ],
  ['better', 'suppressed', 'less or no suppression', both((old, now) => rank(now) < rank(old))],
  [
    'in_stock_again',
    'stock',
    'in stock again',
    both((old, now) => old.stock === 0 && now.stock !== 0 && now.stock !== null),
  ],
  [
    'featured_offer_won',
    'offers',
    'the featured offer now',
    both((old, now) => old.featured === 0 && now.featured === 1),
  ],
  ['new', 'listings', 'new', (old, now) => old === undefined && now !== undefined],
];

const MOST = 2;
const EUR = (after: ListingStates, skus: readonly string[]) =>
  skus.reduce((sum, sku) => {
    const { price = null, stock = null, currency = null } = after.get(sku) ?? {};
    return currency === null ? sum : sum + (price ?? 0) * (stock ?? 0);
  }, 0);

it('both forms tell each group that has something, and nothing of one that has not', () => {
  fc.assert(
    fc.property(news, only, (one, topics) => {
      const { before, after } = one;
      const { lines, data, isNew } = describeNews([one], {
        mostSkus: MOST,
        only: topics,
        clean: (text) => text,
      });
      const [line = ''] = lines;
      const [facts = {}] = data;
      const skus = [...new Set([...before.keys(), ...after.keys()])];
      const meant = GROUPS.filter(([, topic]) => topics?.includes(topic) !== false)
        .map(([name, , words, is]) => ({
          name,
          words,
          found: skus.filter((sku) => is(before.get(sku), after.get(sku))),
        }))
        .filter(({ found }) => found.length > 0);
      expect(isNew).toBe(meant.length > 0);
      const { marketplace, since, ...groups } = Object.fromEntries(Object.entries(facts));
      expect({ marketplace, since }).toEqual({ marketplace: 'Germany', since: '2026-11-20T08:00Z' });
      expect(Object.keys(groups)).toEqual(meant.map(({ name }) => name));
      const parts = line.slice('Germany, since 2026-11-20T08:00Z: '.length, -1).split('; ');
      if (meant.length === 0) {
        const of = topics === undefined ? '' : ` (of ${topics.join(', ')})`;
        return void expect(parts).toEqual([`nothing is new${of}`]);
      }
      for (const [at, { name, words, found }] of meant.entries()) {
        const part = parts[at] ?? '';
        expect(part).toMatch(new RegExp(`^${found.length} (?:is|are|has|have)?.*${words}`));
        const sum = EUR(after, found);
        const ours = new Set(
          one.changes.filter((change) => change.ours && found.includes(change.sku)).map(({ sku }) => sku),
        );
        const group = Object(groups[name]);
        expect(group.listings).toBe(found.length);
        const hasMoney = sum > 0 && ['worse', 'better', 'featured_offer_lost'].includes(name);
        expect(group.money).toEqual(hasMoney ? [`${sum.toFixed(2)} EUR`] : undefined);
        expect('money' in group).toBe(hasMoney);
        expect(part.includes(`(${sum.toFixed(2)} EUR`)).toBe(hasMoney);
        expect(part.includes(`and ${found.length - MOST} more`)).toBe(found.length > MOST);
        // A write counts for a group where it is about the very member that the group reports.
        expect(group.after_writes_from_here ?? 0).toBeLessThanOrEqual(ours.size);
        expect(part.includes('after a write from here')).toBe(group.after_writes_from_here !== undefined);
        expect(group.skus).toHaveLength(Math.min(MOST, found.length));
        expect(found).toEqual(expect.arrayContaining(group.skus));
        const worth = (sku: string) => (after.get(sku)?.price ?? 0) * (after.get(sku)?.stock ?? 0);
        const named = group.skus.map(worth);
        expect(named).toEqual([...named].sort((a: number, b: number) => b - a));
        const amount = (price = Number.NaN) => price.toFixed(2);
        const values: Readonly<Record<string, (sku: string) => string>> = {
          prices: (sku) => {
            const { currency } =
              one.changes.find((change) => change.sku === sku && change.member === 'price') ?? {};
            const unit = currency === null ? '' : ' EUR';
            return `${wordsOf(before.get(sku), amount)} -> ${wordsOf(after.get(sku), amount)}${unit}`;
          },
          sold_out: (sku) => `${before.get(sku)?.stock} -> 0`,
          in_stock_again: (sku) => `0 -> ${after.get(sku)?.stock}`,
        };
        const shownValues = group.skus.map(values[name] ?? (() => undefined));
        expect(group.old_and_new).toEqual(name in values ? shownValues : undefined);
        if (name in values)
          for (const [index, sku] of group.skus.entries())
            expect(part).toContain(`${sku} (${shownValues[index]})`);
        if (name === 'worse')
          for (const sku of group.skus) expect(part).toContain(`${sku} (${wordOf(after.get(sku))}`);
      }
    }),
  );
});

const wordsOf = (one: ReviewedListingState | undefined, words: (price?: number) => string) =>
  one === undefined || one.price === null ? 'none' : words(one.price);

const wordOf = (one: ReviewedListingState | undefined) =>
  `${one?.suppressed === 'altogether' ? 'suppressed' : 'hidden from search'}: ${one?.causes.join(', ')}`;

it('writes from here are counted by the listings that they are about', () => {
  const before = new Map([
    ['A', plain(3)],
    ['B', plain(3)],
    ['C', plain(3)],
  ]);
  const after = new Map([
    ['A', plain(0)],
    ['B', plain(0)],
    ['C', plain(0)],
  ]);
  const changes = compareStates(before, after).map((one) => ({ ...one, ours: one.sku !== 'B' }));
  expect(countNews({ changes, after }).soldOut).toMatchObject({ skus: ['A', 'B', 'C'], ours: 2 });
});

function plain(stock: number): ReviewedListingState {
  return { suppressed: null, causes: [], price: 1, currency: 'EUR', stock, buyable: 1, featured: null };
}

it.each([
  ['Germany', /^Germany: first\.$/],
  ['the United States', /^the United States: first\.$/],
  ['A1 «x»\nB', /^«?A1 .*: first\.$/],
])('a marketplace %j is named plainly, and what looks like none as data', (marketplace, words) => {
  const one: MarketplaceNews = {
    marketplaceId: 'X',
    marketplace,
    note: 'first',
    changes: [],
    before: new Map(),
    after: new Map(),
  };
  const { lines, data, isNew } = describeNews([one], { mostSkus: 1, clean: (text) => text });
  expect(lines[0]).toMatch(words);
  expect(lines[0]).not.toContain('\n');
  expect(data[0]).toMatchObject({ note: 'first' });
  expect(isNew).toBe(false);
});
