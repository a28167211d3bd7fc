/** Tests that the changes between two snapshots lead from the first to the second and say nothing of equal members. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  compareStates,
  type ListingStates,
  type ReviewedListingState,
  stateOfListing,
  withUnrequested,
} from '../../../src/data/review/compare-states.ts';
import { flattenListing } from '../../../src/data/review/listing-rows.ts';

const state: fc.Arbitrary<ReviewedListingState> = fc.record({
  suppressed: fc.constantFrom(null, 'search', 'altogether'),
  causes: fc.uniqueArray(fc.constantFrom('8541 brand', '90220', '18027'), { maxLength: 2 }),
  price: fc.constantFrom(null, 0, 9.99),
  currency: fc.constantFrom(null, 'EUR', 'USD'),
  stock: fc.constantFrom(null, 0, 3),
  buyable: fc.constantFrom(null, 0, 1),
  featured: fc.constantFrom(null, 0, 1),
});
const states: fc.Arbitrary<ListingStates> = fc
  .uniqueArray(fc.tuple(fc.constantFrom('A', 'B', 'C', 'D', 'E'), state), { selector: ([sku]) => sku })
  .map((all) => new Map(all));

const shown = ({ causes, currency: _, ...told }: ReviewedListingState) => ({
  ...told,
  causes: causes.length > 0 ? causes.join('; ') : null,
});

it('the changes alone make the second look out of the first', () => {
  fc.assert(
    fc.property(states, states, (before, after) => {
      const changes = compareStates(before, after);
      const made = new Map([...before].map(([sku, one]) => [sku, { ...shown(one) }]));
      for (const { sku, member, old, new: to, currency } of changes) {
        const [was, is] = [before.get(sku), after.get(sku)];
        if (member === 'listing') {
          expect([old, to, currency]).toEqual([was ? 'there' : null, is ? 'there' : null, null]);
          if (is === undefined) made.delete(sku);
          else made.set(sku, { ...shown(is) });
          continue;
        }
        const mine = made.get(sku);
        expect(mine?.[member]).toBe(old);
        if (mine !== undefined) Object.assign(mine, { [member]: to });
        expect(currency).toBe(member === 'price' ? (is?.currency ?? was?.currency) : null);
        if (old === to) expect([member, is?.currency]).not.toEqual(['price', was?.currency]);
      }
      expect(made).toEqual(new Map([...after].map(([sku, one]) => [sku, shown(one)])));
      for (const [sku, { currency }] of after) {
        const was = before.get(sku);
        const isOther = was !== undefined && was.currency !== currency;
        const isReported = changes.some((one) => one.sku === sku && one.member === 'price');
        if (isOther) expect(isReported).toBe(true);
      }
      const order = [...new Set([...before.keys(), ...after.keys()])];
      const positions = changes.map(({ sku }) => order.indexOf(sku));
      expect(positions).toEqual([...positions].sort((a, b) => a - b));
    }),
  );
});

it('what nobody asked for is as the look before has seen it, and all else as this one has', () => {
  fc.assert(
    fc.property(states, states, (before, now) => {
      const filled = withUnrequested(now, before);
      expect([...filled.keys()]).toEqual([...now.keys()]);
      for (const [sku, one] of now) {
        const featured = one.featured === null ? before.get(sku)?.featured : one.featured;
        expect(filled.get(sku)).toEqual({ ...one, featured: featured ?? null });
      }
    }),
  );
});

it('a listing is known by what suppresses it: each cause once, in one order, bounded, and no other issue', () => {
  const issue = fc.record({
    code: fc.constantFrom('8541', '90220', '18027'),
    attributes: fc.constantFrom([], ['brand'], ['brand', 'x'.repeat(200)]),
    actions: fc.constantFrom(['LISTING_SUPPRESSED'], ['SEARCH_SUPPRESSED'], []),
  });
  fc.assert(
    fc.property(fc.array(issue, { maxLength: 6 }), (all) => {
      const issues = all.map(({ code, attributes: attributeNames, actions }) => ({
        code,
        attributeNames,
        severity: 'ERROR',
        enforcements: {
          actions: actions.map((action) => ({ action })),
          exemption: { status: 'NO_EXEMPTION' },
        },
      }));
      const flat = flattenListing({ sku: 'A', issues }, { id: 'DE', name: 'Germany' }, 0);
      if (flat === undefined) throw new Error('it is a listing');
      const { causes } = stateOfListing(flat.row, flat.issues);
      const expected = flat.issues
        .filter(({ suppresses }) => suppresses === 1)
        .map(({ code, attribute_names: names }) => (names === null ? code : `${code} ${names}`));
      expect(causes).toEqual([...new Set(expected.map((one) => one.slice(0, 100)))].sort());
      expect(causes.length > 0).toBe(all.some(({ actions }) => actions.length > 0));
    }),
  );
});
