/** Offers in words: what is sent stands there as it is, and its moments in the marketplace's local time too. */

import { describe, expect, it } from 'vitest';
import { marketplaces } from '../../../../src/service/facts/marketplaces.ts';
import { memberParts } from '../../../../src/write/model/listing/format-offer.ts';
import { expectOnlyIn } from '../../../helpers/only-in.ts';

const sale = (marketplace_id: string, start_at: string, end_at: string) => ({
  marketplace_id,
  currency: 'EUR',
  discounted_price: [{ schedule: [{ value_with_tax: 15, start_at, end_at }] }],
});
const describeOffer = (before: object | undefined, after: object | undefined) =>
  memberParts('purchasable_offer', before, after)?.join('; ');

describe('the moments of a sale', () => {
  it('stand there as sent, then in local time with its zone once', () => {
    expect(
      describeOffer(undefined, sale('A1PA6795UKMFR9', '2026-11-30T23:00:00Z', '2026-12-24T23:00:00Z')),
    ).toContain(
      'sale price: none -> 15.00 EUR (2026-11-30T23:00:00Z to 2026-12-24T23:00:00Z, in Europe/Berlin 2026-12-01 00:00 to 2026-12-25 00:00)',
    );
  });

  it('stand there once where they are days, or local already', () => {
    expect(
      describeOffer(sale('A1PA6795UKMFR9', '2026-12-01', '2026-12-24T23:00:00+01:00'), undefined),
    ).toContain('sale price: 15.00 EUR (2026-12-01 to 2026-12-24T23:00:00+01:00) -> removed');
  });

  it.each(marketplaces().map(({ name, ...one }) => [name, one] as const))(
    '%s has its zone',
    (_name, { id, timeZone }) => {
      const words = describeOffer(undefined, sale(id, '2026-11-30T23:37:11Z', '2026-12-24'));
      const local = new Date('2026-11-30T23:37:11Z').toLocaleTimeString('en-GB', { timeZone });
      expect(words).toMatch(/\(2026-11-30T23:37:11Z to 2026-12-24(, in|\))/);
      if (timeZone !== 'Europe/London' && timeZone !== 'Europe/Dublin')
        expect(words).toContain(`in ${timeZone} 20`);
      expect(words).toContain(local);
    },
  );

  it.each([undefined, 7, 'elsewhere'])(
    'of marketplace %j, which is not known, are those of this computer',
    (marketplace_id) => {
      const at = { end_at: '2026-12-01T00:00:00Z' };
      expect(describeOffer({ marketplace_id }, { marketplace_id, ...at })).toMatch(
        /^offered until: none -> 2026-12-01T00:00:00Z(?:, in|$)/,
      );
      expect(describeOffer({ marketplace_id, ...at }, undefined)).toMatch(/-> removed$/);
    },
  );

  it('an offer has a beginning of its own', () => {
    const offer = { marketplace_id: 'A1VC38T7YXB528', start_at: { value: '2026-12-01T00:00:00Z' } };
    expect(describeOffer(undefined, offer)).toContain(
      'offered from: none -> 2026-12-01T00:00:00Z, in Asia/Tokyo 2026-12-01 09:00',
    );
  });
});

