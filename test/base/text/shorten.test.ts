import { toUSVString } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortenToCharacters, shortenToTokens, takeLines, tokensOf } from '../../../src/base/text/shorten.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 400 }).map((any) => any.replaceAll('«', '<'));
const remark = (missing: number) => `... and ${missing} more`;

describe('shortenToTokens', () => {
  it('fits, keeps the beginning whole, and counts what is missing', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 30, max: 200 }), (whole, maxTokens) => {
        const short = shortenToTokens(whole, maxTokens);
        expect(Buffer.byteLength(short)).toBeLessThanOrEqual(maxTokens * 3);
        if (short === whole) return;
        const [, kept = '', missing] = /^([\s\S]*)\.\.\. \((\d+) more characters\)$/.exec(short) ?? [];
        expect(whole.startsWith(kept)).toBe(true);
        expect(kept.length + Number(missing)).toBe(whole.length);
      }),
    );
  });

  it('closes what a cut has opened between « and »', () => {
    const message = `getThing: 400: «${'x'.repeat(300)}» and «more»`;
    expect(shortenToTokens(message, 80)).toMatch(/^getThing: 400: «x{100,}»\.\.\. \(\d+ more characters\)$/);
    expect(shortenToCharacters(message, 50)).toMatch(/^getThing: 400: «x+»\.\.\. /);
    expect(shortenToCharacters(message, 319)).toMatch(/x» a\.\.\. /);
    expect(shortenToCharacters('only ours', 4)).toBe('only... (5 more characters)');
  });
});

describe('takeLines', () => {
  it('takes the first lines that fit, with the count of the others', () => {
    fc.assert(
      fc.property(fc.array(text), fc.integer({ min: 30, max: 400 }), (lines, maxTokens) => {
        const taken = takeLines(lines, maxTokens, remark);
        expect(Buffer.byteLength(taken.join('\n'))).toBeLessThanOrEqual(maxTokens * 3);
        if (taken.length === lines.length && taken.every((line, at) => line === lines[at])) return;
        expect(taken.slice(0, -1)).toEqual(lines.slice(0, taken.length - 1));
        expect(taken.at(-1)).toBe(remark(lines.length - taken.length + 1));
      }),
    );
  });

  it('takes all that fit exactly: behind the last one there is nothing to say', () => {
    fc.assert(
      fc.property(fc.array(text), text, (lines, end) => {
        const all = [...lines, `${'x'.repeat(90)}${end}`];
        const bytes = Buffer.byteLength(`${all.join('\n')}\n`);
        expect(takeLines(all, Math.ceil(bytes / 3), remark)).toEqual(all);
      }),
    );
  });
});

it('shortenToCharacters keeps the beginning and counts the rest, also what was cut before', () => {
  expect(shortenToCharacters('abcdef', 6)).toBe('abcdef');
  expect(shortenToCharacters('abcdef', 4)).toBe('abcd... (2 more characters)');
  expect(shortenToCharacters('abcdef', 4, 10)).toBe('abcd... (12 more characters)');
});

it('tokensOf counts UTF-8 bytes / 3, rounded up', () => {
  expect(['', 'a', 'abc', 'abcd', '\u20AC\u20AC'].map(tokensOf)).toEqual([0, 1, 1, 2, 2]);
});

it.each([1, 2, 3, 4])('a cut at %d leaves no half of a character, and counts what is missing', (most) => {
  const whole = 'a😀😀b';
  const short = shortenToCharacters(whole, most);
  expect(toUSVString(short)).toBe(short);
  const kept = short.split('...')[0] ?? '';
  expect(short).toContain(`(${whole.length - kept.length} more characters)`);
});
