import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  changeOutsidePlaceholders,
  cutOutsidePlaceholders,
} from '../../../src/privacy/personal/outside-placeholders.ts';

const someMark = fc.constantFrom('«buyer name 3f2ak9xq»', '«postcode 101.. 3f2ak9xq»', '«phone 0aaaaaaa»');
/** Signs of a mark by themselves, a character of two units, a mark with a letter too many. */
const someText = fc.string({
  unit: fc.constantFrom('a', ' ', '«', '»', '👤', '«phone 0aaaaaaaa»'),
  maxLength: 6,
});
/** Words, and behind each a mark. */
const someParts = fc.array(fc.tuple(someText, someMark), { maxLength: 3 });

it('a text is cut behind so many characters, and a mark that begins in them stays whole', () => {
  fc.assert(
    fc.property(someParts, someText, fc.nat(80), (parts, last, most) => {
      let before = '';
      let expected: string | undefined;
      for (const [words, mark] of parts) {
        before += words;
        if (before.length < most && most < before.length + mark.length) expected = before + mark;
        before += mark;
      }
      const text = before + last;
      expected ??= text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
      expect(cutOutsidePlaceholders(text, most)).toBe(expected);
    }),
    { numRuns: 200 },
  );
});

it('a text is changed everywhere but in its marks', () => {
  fc.assert(
    fc.property(someParts, someText, (parts, last) => {
      const bracketed = (piece: string) => `[${piece}]`;
      const expected = parts.map(([words, mark]) => bracketed(words) + mark).join('') + bracketed(last);
      expect(changeOutsidePlaceholders(parts.flat().join('') + last, bracketed)).toBe(expected);
    }),
  );
});