describe('a member', () => {
  const step = (more: object, currency: unknown = 'EUR') => ({
    currency,
    our_price: [{ schedule: [{ value_with_tax: 15, ...more }] }],
  });
  const day = { value: '2026-12-01' };
  it.each([
    [step({}), 'price: none -> 15.00 EUR'],
    [step({ start_at: '2026-12-01' }), 'price: none -> 15.00 EUR (from 2026-12-01)'],
    [step({ end_at: day }), 'price: none -> 15.00 EUR (until 2026-12-01)'],
    [step({ start_at: day, end_at: '2026-12-02' }), 'price: none -> 15.00 EUR (2026-12-01 to 2026-12-02)'],
    [
      { currency: 'EUR', our_price: [{ schedule: [{ value_with_tax: 15 }, { value_with_tax: 12 }] }] },
      'price: none -> 15.00 EUR, then 12.00 EUR',
    ],
    [{ start_at: day }, 'offered from: none -> 2026-12-01'],
    [
      { start_at: '2026-12-01T00:00:00.123456+09:00' },
      'offered from: none -> 2026-12-01T00:00:00.123456+09:00, in Europe/Berlin 2026-11-30 16:00',
    ],
    [{ end_at: '2026-12-01T10:30' }, 'offered until: none -> 2026-12-01T10:30'],
    [{ end_at: '2026-12-01T10:30+0100' }, 'offered until: none -> 2026-12-01T10:30+0100'],
  ])('of %j is told in short', (after, words) =>
    expect(describeOffer({}, { marketplace_id: 'A1PA6795UKMFR9', ...after })).toBe(words),
  );

  const WHOLE = 'price: none -> «[{ "schedule": [';
  const CURRENCY = '] }]»; currency: none -> "EUR"';
  it.each([
    [step({ value_with_tax: '15' }), `${WHOLE}{ "value_with_tax": "15" }${CURRENCY}`],
    [step({ lower_bound: 2 }), `${WHOLE}{ "value_with_tax": 15, "lower_bound": 2 }${CURRENCY}`],
    [step({ start_at: 'soon' }), `${WHOLE}{ "value_with_tax": 15, "start_at": "soon" }${CURRENCY}`],
    [
      step({ end_at: { ...day, zone: 'x' } }),
      `${WHOLE}{ "value_with_tax": 15, "end_at": { "value": "2026-12-01", "zone": "x" } }${CURRENCY}`,
    ],
    [{ currency: 'EUR', our_price: [{ schedule: [7] }] }, `${WHOLE}7${CURRENCY}`],
    [
      { currency: 'EUR', our_price: [{ schedule: [] }] },
      'price: none -> «[{ "schedule": an empty list }]»; currency: none -> "EUR"',
    ],
    [
      { currency: 'EUR', our_price: [{ schedule: [{ value_with_tax: 15 }, 7] }] },
      `${WHOLE}{ "value_with_tax": 15 }, 7${CURRENCY}`,
    ],
    [step({}, null), `${WHOLE}{ "value_with_tax": 15 }] }]»; currency: none -> «null»`],
    [step({ start_at: 20_261_201 }), `${WHOLE}{ "value_with_tax": 15, "start_at": 20261201 }${CURRENCY}`],
    [{ start_at: 'on 2026-12-01' }, 'offered from: none -> "on 2026-12-01"'],
    [{ start_at: '2026-12-01 or so' }, 'offered from: none -> "2026-12-01 or so"'],
    [{ end_at: { value: 20_261_201 } }, 'offered until: none -> «{ "value": 20261201 }»'],
  ])('of %j is told as it is, with the currency that no price tells', (after, words) =>
    expect(describeOffer({}, after)).toBe(words),
  );

  it('is told where it differs alone, and the currency where that differs alone', () => {
    const [euros, dollars] = [step({}), step({}, 'USD')];
    expect(describeOffer(euros, euros)).toBe('');
    expect(describeOffer(euros, dollars)).toBe('currency: "EUR" -> "USD"');
    expect(describeOffer(euros, step({ value_with_tax: 14 }))).toBe('price: 15.00 EUR -> 14.00 EUR');
    expect(describeOffer(euros, step({ value_with_tax: 14 }, 'USD'))).toBe('price: 15.00 EUR -> 14.00 USD');
    const odd = describeOffer(step({ value_with_tax: '1' }), step({ value_with_tax: '2' }));
    expectOnlyIn('currency', describeOffer(euros, dollars), odd);
    expect(describeOffer(undefined, { currency: 'EUR' })).toBe('currency: none -> "EUR"');
    expect(describeOffer(dollars, undefined)).toBe('price: 15.00 USD -> removed');
    expect(describeOffer({}, { condition: 'used' })).toBe('purchasable_offer.condition: none -> "used"');
  });

  it('of a stock has words of its own, and of anything else none', () => {
    const stock = (before: unknown, after: unknown) => memberParts('fulfillment_availability', before, after);
    expect(stock({ lead_time_to_ship_max_days: 1 }, { quantity: 5, lead_time_to_ship_max_days: 3 })).toEqual([
      'handling time: 1 day -> 3 days',
      'quantity: none -> 5',
    ]);
    expect(stock({}, { lead_time_to_ship_max_days: '3', our_price: 1 })).toEqual([
      'handling time: none -> "3"',
      'fulfillment_availability.our_price: none -> 1',
    ]);
    expect([
      stock([], {}),
      stock({}, 'x'),
      memberParts('item_name', {}, {}),
      memberParts('constructor', {}, {}),
    ]).toEqual(Array(4).fill(undefined));
  });
});
