/** Tests the summary of a long batch: each hidden amount lies in its range, and nothing else is hidden. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { supplySourceWrite } from '../../../../src/service/facts/documented-operations.ts';
import { describeBatchQuestion } from '../../../../src/write/approval/batch/batch-question.ts';
import type { BatchRow } from '../../../../src/write/approval/batch/batch-rows.ts';
import { compareAttributes } from '../../../../src/write/model/listing/listing-change.ts';
import { findUnusual } from '../../../../src/write/model/listing/unusual.ts';
import { RUNS_ALL } from '../../../helpers/launch.ts';
import { amount, DE } from '../../handlers/listing/helpers.ts';
import { OWNER } from '../../run/open-guard.ts';

const steps = (...values: unknown[]) => [
  {
    schedule: values.map((value_with_tax, at) => ({
      value_with_tax,
      ...(at > 0 && { start_at: '2027-01-01' }),
    })),
  },
];

/** The wanted values of one listing, whose price was 100 EUR. */
interface Wanted {
  /** Each in its own form. */
  members: Record<string, unknown>;
  attributes: Record<string, readonly unknown[]>;
  /** The new amounts as shares of the old ones. */
  shares: number[];
  /** The amounts that are set where there was none. */
  fresh: number[];
  isPlain: boolean;
}
const near = fc.integer({ min: 9_000, max: 9_999 }).map((cents) => cents / 100);
const any = fc.oneof(near, fc.constantFrom(0.01, 1, 250, 100_000));
const plain = (members: Wanted['members'], shares: number[]): Wanted => ({
  members,
  shares,
  attributes: {},
  fresh: [],
  isPlain: true,
});
const odd = (members: Wanted['members'], attributes: Wanted['attributes'] = {}): Wanted => ({
  members,
  attributes,
  shares: [],
  fresh: [],
  isPlain: false,
});
const share = (price: number) => price / 100 - 1;
const stock = (more: object) => ({
  fulfillment_availability: [{ fulfillment_channel_code: 'DEFAULT', marketplace_id: DE, ...more }],
});

const usual = near.map((price) => plain({ our_price: amount(price) }, [share(price)]));
const rare = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('our_price', 'discounted_price', 'minimum_seller_allowed_price'),
      fc.array(any, { minLength: 1, maxLength: 3 }),
    )
    .map(([name, prices]) => plain({ [name]: steps(...prices) }, prices.map(share))),
  fc.integer({ min: 0, max: 50 }).map(
    (quantity): Wanted => ({
      ...plain({}, []),
      attributes: stock({ quantity }),
      shares: [quantity / 10 - 1],
    }),
  ),
  fc.integer({ min: 0, max: 9 }).map(
    (days): Wanted => ({
      ...plain({}, []),
      attributes: stock({ quantity: 10, lead_time_to_ship_max_days: days }),
      fresh: [days],
    }),
  ),
  fc.double({ min: 0.001, max: 90, noNaN: true }).map(
    (weight): Wanted => ({
      ...plain({}, []),
      attributes: { item_weight: [{ value: weight, unit: 'kilograms', marketplace_id: DE }] },
      fresh: [weight],
    }),
  ),
  any.map((price) => odd({ our_price: steps(String(price)) })),
  any.map((price) => odd({ our_price: price })),
  any.map((price) => odd({ our_price: [{ schedule: [{ value_with_tax: 99, value_without_tax: price }] }] })),
  any.map((value) =>
    odd({
      quantity_discount_plan: [
        { schedule: [{ discount_type: 'percent', levels: [{ lower_bound: 2, value }] }] },
      ],
    }),
  ),
  any.map((value) => odd({}, { list_price: [{ currency: 'EUR', value: `${value}`, marketplace_id: DE }] })),
);

const BEFORE = {
  purchasable_offer: [{ currency: 'EUR', audience: 'ALL', marketplace_id: DE, our_price: amount(100) }],
  ...stock({ quantity: 10 }),
};

function toRow({ members, attributes }: Wanted, at: number): BatchRow {
  const after = {
    ...BEFORE,
    purchasable_offer: BEFORE.purchasable_offer.map((offer) => ({ ...offer, ...members })),
    ...attributes,
  };
  const { words, amounts } = findUnusual(BEFORE, after);
  return {
    key: `SKU-${at}`,
    parameters: {},
    filledIn: {},
    unusual: words,
    amounts,
    change: {
      subject: { kind: 'listing', sku: `SKU-${at}` },
      places: [DE],
      toldParameters: [],
      warnings: [],
      before: BEFORE,
      after,
      differences: compareAttributes(BEFORE, after),
      isWhole: true,
    },
  };
}

const NUMBER = String.raw`(-?[\d.e+-]+)`;
/** Each range in the words, `by` one that is none. */
function rangesIn(words: string, end: string, before: string): [number, number][] {
  const two = [
    ...words.matchAll(new RegExp(`${before}between \\+?${NUMBER}${end} and \\+?${NUMBER}${end}`, 'g')),
  ];
  const one = [...words.matchAll(new RegExp(`(?:${end === '' ? before : 'by '})\\+?${NUMBER}${end}`, 'g'))];
  return [
    ...two.map(([, least, most]): [number, number] => [Number(least), Number(most)]),
    ...one.map(([, only]): [number, number] => [Number(only), Number(only)]),
  ];
}
const isIn = (ranges: readonly [number, number][], value: number) =>
  ranges.some(([least, most]) => value >= least - 1e-4 && value <= most + 1e-4);

it('every amount among the hidden rows lies in the range that is told; nothing hidden is no plain amount', () => {
  let hiddenOdd = 0;
  fc.assert(
    fc.property(
      fc.array(usual, { minLength: 31, maxLength: 50 }),
      fc.array(rare, { minLength: 1, maxLength: 200, size: 'max' }),
      (many, few) => {
        const all = [...many, ...few];
        const rows = all.map(toRow);
        const preview = describeBatchQuestion({
          head: 'some',
          operation: supplySourceWrite(),
          account: 'default',
          rows,
          request: { method: 'PATCH', owner: OWNER },
        });
        const shown = new Set(preview.shown.map(({ key }) => key));
        const rest = preview.rest() ?? '';
        expect(preview.text()).toContain(rest);
        const [relative = '', fresh = ''] = rest.split('; set where there was none: ');
        const shares = rangesIn(relative, ' %', '');
        const numbers = rangesIn(fresh.replace(/; beside.*|, \d+ of them out.*/, ''), '', ' ');
        let unsummed = 0;
        for (const [at, one] of all.entries()) {
          if (shown.has(`SKU-${at}`)) continue;
          if (!one.isPlain) unsummed += 1;
          for (const value of one.shares) expect(value === 0 || isIn(shares, value * 100)).toBe(true);
          for (const value of one.fresh) expect(isIn(numbers, value)).toBe(true);
        }
        // A list that would hide any is refused.
        expect(preview.unsummed).toBe(unsummed);
        hiddenOdd += unsummed;
        const odd = all.filter(({ isPlain }) => !isPlain).length;
        if (odd <= 25) expect(unsummed).toBe(0);
      },
    ),
    { numRuns: RUNS_ALL ? 60 : 20 },
  );
  // Some of the lists are too much for a question.
  expect(hiddenOdd).toBeGreaterThan(0);
}, 300_000);
