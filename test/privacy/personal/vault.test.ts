/** A mark stands for what was added under it for that account: a number stays one, and two values make it stand for neither. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createVault, type OriginalValue } from '../../../src/privacy/personal/vault.ts';

const ACCOUNTS = ['default', 'other'];
const MARKS = ['«phone 3f2ak9xq»', '«tax number 4aaaaaaa»'];

const added = fc.record({
  account: fc.constantFrom(...ACCOUNTS),
  mark: fc.constantFrom(...MARKS),
  original: fc.constantFrom<OriginalValue>(4_930_123, '4930123', '04930123', 12),
});

/** Returns the one value that is meant, as a text where it came as one, which most members accept. */
function meantBy(originals: readonly OriginalValue[]) {
  if (originals.length === 0) return 'unknown';
  if (new Set(originals.map(String)).size > 1) return 'twice';
  const text = originals.find((original) => typeof original === 'string');
  return { original: text ?? originals[0] };
}

it('is found by its account, as it was given', () => {
  fc.assert(
    fc.property(fc.array(added, { maxLength: 5 }), (all) => {
      const vault = createVault();
      for (const { account, mark, original } of all) vault.add(account, mark, original);
      for (const account of ACCOUNTS) {
        for (const mark of MARKS) {
          const own = all.filter((one) => one.account === account && one.mark === mark);
          expect(vault.find(account, mark)).toEqual(meantBy(own.map(({ original }) => original)));
        }
      }
    }),
    { numRuns: 100 },
  );
});

it('of more than there is room for, the last are known: a text of megabytes takes the room of many', () => {
  const kept = (values: readonly string[]) => {
    const vault = createVault();
    values.forEach((value, at) => {
      vault.add('default', `«phone ${at}»`, value);
    });
    return values.flatMap((_, at) => (vault.find('default', `«phone ${at}»`) === 'unknown' ? [] : at));
  };
  // Half of the room, for a hundred characters each; and a little less.
  expect(kept(['a', 'x'.repeat(20_000_000), 'b'])).toEqual([1, 2]);
  expect(kept(['a', 'x'.repeat(19_000_000), 'b'])).toEqual([0, 1, 2]);
});
