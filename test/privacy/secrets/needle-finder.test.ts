/** Many known texts are looked for at once: it tells what a search for each of them would. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createNeedleFinder } from '../../../src/privacy/secrets/needle-finder.ts';

/**
 * The letters are few, so that parts of needles occur everywhere; two of the last share a slot with others.
 */
const letters = fc.constantFrom(...'aab«é🙂\u0000\u8000');
const words = (minLength: number, maxLength: number) => fc.string({ minLength, maxLength, unit: letters });

it('is true exactly where one of them stands', () => {
  const worlds = fc.record({
    needles: fc.array(words(3, 24), { maxLength: 12 }),
    texts: fc.array(words(0, 60), { minLength: 1, maxLength: 8 }),
    at: fc.nat(),
  });
  fc.assert(
    fc.property(worlds, ({ needles, texts, at }) => {
      const holdsAny = createNeedleFinder(needles);
      const needle = needles[at % Math.max(1, needles.length)] ?? '';
      const carriers = texts.flatMap((text) => [
        text,
        text + needle,
        needle + text,
        text + needle.slice(0, -1),
        text + needle.slice(1),
        `${text}${needle}${text}`,
      ]);
      for (const text of carriers) expect(holdsAny(text)).toBe(needles.some((each) => text.includes(each)));
    }),
    { numRuns: 2_000 },
  );
});

it('takes any number of needles of any length, and texts shorter than they', () => {
  expect(createNeedleFinder([])('anything')).toBe(false);
  expect(createNeedleFinder(['ab', 'long enough'])('x ab')).toBe(true);
  expect(createNeedleFinder(['long enough'])('long')).toBe(false);
  const alike = Array.from({ length: 3_000 }, (_, at) => `the same beginning, ${at} another end`);
  const holdsAny = createNeedleFinder(alike);
  expect(holdsAny(`${'x'.repeat(5_000)}the same beginning, 2999 another end`)).toBe(true);
  expect(holdsAny('the same beginning, 3000 another end')).toBe(false);
});
