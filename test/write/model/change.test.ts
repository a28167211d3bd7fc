/**
 * Tests how a read-back is compared with what was sent: each difference is a conflict or not visible yet, by
 * the earlier value.
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { valueAt } from '../../../src/base/json-difference.ts';
import { sortReadBack } from '../../../src/write/model/change.ts';
import { attributeDifference } from '../../../src/write/model/listing/compare-attribute.ts';

const NAMES = ['a', 'b', 'c'] as const;
const value = fc.constantFrom(undefined, null, 0, 1, 'x', { in: [1] });
const state = fc.record({ a: value, b: value, c: value }, { requiredKeys: [] });

it('what reads as it did before is not visible yet, anything else is not as sent; where nothing was read before, nobody says that it may come', () => {
  fc.assert(
    fc.property(fc.option(state, { nil: undefined }), state, state, (before, sent, found) => {
      const differences = NAMES.filter((name) => !isSame(sent[name], found[name])).map((name) =>
        attributeDifference([name], sent[name], found[name]),
      );
      const sorted = sortReadBack(differences, before);
      const isOld = (name: string) =>
        before !== undefined && isSame(valueAt(before, [name]), valueAt(found, [name]));
      expect(sorted.notYet).toEqual(differences.filter(({ path }) => isOld(path)));
      expect(sorted.differences).toEqual(differences.filter(({ path }) => !isOld(path)));
    }),
  );
});

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
