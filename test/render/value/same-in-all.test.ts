/**
 * Tests that members shared by all elements of a list are stated once, and that the value can be restored
 * from both parts.
 */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject } from '../../../src/base/json.ts';
import { tokensOf } from '../../../src/base/text/shorten.ts';
import { type FittedValue, fitValue } from '../../../src/render/value/fit-value.ts';
import { extractSharedMembers } from '../../../src/render/value/same-in-all.ts';
import { shownValue, wholePart } from '../../../src/render/value/select/part.ts';
import { canonical } from '../../helpers/answer-copy.ts';
import { putBackShared } from '../../helpers/put-back-shared.ts';

const order = (at: number) => ({
  orderId: `111-${at}`,
  marketplaceId: 'ATVPDKIKX0DER',
  fulfillment: { channel: 'MFN', level: 'Standard', status: at % 2 === 0 ? 'SHIPPED' : 'UNSHIPPED' },
  total: { currencyCode: 'USD', amount: `${at}.50` },
  items: Array.from({ length: 1 + (at % 3) }, (_, index) => ({
    sku: `S-${at}-${index}`,
    condition: { type: 'New', note: 'Sold as new, in its own box' },
  })),
});
const ORDERS = { payload: { orders: Array.from({ length: 17 }, (_, at) => order(at)) } };

const answer = (whole: unknown, more: { maxTokens?: number; select?: string[] } = {}) =>
  fitValue(whole, { maxTokens: 10_000, takeOutShared: true, ...more });

test('17 orders state what they share once, also what their items share, in both forms', () => {
  const { value, shared, text } = answer(ORDERS);
  expect(shared).toEqual([
    {
      list: 'payload.orders',
      elements: 17,
      members: { marketplaceId: 'ATVPDKIKX0DER', fulfillment: { channel: 'MFN', level: 'Standard' } },
    },
    {
      list: 'payload.orders.items',
      elements: 33,
      members: { condition: { type: 'New', note: 'Sold as new, in its own box' } },
    },
  ]);
  for (const once of ['ATVPDKIKX0DER', 'MFN', 'Sold as new, in its own box']) {
    expect(text.split(once)).toHaveLength(2);
    expect(JSON.stringify({ value, shared }).split(once)).toHaveLength(2);
  }
  expect(text).toMatch(/all 17 elements of payload\.orders.*all 33 elements of payload\.orders\.items/s);
  expect(putBackShared(value, shared ?? [])).toEqual(ORDERS);
  const whole = fitValue(ORDERS, { maxTokens: 10_000 });
  expect(text.length).toBeLessThan(whole.text.length * 0.6);
  expect(JSON.stringify({ value, shared }).length).toBeLessThan(JSON.stringify(whole.value).length * 0.6);
});

/** Leaves that can be counted in a text. */
const leaf = fc.oneof(
  fc.integer({ min: 0, max: 5 }).map((at) => `V${at}`),
  fc.constant(`V99_${'x'.repeat(60)}`),
);
const names = fc.constantFrom('a', 'b', 'c', '1', 'd.e', '__proto__', 'unit', 'amount');
const { element: anyElement } = fc.letrec<{ element: unknown; object: unknown }>((tie) => ({
  element: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.constant(null),
    tie('object'),
    fc.array(tie('object'), { maxLength: 4 }),
    fc.array(leaf, { maxLength: 3 }),
  ),
  object: fc.dictionary(names, tie('element'), { maxKeys: 5 }),
}));
const likeElements = fc
  .tuple(
    fc.dictionary(names, anyElement, { minKeys: 1, maxKeys: 5 }),
    fc.array(fc.dictionary(names, anyElement, { maxKeys: 2 }), { minLength: 3, maxLength: 20 }),
  )
  .map(([common, own]) =>
    own.map((members) => ({ ...common, filler: `V99_${'y'.repeat(150)}`, ...members })),
  );
const answers = fc.oneof(
  likeElements,
  likeElements.map((list) => ({ payload: { list, other: 'V3' } })),
  fc.array(likeElements, { maxLength: 4 }).map((lists) => lists.map((list) => ({ inner: { list } }))),
  fc.array(anyElement, { maxLength: 10 }),
);

const leavesIn = (words: string) => words.match(/\bV\d+/g)?.sort() ?? [];

test('any answer can be put together again, and each of its values stands in the text', () => {
  let taken = 0;
  fc.assert(
    fc.property(answers, (whole) => {
      const { value, shared } = extractSharedMembers(whole);
      taken += shared.length;
      expect(canonical(putBackShared(value, shared))).toBe(canonical(whole));
      const fitted = answer(whole, { maxTokens: 100_000 });
      const rendered = JSON.stringify([fitted.value, (fitted.shared ?? []).map(({ members }) => members)]);
      expect(leavesIn(fitted.text)).toEqual(leavesIn(rendered));
      expect(new Set(leavesIn(fitted.text))).toEqual(new Set(leavesIn(JSON.stringify(whole))));
    }),
    { numRuns: 300 },
  );
  expect(taken).toBeGreaterThan(100);
});

