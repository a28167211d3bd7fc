/** Whatever is set, everything that was not named stays as it is, to the last member. */

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildPatches } from '../../../../src/write/handlers/listing/build-patches.ts';
import { readSet } from '../../../../src/write/handlers/listing/set-values.ts';
import { applyPatches } from '../../../../src/write/model/listing/apply-patches.ts';
import { amount, DE, listing, PLACE, SALE, text } from './helpers.ts';

const price = fc.integer({ min: 1, max: 999_999 }).map((cents) => cents / 100);
const offer = fc.record(
  {
    currency: fc.constant('EUR'),
    audience: fc.constantFrom('ALL', 'B2B', 'GOLD'),
    marketplace_id: fc.constant(DE),
    our_price: price.map(amount),
    discounted_price: fc.constant(SALE),
    minimum_seller_allowed_price: fc.constant(amount(0.01)),
    maximum_seller_allowed_price: fc.constant(amount(99_999)),
    points: fc.record({ points_number: fc.nat() }),
    other: fc.jsonValue(),
  },
  { requiredKeys: ['currency', 'audience', 'marketplace_id', 'our_price'] },
);
const offers = fc.uniqueArray(offer, { selector: ({ audience }) => audience, minLength: 1 });
const texts = fc.array(
  fc
    .tuple(fc.string({ minLength: 1 }), fc.constantFrom('de_DE', 'en_GB'))
    .map(([value, tag]) => text(value, tag)),
);

it('a price changes one member of the offer to everybody, or adds that offer', () => {
  fc.assert(
    fc.property(offers, texts, price, (purchasable_offer, bullet_point, wanted) => {
      const state = listing({ purchasable_offer, bullet_point });
      const read = readSet({ price: wanted });
      if ('problems' in read) throw new Error('refused');
      const built = buildPatches(state, read.values, PLACE);
      if ('problems' in built) throw new Error(JSON.stringify(built.problems));
      const made = applyPatches(state.attributes, built.patches, []);
      if ('problem' in made) throw new Error(made.problem);
      const all = { currency: 'EUR', audience: 'ALL', marketplace_id: DE };
      const hasOne = purchasable_offer.some(({ audience }) => audience === 'ALL');
      const expected = purchasable_offer.map((one) =>
        one.audience === 'ALL' ? { ...one, our_price: amount(wanted) } : one,
      );
      expect(made.after).toEqual({
        ...state.attributes,
        purchasable_offer: hasOne ? expected : [...expected, { ...all, our_price: amount(wanted) }],
      });
    }),
  );
});

it('bullet points of one language leave those of the others, in their order', () => {
  fc.assert(
    fc.property(
      texts,
      fc.array(
        fc.string({ minLength: 1 }).filter((one) => one.trim() !== ''),
        { minLength: 1, maxLength: 9 },
      ),
      (bullet_point, wanted) => {
        const state = listing({ bullet_point });
        const read = readSet({ bullet_points: wanted, language: 'de_DE' });
        if ('problems' in read) throw new Error('refused');
        const built = buildPatches(state, read.values, PLACE);
        if ('problems' in built) throw new Error(JSON.stringify(built.problems));
        const made = applyPatches(state.attributes, built.patches, []);
        if ('problem' in made) throw new Error(made.problem);
        const after = listing({ bullet_point: made.after.bullet_point }).attributes.bullet_point ?? [];
        const inLanguage = (entries: readonly unknown[], tag: string) =>
          entries.filter((entry) => JSON.stringify(entry).includes(`"language_tag":"${tag}"`));
        expect(inLanguage(after, 'en_GB')).toEqual(inLanguage(bullet_point, 'en_GB'));
        expect(inLanguage(after, 'de_DE')).toEqual(wanted.map((value) => text(value)));
      },
    ),
  );
});
