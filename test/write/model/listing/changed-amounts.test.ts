/** Every amount that a change sets is told as a share, as new, or as one that no range covers: whatever a row says, nothing of it is left out. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedAmounts, pairsOf, stepsOf } from '../../../../src/write/model/listing/changed-amounts.ts';

const price = (...amounts: unknown[]) => [
  { schedule: amounts.map((value_with_tax) => ({ value_with_tax })) },
];
const offer = (members: object) => ({
  purchasable_offer: [{ currency: 'EUR', audience: 'ALL', ...members }],
});
const stock = (quantity: unknown) => ({
  fulfillment_availability: [{ fulfillment_channel_code: 'DEFAULT', quantity }],
});
const NOTHING = { fresh: [], others: [], opaque: [] };
const amount = fc.integer({ min: 1, max: 1_000_000 }).map((cents) => cents / 100);

describe('steps of a price', () => {
  it('are their amounts, in the known form', () => {
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 4 }), (amounts) => {
        expect(stepsOf(price(...amounts))).toEqual(amounts);
        expect(
          stepsOf(
            amounts.map((one) => ({ schedule: [{ value_with_tax: one, end_at: 'x', start_at: 'y' }] })),
          ),
        ).toEqual(amounts);
        expect(stepsOf(price(...amounts, '1'))).toBeUndefined();
      }),
    );
  });
  it.each([
    undefined,
    [],
    {},
    [{}],
    [{ schedule: [{ value_with_tax: 1 }], more: 1 }],
    [{ schedule: [{ value_with_tax: 1, discount: 2 }] }],
    [{ schedule: [{ start_at: 'x' }] }],
    [{ schedule: [{ value_with_tax: 1 }] }, { schedule: 1 }],
  ])('of %j are not known', (value) => {
    expect(stepsOf(value)).toBeUndefined();
  });
});

describe('a price', () => {
  it('that goes from one to another is the share between the two', () => {
    fc.assert(
      fc.property(amount, amount, (was, is) => {
        const found = changedAmounts(offer({ our_price: price(was) }), offer({ our_price: price(is) }));
        const share = is / was - 1;
        expect(found).toEqual(was === is ? NOTHING : { ...NOTHING, shares: { least: share, most: share } });
      }),
    );
  });
  it('of several steps is held against each that was there', () => {
    fc.assert(
      fc.property(
        fc.array(amount, { minLength: 1, maxLength: 3 }),
        fc.array(amount, { minLength: 1, maxLength: 3 }),
        (was, is) => {
          fc.pre(JSON.stringify(was) !== JSON.stringify(is));
          const all = is.flatMap((to) => was.map((from) => to / from - 1));
          const { shares } = changedAmounts(
            offer({ our_price: price(...was) }),
            offer({ our_price: price(...is) }),
          );
          expect(shares).toEqual({ least: Math.min(...all), most: Math.max(...all) });
        },
      ),
    );
  });
  it('where there was none is new, in its currency', () => {
    expect(changedAmounts({}, offer({ our_price: price(5) }))).toEqual({
      ...NOTHING,
      fresh: [{ what: 'price in EUR', value: 5 }],
      others: ['currency', 'audience'],
    });
    expect(changedAmounts(offer({ our_price: price(0) }), offer({ our_price: price(5) })).fresh).toEqual([
      { what: 'price in EUR', value: 5 },
    ]);
  });
  it('of a sale is held against the price: the old one, or where there was none the new one', () => {
    const sale = { discounted_price: price(8) };
    const half = (found: ReturnType<typeof changedAmounts>) => found.shares?.least.toFixed(2);
    expect(
      half(changedAmounts(offer({ our_price: price(10) }), offer({ our_price: price(10), ...sale }))),
    ).toBe('-0.20');
    expect(
      half(changedAmounts(offer({ our_price: price(16) }), offer({ our_price: price(16), ...sale }))),
    ).toBe('-0.50');
    expect(changedAmounts(offer({}), offer({ our_price: price(10), ...sale }))).toMatchObject({
      shares: { least: 8 / 10 - 1, most: 8 / 10 - 1 },
      fresh: [{ what: 'price in EUR', value: 10 }],
    });
  });
  it('that only gets other days, or goes, is no amount', () => {
    const dated = [{ schedule: [{ value_with_tax: 5, start_at: '2026-12-01' }] }];
    expect(changedAmounts(offer({ our_price: price(5) }), offer({ our_price: dated }))).toMatchObject({
      others: ['price'],
    });
    expect(
      changedAmounts(
        offer({ our_price: price(5), discounted_price: price(3) }),
        offer({ our_price: price(5) }),
      ),
    ).toEqual({
      ...NOTHING,
      others: ['sale price'],
    });
  });
  it('in another form is covered by no range', () => {
    expect(changedAmounts(offer({ our_price: price(5) }), offer({ our_price: price('5.00') }))).toEqual({
      ...NOTHING,
      opaque: ['price'],
    });
  });
  it('for others than everybody says for whom', () => {
    const b2b = (members: object) => ({
      purchasable_offer: [{ audience: 'B2B', currency: 'EUR', ...members }],
    });
    expect(changedAmounts({}, b2b({ our_price: price(5) })).fresh).toEqual([
      { what: 'B2B price in EUR', value: 5 },
    ]);
  });
});

it('what else an offer holds is no amount, or covered by no range where a number is in it', () => {
  const found = changedAmounts(
    offer({ gone: [{ percent: 5 }], text: 'a' }),
    offer({ text: 'b', plan: [{ levels: [{ value: '7' }] }], deep: { a: 3 }, words: ['no'], none: null }),
  );
  expect(found).toEqual({ ...NOTHING, others: ['gone', 'text', 'words', 'none'], opaque: ['plan', 'deep'] });
  expect(changedAmounts(offer({}), {})).toEqual({ ...NOTHING, others: ['offer'] });
  expect(changedAmounts({}, { purchasable_offer: ['odd'] })).toEqual({ ...NOTHING, opaque: ['offer'] });
});

describe('a number of anything else', () => {
  const numbers = fc.integer({ min: 1, max: 10_000 });
  it('is a share of what was there', () => {
    fc.assert(
      fc.property(numbers, numbers, (was, is) => {
        fc.pre(was !== is);
        const share = is / was - 1;
        expect(changedAmounts(stock(was), stock(is))).toEqual({
          ...NOTHING,
          shares: { least: share, most: share },
        });
      }),
    );
  });
  it.each([[0], [undefined], ['3'], [null]])('is new where there was %j', (was) => {
    expect(changedAmounts(stock(was), stock(4)).fresh).toEqual([{ what: 'quantity', value: 4 }]);
  });
  it('says in what it is: its unit, or its currency', () => {
    const weight = { item_weight: [{ value: 2, unit: 'kilograms' }] };
    expect(changedAmounts({}, weight)).toEqual({
      ...NOTHING,
      fresh: [{ what: 'item_weight in kilograms', value: 2 }],
      others: ['item_weight'],
    });
    expect(changedAmounts({}, { list_price: [{ value: 2, currency: 'EUR' }] }).fresh).toEqual([
      { what: 'list_price in EUR', value: 2 },
    ]);
    expect(changedAmounts({}, { size: [{ value: 2 }] }).fresh).toEqual([{ what: 'size', value: 2 }]);
  });
  it.each([
    ...['7', ' 1e3', '€ 0.01', '017', 'EUR 5', '5 EUR', '-3', '1.299,00', '٣', '.5', ',5', '-.5', '+7'],
    ...['US$ 5', '-€-5', '5€', '1e-3', "1'299", '1e3 EUR', '5\tEUR', `7${' '.repeat(200)}x`],
  ])('as the text %j of an amount is covered by no range', (text) => {
    expect(changedAmounts(stock(1), stock(text)).opaque).toEqual(['fulfillment_availability']);
    expect(changedAmounts({}, { list_price: [{ value: text }] }).opaque).toEqual(['list_price']);
    expect(changedAmounts({ size: [{ value: 1 }] }, { size: [{ value: text }] }).opaque).toEqual(['size']);
    // A title can be a number.
    expect(changedAmounts({}, { item_name: [{ value: text }] })).toEqual({
      ...NOTHING,
      others: ['item_name'],
    });
  });
  it.each([
    'red',
    '',
    '5 lamps',
    '1 2 3 x',
    'abcd 5',
    'EURO 5',
    'x.5',
    '.',
    '5 €€',
    '---5',
    '..5',
    'USD$ 5',
    '5 EUR x',
  ])('as the text %j is none', (text) => {
    expect(changedAmounts(stock(1), stock(text))).toEqual({
      ...NOTHING,
      others: ['fulfillment_availability'],
    });
  });
});

it('a member that goes is told, and so is one that is no number any more', () => {
  const before = { size: [{ value: 1, unit: 'cm', note: 'x' }] };
  expect(changedAmounts(before, { size: [{ value: 1, unit: 'cm' }] })).toEqual({
    ...NOTHING,
    others: ['size'],
  });
  expect(changedAmounts(before, { size: [{ value: true, unit: 'cm', note: 'x' }] })).toEqual({
    ...NOTHING,
    others: ['size'],
  });
  expect(changedAmounts(before, {})).toEqual({ ...NOTHING, others: ['size'] });
  expect(changedAmounts(before, before)).toEqual(NOTHING);
});

it('each entry is paired with the one that its selectors mean, and what is gone with nothing', () => {
  const [de, fr, all] = [{ marketplace_id: 'DE', v: 1 }, { marketplace_id: 'FR', v: 2 }, { v: 3 }];
  expect(pairsOf([de, fr], [{ ...fr, v: 4 }])).toEqual([
    { before: fr, after: { ...fr, v: 4 } },
    { before: de, after: undefined },
  ]);
  expect(pairsOf([de], [all])).toEqual([{ before: de, after: all }]);
  expect(pairsOf(['x'], ['x'])).toEqual([
    { before: undefined, after: 'x' },
    { before: 'x', after: undefined },
  ]);
});