test('an answer never gets longer by it, and keeps its budget', () => {
  const bytes = ({ value, omitted, shared }: FittedValue) =>
    JSON.stringify(shared === undefined ? { value, omitted } : { value, omitted, shared }).length;
  fc.assert(
    fc.property(answers, fc.constantFrom(500, 1_000, 10_000), (whole, maxTokens) => {
      const fitted = answer(whole, { maxTokens });
      expect(tokensOf(fitted.text)).toBeLessThanOrEqual(maxTokens);
      expect(bytes(fitted)).toBeLessThanOrEqual(maxTokens * 3);
      const room = fitValue(whole, { maxTokens });
      if (room.omitted.length === 0) expect(bytes(fitted)).toBeLessThanOrEqual(bytes(room));
    }),
  );
});

test('more elements fit where members were taken out of them', () => {
  const whole = { orders: Array.from({ length: 400 }, (_, at) => order(at)) };
  const { value, text, shared } = answer(whole, { maxTokens: 5_000 });
  const count = (of: unknown) => JSON.stringify(of).split('orderId').length - 1;
  expect(count(value)).toBeGreaterThan(1.5 * count(fitValue(whole, { maxTokens: 5_000 }).value));
  expect(Math.max(tokensOf(text), tokensOf(JSON.stringify({ value, shared })))).toBeGreaterThan(0.8 * 5_000);
});

test('a list that was cut states what the elements share that are shown', () => {
  const whole = { orders: Array.from({ length: 400 }, (_, at) => order(at)) };
  const { value, shared = [], omitted } = answer(whole, { maxTokens: 2_000 });
  expect(omitted).not.toEqual([]);
  const rebuilt = putBackShared(value, shared);
  const orders: unknown = isJsonObject(rebuilt) ? rebuilt.orders : undefined;
  const shown = Array.isArray(orders) ? orders : [];
  expect(shown.length).toBeGreaterThan(5);
  // The last order may be cut.
  expect(shown.slice(0, -1)).toEqual(whole.orders.slice(0, shown.length - 1));
});

describe('what stays in each element', () => {
  const filler = { filler: 'x'.repeat(100) };
  const list = (build: (at: number) => object) =>
    Array.from({ length: 9 }, (_, at) => ({ ...filler, ...build(at) }));
  const restOf = (whole: unknown) => extractSharedMembers(whole).value;

  test.each<[string, (at: number) => object]>([
    ['money', (at) => ({ price: { currencyCode: 'EUR', amount: at } })],
    ['the same amount in other currencies', (at) => ({ price: { CurrencyCode: `C${at}`, Amount: '5.00' } })],
    ['a weight', (at) => ({ weight: { value: at, unit: 'kilograms' } })],
    ['sides of a box', (at) => ({ box: { length: 5, width: 5, height: at, unitOfMeasurement: 'CM' } })],
    ['an amount beside its currency', (at) => ({ amount: at, currency: 'EUR' })],
  ])('a number and its unit: %s', (_what, build) => {
    expect(restOf(list(build))).toEqual(Array.from({ length: 9 }, (_, at) => build(at)));
  });

  test('money that is the same everywhere goes whole', () => {
    const { value, shared } = extractSharedMembers(
      list((at) => ({ at, price: { currencyCode: 'EUR', amount: 5 } })),
    );
    expect(shared).toMatchObject([{ list: '', members: { price: { currencyCode: 'EUR', amount: 5 } } }]);
    expect(value).toEqual(Array.from({ length: 9 }, (_, at) => ({ at })));
  });

  test('elements that are no objects, and members that one of them lacks', () => {
    const whole = [...list((at) => (at === 4 ? {} : { status: 'Shipped' })), null];
    const { value, shared } = extractSharedMembers(whole);
    expect(shared).toEqual([{ list: '', elements: 9, members: filler }]);
    expect(Array.isArray(value) ? [value[3], value[4], value[9]] : []).toEqual([
      { status: 'Shipped' },
      {},
      null,
    ]);
  });

  test('a list of which only the beginning is shown, beside one that is whole', () => {
    const entries = [1, 2].map((value, key) => ({ key, part: wholePart(value), tails: [''] }));
    const sharedWhere = (total: number) =>
      extractSharedMembers(
        list((at) => ({ tags: shownValue({ kind: 'elements', entries, total: at === 8 ? total : 2 }) })),
      ).shared;
    expect(sharedWhere(2)).toEqual([{ list: '', elements: 9, members: { ...filler, tags: [1, 2] } }]);
    expect(sharedWhere(3)).toEqual([{ list: '', elements: 9, members: filler }]);
  });

  test('everything in two elements, and where little would be saved', () => {
    for (const whole of [list(() => ({})).slice(0, 2), Array.from({ length: 9 }, (_, at) => ({ at, a: 1 }))])
      expect(extractSharedMembers(whole)).toEqual({ value: whole, shared: [] });
  });

  test('members that were selected, whose columns are the same on each page', () => {
    const select = ['payload.orders.orderId', 'payload.orders.marketplaceId'];
    const { shared, text } = answer(ORDERS, { select });
    expect(shared).toBeUndefined();
    expect(text).toContain('orderId | marketplaceId');
    expect(answer(ORDERS, { select: ['payload.orders'] }).shared).toHaveLength(2);
  });
});
