/** Lines, in whatever pieces they come: the same ones, each once, and a long one told with its place. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineSplitter } from '../../../src/data/documents/split-lines.ts';

/** Splits in pieces of the given size; a line may have ten characters. */
function split(text: string, size: number): string[] {
  const splitter = new LineSplitter(10, 'Line');
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += size) {
    lines.push(...splitter.push(text.slice(at, at + size)));
    expect(splitter.given).toBe(lines.length);
  }
  const before = text.slice(lines.reduce((sum, line) => sum + line.length, 0));
  expect(before.endsWith(splitter.unfinished)).toBe(true);
  lines.push(...splitter.end());
  expect([splitter.given, splitter.unfinished]).toEqual([lines.length, '']);
  return lines;
}

const line = fc.string({ unit: fc.constantFrom('a', 'ü', '\t'), maxLength: 9 });

it('any lines come as they are, ended in one way, the last with or without its end', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 9 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.boolean(),
      fc.integer({ min: 1, max: 30 }),
      (lines, end, isEnded, size) => {
        const text = lines.join(end) + (isEnded && lines.length > 0 ? end : '');
        const whole = isEnded || lines.at(-1) !== '' ? lines : lines.slice(0, -1);
        // The only break of all may be half of another one: it is taken for what belongs to its line.
        if (end === '\r' && (text.indexOf('\r') === text.length - 1 || size === 1)) return;
        expect(split(text, size)).toEqual(whole);
      },
    ),
  );
});

it.each([
  ['a\nbbbbbbbbbbb\nc', 2],
  ['a\nb\nccccccccccc', 3],
  ['ddddddddddd', 1],
])('of %j line %i is too long, in whatever pieces', (text, place) => {
  for (let size = 1; size <= text.length; size++) {
    expect(() => split(text, size)).toThrow(`Line ${place} has more than 10 characters, which is the limit.`);
  }
});

it('one of exactly the limit is not', () => {
  expect(split('aaaaaaaaaa\nbbbbbbbbbb', 3)).toEqual(['aaaaaaaaaa', 'bbbbbbbbbb']);
});
