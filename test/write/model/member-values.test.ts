/** Values of a change member by member: whatever differs has a row, whatever is the same has none. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/base/canonical-json.ts';
import { adapterOf } from '../../../src/write/model/find-adapter.ts';
import { compareAttributes } from '../../../src/write/model/listing/listing-change.ts';
import { percentOf } from '../../../src/write/model/member-values.ts';
import type { ChangedValues } from '../../../src/write/model/subject-adapter.ts';

const memberValues = (change: ChangedValues) => adapterOf(change.subject).values(change);

const DE = 'A1PA6795UKMFR9';
const amount = fc.oneof(
  fc.integer({ min: 0, max: 9_999 }).map((cents) => cents / 100),
  fc.constant('12.00'),
);
const step = fc.record(
  {
    value_with_tax: amount,
    start_at: fc.constantFrom('2026-12-01', '2026-12-02'),
    end_at: fc.constant('2027-01-01'),
  },
  { requiredKeys: ['value_with_tax'] },
);
const price = fc.oneof(
  fc.array(step, { minLength: 1, maxLength: 2 }).map((schedule) => [{ schedule }]),
  fc.constant([]),
  fc.constant([{ schedule: [{ value_with_tax: 5, more: 1 }] }]),
);
const entryMembers = {
  marketplace_id: fc.constantFrom(DE, 'A13V1IB3VIYZZH'),
  audience: fc.constantFrom('ALL', 'B2B'),
};
const offer = fc.record(
  {
    ...entryMembers,
    currency: fc.constantFrom('EUR', 'GBP'),
    our_price: price,
    discounted_price: price,
    minimum_seller_allowed_price: price,
    quantity_discount_plan: fc.constantFrom([{ a: 1 }], [{ a: 2 }]),
  },
  { requiredKeys: ['marketplace_id'] },
);
const stock = fc.record(
  { fulfillment_channel_code: fc.constantFrom('DEFAULT', 'AMAZON_EU'), quantity: fc.nat(9) },
  { requiredKeys: ['quantity'] },
);
const plain = fc.record(
  { value: fc.constantFrom('a', 'b', 0.4), unit: fc.constant('kilograms'), ...entryMembers },
  { requiredKeys: ['value'] },
);
const attributes = fc.record(
  {
    purchasable_offer: fc.array(offer, { minLength: 1, maxLength: 3 }),
    fulfillment_availability: fc.array(stock, { minLength: 1, maxLength: 2 }),
    bullet_point: fc.array(plain, { minLength: 1, maxLength: 3 }),
    list_price: fc.array(fc.record({ value: amount, currency: fc.constantFrom('EUR', 'GBP') }), {
      minLength: 1,
      maxLength: 1,
    }),
  },
  { requiredKeys: [] },
);
const changeOf = (before: object, after: object): ChangedValues => ({
  subject: { kind: 'listing', sku: 'L' },
  places: [DE],
  before,
  after,
  differences: compareAttributes(Object(before), Object(after)),
});

describe('memberValues', () => {
  it('has a row for what differs, each of them different, and none for what is the same', () => {
    fc.assert(
      fc.property(attributes, attributes, (before, after) => {
        expect(memberValues(changeOf(before, before))).toEqual([]);
        const rows = memberValues(changeOf(before, after));
        for (const row of rows) expect(row.old).not.toBe(row.new);
        const sorted = (entries: readonly unknown[] = []) => entries.map(canonicalJson).sort().join();
        const differing = Object.keys({ ...before, ...after }).filter(
          (name) => sorted(Object(before)[name]) !== sorted(Object(after)[name]),
        );
        expect(rows.length).toBeGreaterThanOrEqual(differing.length);
      }),
      { numRuns: 500 },
    );
  });

  it('gives prices as numbers with their currency, dates and places in the words of the question', () => {
    const at = { marketplace_id: DE, currency: 'EUR' };
    const priced = (value: number) => [{ schedule: [{ value_with_tax: value }] }];
    const sale = [{ schedule: [{ value_with_tax: 8, start_at: '2026-12-01', end_at: '2026-12-24' }] }];
    const before = {
      purchasable_offer: [
        { ...at, our_price: priced(20) },
        { ...at, audience: 'B2B', our_price: priced(18) },
      ],
    };
    const after = {
      purchasable_offer: [
        { ...at, our_price: priced(10), discounted_price: sale },
        { ...at, audience: 'B2B', our_price: priced(9) },
      ],
    };
    expect(memberValues(changeOf(before, after))).toEqual([
      { member: 'price', old: 20, new: 10, currency: 'EUR' },
      { member: 'sale price', old: null, new: 8, currency: 'EUR' },
      { member: 'sale price, from', old: null, new: '2026-12-01' },
      { member: 'sale price, until', old: null, new: '2026-12-24' },
      { member: 'price (business customers)', old: 18, new: 9, currency: 'EUR' },
    ]);
  });

  it('gives an amount beside its currency as a number, each currency by itself', () => {
    const list = (value: number, currency: string) => ({
      list_price: [{ value, currency, marketplace_id: DE }],
    });
    const values = (from: object, to: object) => memberValues(changeOf(from, to));
    expect(values(list(10, 'EUR'), list(12, 'EUR'))).toEqual([
      { member: 'list price', old: 10, new: 12, currency: 'EUR' },
    ]);
    expect(values({}, list(12, 'GBP'))).toEqual([
      { member: 'list price', old: null, new: 12, currency: 'GBP' },
    ]);
    expect(values(list(10, 'EUR'), list(10, 'GBP'))).toEqual([
      { member: 'list price', old: 10, new: null, currency: 'EUR' },
      { member: 'list price', old: null, new: 10, currency: 'GBP' },
    ]);
  });

  it('tells opening hours of a store by their day', () => {
    const segments = ['configuration', 'operationalConfiguration', 'operatingHoursByDay', 'sunday'];
    const before = [{ startTime: '11:00', endTime: '16:00' }];
    const differences = [{ path: '', segments, kind: 'changed' as const, before, after: [] }];
    expect(memberValues({ subject: { kind: 'store', id: 's' }, places: [], differences })).toEqual([
      { member: 'opening hours, Sunday', old: '11:00-16:00', new: 'closed' },
    ]);
  });
});

describe('percentOf', () => {
  it('is on the side of a whole number on which the change is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 0, max: 100_000 }), (old, next) => {
        const percent = percentOf({ old: old / 100, new: next / 100 }) ?? 0;
        for (const whole of [-75, -50, -30, -25, -10, 0, 10, 100]) {
          const exact = Math.sign(next * 100 - old * (100 + whole));
          expect(Math.sign(percent - whole) * exact).toBeGreaterThanOrEqual(exact === 0 ? 0 : 1);
        }
      }),
    );
  });
});
