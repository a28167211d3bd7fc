/** Tests the effect of an issue on a listing: the most harmful of its actions, in the present or the conditional. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { effectOf, formatEffect, suppressionOf } from '../../../src/data/review/suppression.ts';

/** Most harmful first. */
const ACTIONS = [
  ['CATALOG_ITEM_REMOVED', 'removed', 'altogether', 'catalog item removed', 'catalog item would be removed'],
  ['LISTING_SUPPRESSED', 'listing', 'altogether', 'suppressed altogether', 'would be suppressed altogether'],
  ['SEARCH_SUPPRESSED', 'search', 'search', 'hidden from search', 'would be hidden from search'],
  ['ATTRIBUTE_SUPPRESSED', 'attribute', undefined, 'values not shown', 'values would not be shown'],
  ['SOMETHING_NEW', 'other', undefined, 'other enforcement', 'other enforcement'],
] as const;

it.each(ACTIONS)('%s is %s, which keeps a listing from: %s', (action, effect, suppressed, words, would) => {
  expect(effectOf([action])).toBe(effect);
  expect(suppressionOf(effect)).toBe(suppressed);
  expect([formatEffect(effect), formatEffect(effect, true)]).toEqual([words, would]);
});

it('of several actions the most harmful counts, in whatever order they come', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 4 }), { minLength: 1 }), (picked) => {
      const most = ACTIONS[Math.min(...picked)];
      expect(effectOf(picked.map((at) => ACTIONS[at]?.[0] ?? ''))).toBe(most?.[1]);
    }),
  );
});

it('no action enforces nothing, exempt or not; names of every object are none that is known', () => {
  expect(effectOf([])).toBe('none');
  expect(suppressionOf('none')).toBeUndefined();
  expect([formatEffect('none'), formatEffect('none', true)]).toEqual([
    'nothing enforced',
    'nothing enforced',
  ]);
  expect(effectOf(['toString'])).toBe('other');
  expect(formatEffect('of a newer version')).toBe('other enforcement');
});
