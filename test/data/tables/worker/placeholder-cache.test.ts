/** Marks and their values both ways: every mark is that of its value, and those that came last lead back to theirs. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRecentPairs } from '../../../../src/data/tables/worker/placeholder-cache.ts';
import type { PersonalKind } from '../../../../src/privacy/personal/kinds.ts';
import { createPlaceholderMaker } from '../../../../src/privacy/personal/placeholders.ts';

const KEY = new Uint8Array(32).fill(7);

it('whatever is marked, within its bound', () => {
  const value = fc.oneof(fc.nat({ max: 9 }), fc.constantFrom('Anna', 'Bo', '1', '10115'), fc.bigInt(0n, 3n));
  const kind = fc.constantFrom<PersonalKind[]>('buyer name', 'postcode', 'phone');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(kind, value), { maxLength: 40 }),
      fc.constantFrom(2, 6, 1_000),
      (steps, most) => {
        const pairs = createRecentPairs(KEY, 'acme', most);
        const marker = createPlaceholderMaker(KEY, 'acme');
        const last = new Map<string, string>();
        for (const [of, one] of steps) {
          const mark = pairs.mark(of, one);
          expect(mark).toBe(marker.mark(of, String(one)));
          expect(String(pairs.resolve(mark))).toBe(String(one));
          last.delete(mark);
          last.set(mark, String(one));
        }
        const known = [...last].filter(([mark]) => pairs.resolve(mark) !== undefined);
        expect(known.length).toBeLessThanOrEqual(most);
        for (const [mark, text] of known) expect(String(pairs.resolve(mark))).toBe(text);
      },
    ),
  );
});

it('half of what fits is known at least, and what comes again counts as the last', () => {
  const pairs = createRecentPairs(KEY, 'acme', 4);
  const marks = ['a', 'b', 'a', 'c', 'a', 'd', 'e'].map((one) => pairs.mark('buyer name', one));
  const [a = '', b = '', , c = '', , d = '', e = ''] = marks;
  expect([a, b, c, d, e].map((mark) => pairs.resolve(mark))).toEqual(['a', undefined, 'c', 'd', 'e']);
});
