import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shorten, takeLines } from '../../src/text/shorten.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 400 });
const remark = (missing: number) => `... and ${missing} more`;

describe('shorten', () => {
  it('fits, keeps the beginning whole, and counts what is missing', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 30, max: 200 }), (whole, maxTokens) => {
        const short = shorten(whole, maxTokens);
        expect(Buffer.byteLength(short)).toBeLessThanOrEqual(maxTokens * 3);
        if (short === whole) return;
        const [, kept = '', missing] = /^([\s\S]*)\.\.\. \((\d+) more characters\)$/.exec(short) ?? [];
        expect(whole.startsWith(kept)).toBe(true);
        expect(kept.length + Number(missing)).toBe(whole.length);
      }),
    );
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
});
