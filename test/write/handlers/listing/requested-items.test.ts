/** Items of a call and rows of a query: each SKU once, and all that is wrong with any of them told at its place. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  listProblems,
  MAX_LISTINGS,
  readItems,
  readRows,
  tooManyListings,
} from '../../../../src/write/handlers/listing/requested-items.ts';

const messagesOf = (items: readonly unknown[]) =>
  readItems(items).problems.map(({ path, message }) => `${path}: ${message}`);

it('items and rows that say the same are the same list', () => {
  const wanted = fc.uniqueArray(
    fc.record({
      sku: fc.stringMatching(/^[A-Z]{2}-[0-9]$/),
      price: fc.integer({ min: 1, max: 99 }),
      quantity: fc.option(fc.nat({ max: 9 })),
    }),
    { selector: ({ sku }) => sku, minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(wanted, (all) => {
      const items = all.map(({ sku, price, quantity }) => ({
        sku,
        set: { price, ...(quantity === null ? {} : { quantity }) },
      }));
      const rows = all.map(({ sku, price, quantity }) => [price, sku, quantity]);
      const [byItems, byRows] = [
        readItems(items),
        readRows({ columns: [' Price ', 'SKU', 'quantity'], rows, total: rows.length }),
      ];
      expect(byItems.problems).toEqual([]);
      const describeItems = ({ listings }: typeof byItems) =>
        listings.map(({ sku, wanted: one }) => ({ sku, ...one }));
      expect(describeItems(byRows)).toEqual(describeItems(byItems));
      expect(byItems.listings.map(({ at }) => at)).toEqual(all.map((_, at) => `items.${at}`));
      expect(byRows.listings.map(({ at }) => at)).toEqual(all.map((_, at) => `row ${at + 1}`));
    }),
  );
});

describe('what is wrong with an item', () => {
  const set = { price: 1 };
  it.each<[unknown, string]>([
    [7, 'items.0.sku: is missing; it must be a text'],
    [{ set }, 'items.0.sku: is missing; it must be a text'],
    [{ sku: ' ', set }, 'items.0.sku: is missing; it must be a text'],
    [{ sku: 1.5, set }, 'items.0.sku: is missing; it must be a text'],
    ...['.', '..', '%2e%2E', '..;x', 'a/../b'].map((sku): [unknown, string] => [
      { sku, set },
      expect.stringMatching(/^items\.0\.sku: .*means another resource/),
    ]),
    [{ sku: 'x'.repeat(101), set }, 'items.0.sku: must have at most 100 characters'],
    [{ sku: 'A' }, 'items.0 (A): must have set or patches, one of the two'],
    [{ sku: 'A', set, patches: [1] }, 'items.0 (A): must have set or patches, one of the two'],
    [{ sku: 'A', patches: [] }, 'items.0 (A): patches must be a list of patches that is not empty'],
    [{ sku: 'A', patches: {} }, 'items.0 (A): patches must be a list of patches that is not empty'],
    [
      { sku: 'A', set, price: 1 },
      'items.0 (A): takes sku and set, or sku and patches, not price; put it into set: {"price": ...}',
    ],
    [
      { sku: 'A', patches: [{ op: 'put', path: '/attributes/color' }] },
      'items.0.patches.0.op (A): must be one of: add, replace, merge, delete',
    ],
    [
      { sku: 'A', patches: [{ op: 'add', path: '/attributes/color', value: 'red' }] },
      'items.0.patches.0.value (A): must be an array, not a string',
    ],
    [{ sku: 'A', set, other: 1 }, 'items.0 (A): takes sku and set, or sku and patches, not other'],
    [
      { sku: 'A', set: { price: 'x' } },
      'items.0.set.price (A): must be a number such as 17.99, or "17.99 EUR"; "x" is neither',
    ],
  ])('%j', (item, message) => {
    expect(messagesOf([item])).toEqual([message]);
  });
  it('a SKU twice is told with where it stood first; a number is a SKU too', () => {
    expect(
      messagesOf([
        { sku: 7, set },
        { sku: '7', set },
        { sku: 'B', set },
      ]),
    ).toEqual(['items.1.sku: 7 stands in items.0 already; each listing once']);
    const patches = [{ op: 'delete', path: '/attributes/color' }];
    expect(readItems([{ sku: 'x'.repeat(100), patches }]).listings).toEqual([
      { sku: 'x'.repeat(100), at: 'items.0', wanted: { patches } },
    ]);
  });
});

describe('a call that cannot be read as a list', () => {
  const rows = (columns: string[], total = 1) => readRows({ columns, rows: [columns.map(() => 1)], total });
  it('has no items, or too many', () => {
    expect(() => readItems([])).toThrow('items is empty; nothing was sent.');
    expect(() => readItems(Array(MAX_LISTINGS + 1).fill(0))).toThrow(
      tooManyListings(MAX_LISTINGS + 1).message,
    );
    expect(readItems(Array(MAX_LISTINGS).fill(0)).problems).toHaveLength(MAX_LISTINGS);
    expect(tooManyListings(25_001).message).toBe(
      'There are 25,001 listings; one call takes at most 25,000. Nothing was sent.',
    );
  });
  it('has no column sku, none beside it, or one that sets nothing', () => {
    expect(() => rows(['price', 'name'])).toThrow(
      'The query has no column sku, only: price, name. Nothing was sent.',
    );
    expect(() => rows(['sku'])).toThrow('The query has no column beside sku; nothing was sent.');
    expect(() => rows(['sku', 'price', 'our_price'])).toThrow(
      'The query has columns that set nothing; nothing was sent.',
    );
    expect(() => rows(['sku', 'price'], 0)).toThrow('The query gives no rows; nothing was sent.');
    expect(() => rows(['sku', 'price'], MAX_LISTINGS + 1)).toThrow('one call takes at most 25,000');
    expect(rows(['sku', 'price'], MAX_LISTINGS).listings).toHaveLength(1);
  });
  it('tells twenty of the columns that set nothing', () => {
    const names = Array.from({ length: 25 }, (_, at) => `column ${at}`);
    expect(() => rows(['sku', ...names])).toThrow(
      expect.objectContaining({ problems: expect.objectContaining({ length: 20 }) }),
    );
  });
  it('tells twenty problems, and counts the others', () => {
    const problems = (many: number) =>
      Array.from({ length: many }, (_, at) => ({ path: `p${at}`, message: 'm' }));
    expect(listProblems(problems(20))).toMatchObject({
      hint: 'Correct these, or leave those listings out.',
      problems: problems(20),
    });
    expect(listProblems(problems(21))).toMatchObject({
      hint: '1 more are not listed; correct these first, or leave those listings out.',
      problems: problems(20),
    });
  });
});
