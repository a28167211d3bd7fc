/** Tests which changes are reported as unusual: only what changes, compared like with like. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findUnusual } from '../../../../src/write/model/listing/unusual.ts';
import { amount, B2B, B2C, DE, SALE } from '../../handlers/listing/helpers.ts';

const offers = (...purchasable_offer: object[]) => ({ purchasable_offer });
const plain = { currency: 'EUR', audience: 'ALL', marketplace_id: DE, our_price: amount(20) };
const at = (price: number, more: object = {}) => offers({ ...plain, our_price: amount(price), ...more });
const STEPS = { ...plain, our_price: [{ schedule: [{ value_with_tax: 20 }, { value_with_tax: 10 }] }] };
const stock = (quantity: number | undefined, code = 'DEFAULT') => ({
  fulfillment_availability: [
    { fulfillment_channel_code: code, ...(quantity === undefined ? {} : { quantity }) },
  ],
});

describe('what is out of the ordinary', () => {
  it.each([
    ['a little less', at(20), at(15), [], -0.25],
    ['30 % less is not yet', at(20), at(14), [], -0.3],
    ['more than 30 % less', at(20), at(11), ['down by 45 %'], -0.45],
    ['a point at the wrong place', at(19.99), at(1999), ['up by 9,900 %'], 99],
    ['twice as much is not yet', at(20), at(40), [], 1],
    [
      'below the minimum',
      at(20),
      at(19, { minimum_seller_allowed_price: amount(19.5) }),
      ['below the minimum price of 19.50 EUR'],
      -0.05,
    ],
    [
      'at the minimum and at the maximum',
      at(20),
      at(19, { minimum_seller_allowed_price: amount(19), maximum_seller_allowed_price: amount(19) }),
      [],
      -0.05,
    ],
    [
      'above the maximum',
      at(20),
      at(21, { maximum_seller_allowed_price: amount(20.5) }),
      ['above the maximum price of 20.50 EUR'],
      0.05,
    ],
    ['to nothing', at(20), at(0), ['price to 0', 'down by 100 %'], -1],
    ['below nothing', at(20), at(-1), ['price below 0', 'down by 105 %'], -1.05],
    [
      'another currency',
      at(20),
      offers(plain, { ...plain, currency: 'USD', audience: 'B2B' }),
      ['in USD, until now in EUR'],
      undefined,
    ],
    [
      'a sale above the price',
      at(20),
      at(20, { discounted_price: amount(20) }),
      ['sale price not below the price'],
      0,
    ],
    [
      'a sale far below it',
      at(20),
      at(20, { discounted_price: amount(9) }),
      ['sale price 55 % below the price'],
      -0.55,
    ],
    ['a sale at half the price is not yet far', at(20), at(20, { discounted_price: amount(10) }), [], -0.5],
    [
      'a sale at the minimum',
      at(20),
      at(20, { minimum_seller_allowed_price: amount(15), discounted_price: amount(15) }),
      [],
      -0.25,
    ],
    [
      'a sale below the minimum',
      at(20),
      at(20, { minimum_seller_allowed_price: amount(15.01), discounted_price: amount(15) }),
      ['sale price below the minimum price of 15.01 EUR'],
      -0.25,
    ],
    ['quantity to nothing', stock(4), stock(0), ['quantity to 0'], -1],
    ['nothing as before', stock(0), stock(0), [], undefined],
    [
      'a channel that is new',
      stock(4),
      {
        fulfillment_availability: [
          ...stock(4).fulfillment_availability,
          ...stock(2, 'SHOP').fulfillment_availability,
        ],
      },
      ['new channel SHOP'],
      undefined,
    ],
    ['FBA', stock(undefined, 'AMAZON_EU'), stock(3, 'AMAZON_EU'), ['quantity of an FBA listing'], undefined],
    ['an attribute that goes', { bullet_point: [{ value: 'a' }] }, {}, ['bullet_point removed'], undefined],
    ['an image that goes', { other_product_image_locator_1: [{ media_location: 'x' }] }, {}, [], undefined],
    [
      'the main image that goes',
      { main_product_image_locator: [{ media_location: 'x' }] },
      {},
      ['main_product_image_locator removed'],
      undefined,
    ],
    ['a first price', {}, at(20), [], undefined],
    [
      'a sale in two steps, one of them next to nothing',
      at(20),
      at(20, { discounted_price: [{ schedule: [{ value_with_tax: 19 }, { value_with_tax: 0.01 }] }] }),
      ['sale price 99 % below the price', 'sale price in 2 steps'],
      -0.9995,
    ],
    [
      'a price in several steps',
      at(20),
      at(20, { our_price: [{ schedule: [{ value_with_tax: 20 }, { value_with_tax: 0.2 }] }] }),
      ['down by 99 %', 'price in 2 steps'],
      -0.99,
    ],
    [
      'a price as a text',
      at(20),
      at(20, { our_price: [{ schedule: [{ value_with_tax: '0.01' }] }] }),
      ['price is no plain amount'],
      undefined,
    ],
    [
      'a plan of discounts',
      at(20),
      at(20, {
        quantity_discount_plan: [
          { schedule: [{ discount_type: 'fixed', levels: [{ lower_bound: 2, value: 0.01 }] }] },
        ],
      }),
      ['quantity_discount_plan is no plain amount'],
      undefined,
    ],
  ])('%s', (_, before, after, words, relative) => {
    const found = findUnusual(before, after);
    expect(found.words).toEqual(words);
    const { least = 0, most = 0 } = found.amounts.shares ?? {};
    const furthest = Math.abs(least) > Math.abs(most) ? least : most;
    if (relative === undefined) expect(found.amounts.shares).toBeUndefined();
    else expect(furthest).toBeCloseTo(relative);
  });

  it.each([
    [
      'a price of anybody else',
      {},
      offers({ ...plain, audience: 'B2B', our_price: amount(0) }),
      ['B2B price to 0'],
    ],
    [
      'a price without a currency',
      at(20),
      offers({
        ...plain,
        currency: undefined,
        our_price: amount(1),
        minimum_seller_allowed_price: amount(2),
      }),
      ['down by 95 %', 'below the minimum price of 2'],
    ],
    ['a price that was nothing already', at(0), at(0, { start_at: 'x' }), []],
    ['one that was below nothing', at(-1), at(-1, { start_at: 'x' }), []],
    ['a price after one of nothing', at(0), at(10), []],
    [
      'a sale far off that was there',
      at(20, { discounted_price: amount(9) }),
      at(20, { discounted_price: amount(9), start_at: 'x' }),
      [],
    ],
    ['the lowest of the steps after the highest', offers(STEPS), at(10), ['down by 50 %']],
    ['the highest of the steps after the lowest', offers(STEPS), at(30), ['up by 200 %']],
    [
      'two currencies, and a third',
      offers(plain, { ...plain, currency: 'USD', audience: 'B2B' }),
      offers({ ...plain, currency: 'GBP' }),
      ['in GBP, until now in EUR and USD', 'offer removed', 'B2B offer removed'],
    ],
    ['a first currency', offers({ ...plain, currency: undefined }), offers(plain), []],
    [
      'what is no entry',
      { purchasable_offer: ['x'] },
      { purchasable_offer: ['y', plain] },
      ['offer is no plain amount'],
    ],
    [
      'a channel that goes',
      { fulfillment_availability: [{}, { fulfillment_channel_code: 'SHOP' }] },
      { fulfillment_availability: [{}] },
      ['channel SHOP removed'],
    ],
    [
      'a channel without a name',
      { fulfillment_availability: [{ fulfillment_channel_code: 'SHOP' }] },
      { fulfillment_availability: [{}, { fulfillment_channel_code: 'SHOP' }] },
      ['new channel DEFAULT'],
    ],
    ['another quantity', stock(4), stock(3), []],
    [
      'steps of which some are out of bounds',
      {},
      offers({
        ...STEPS,
        minimum_seller_allowed_price: amount(15),
        maximum_seller_allowed_price: amount(18),
      }),
      ['below the minimum price of 15.00 EUR', 'above the maximum price of 18.00 EUR', 'price in 2 steps'],
    ],
    [
      'steps that were there',
      offers({ ...plain, minimum_seller_allowed_price: STEPS.our_price }),
      offers({ ...plain, minimum_seller_allowed_price: STEPS.our_price, start_at: 'x' }),
      [],
    ],
    [
      'a sale of no price',
      offers(plain),
      offers({ ...plain, our_price: undefined, discounted_price: amount(5) }),
      ['price removed'],
    ],
    [
      'a sale of a price in steps',
      offers(STEPS),
      offers({ ...STEPS, discounted_price: amount(9) }),
      ['sale price 55 % below the price'],
    ],
    [
      'a sale between the steps of a price',
      {},
      offers({ ...STEPS, discounted_price: amount(12) }),
      ['sale price not below the price', 'price in 2 steps'],
    ],
    [
      'a sale of which one step is no less',
      {},
      offers({
        ...plain,
        discounted_price: [{ schedule: [{ value_with_tax: 20 }, { value_with_tax: 19 }] }],
      }),
      ['sale price not below the price', 'sale price in 2 steps'],
    ],
    ['a quantity of FBA that stays', stock(3, 'AMAZON_EU'), stock(3, 'AMAZON_EU'), []],
  ])('%s', (_, before, after, words) => expect(findUnusual(before, after).words).toEqual(words));

  it('more is sent than what was read', () => {
    const { words, amounts } = findUnusual(at(20), at(20), true);
    expect(words).toEqual(['not all that is sent was read before']);
    expect(amounts.opaque).toEqual(['what is sent beside what was read']);
  });

  it('patches that drop what stood beside the price', () => {
    expect(findUnusual(offers(B2B, B2C), offers(plain)).words).toEqual([
      'sale price removed',
      'minimum price removed',
      'B2B offer removed',
    ]);
  });

  it('a B2B price is told as one', () => {
    const before = offers(B2C, B2B);
    const after = offers({ ...B2C, discounted_price: SALE }, { ...B2B, our_price: amount(9) });
    expect(findUnusual(before, after).words).toEqual(['B2B down by 50 %']);
  });

  const price = fc.integer({ min: 1, max: 9_999 }).map((cents) => cents / 100);
  const times = ['2027-01-01', '2027-02-01', '2027-03-01', '2027-04-01'];
  const schedule = (values: readonly number[]) => [
    { schedule: values.map((value_with_tax, at) => ({ value_with_tax, start_at: times[at] })) },
  ];
  const inSteps = fc.array(price, { minLength: 1, maxLength: 3 });
  const offer = fc.record(
    {
      our_price: inSteps.map(schedule),
      discounted_price: inSteps.map(schedule),
      minimum_seller_allowed_price: price.map(amount),
      maximum_seller_allowed_price: price.map(amount),
    },
    { requiredKeys: [] },
  );

  it('what stays as it was is never told, whatever else changes', () => {
    fc.assert(
      fc.property(offer, (members) => {
        const before = offers({ ...plain, ...members });
        const after = { ...offers({ ...plain, ...members, start_at: 'x' }), ...stock(3) };
        expect(findUnusual(before, after).words).toEqual(['new channel DEFAULT']);
      }),
    );
  });

  it('each step of a price is held against that of its time, and the furthest is told', () => {
    const pairs = fc.array(fc.tuple(price, price), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(pairs, (steps) => {
        const [before, after] = [steps.map(([was]) => was), steps.map(([, is]) => is)];
        const words = findUnusual(
          offers({ ...plain, our_price: schedule(before) }),
          offers({ ...plain, our_price: schedule(after) }),
        ).words.filter((word) => /^(?:down|up) by/.test(word));
        const changes = steps.map(([was, is]) => Math.round((is / was - 1) * 1e6) / 1e4);
        const [least, most] = [Math.min(...changes), Math.max(...changes)];
        const format = (value: number) => Math.floor(Math.abs(value)).toLocaleString('en-US');
        expect(words).toEqual([
          ...(least < -30 ? [`down by ${format(least)} %`] : []),
          ...(most > 100 ? [`up by ${format(most)} %`] : []),
        ]);
      }),
    );
  });

  it.each([
    ['of a time that is new, with every one', [20, 18], [20, 18, 9], ['down by 55 %', 'price in 3 steps']],
    ['of a time that is over, with what is left', [20, 9, 18], [20, 9], ['down by 50 %', 'price in 2 steps']],
    ['of a bound that was there, those that move', [11, 4], [12, 4], ['price in 2 steps']],
    [
      'of a bound that was there, those that move below it',
      [11, 12],
      [11, 9],
      ['below the minimum price of 10.00 EUR', 'price in 2 steps'],
    ],
    [
      'what rises from the lowest above nothing',
      [0, 10, 20],
      [0, 10, 20, 30],
      ['up by 200 %', 'price in 4 steps'],
    ],
    ['a step of nothing that was there', [11, 0], [12, 0], ['price in 2 steps']],
  ])('steps: %s', (name, was, is, words) => {
    const bound = name.includes('bound') ? { minimum_seller_allowed_price: amount(10) } : {};
    const [before, after] = [was, is].map((all) => offers({ ...plain, ...bound, our_price: schedule(all) }));
    expect(findUnusual(before, after).words).toEqual(words);
  });

  it('a bound that moves is held against what stays', () => {
    const bound = (least: number, most: number) => ({
      minimum_seller_allowed_price: amount(least),
      maximum_seller_allowed_price: amount(most),
    });
    const words = (...more: object[]) =>
      findUnusual(...([offers({ ...plain, ...more[0] }), offers({ ...plain, ...more[1] })] as const)).words;
    expect(words(bound(10, 30), bound(25, 30))).toEqual(['below the minimum price of 25.00 EUR']);
    expect(words(bound(10, 30), bound(10, 15))).toEqual(['above the maximum price of 15.00 EUR']);
    const sale = { discounted_price: amount(12) };
    expect(words({ ...sale, ...bound(10, 30) }, { ...sale, ...bound(13, 30) })).toEqual([
      'sale price below the minimum price of 13.00 EUR',
    ]);
    expect(words(sale, { ...sale, our_price: amount(11.9) })).toEqual([
      'down by 40 %',
      'sale price not below the price',
    ]);
  });
});
