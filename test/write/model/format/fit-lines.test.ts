/** Whatever is listed: within the room, in order, the short before the long, and every member that is not whole is counted. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { byteLength } from '../../../../src/base/json.ts';
import { fitLines, type TextLine } from '../../../../src/write/model/format/fit-lines.ts';

/** Room for the line that says how many are missing. */
const REMARK = 60;
const worlds = fc.array(
  fc.record({ size: fc.integer({ min: 1, max: 40 }), cut: fc.nat({ max: 30 }), members: fc.nat({ max: 4 }) }),
  { maxLength: 12 },
);

/** Each begins with a letter of its own; a cut one ends with a dot. */
const linesOf = (world: readonly { size: number; cut: number; members: number }[]): TextLine[] =>
  world.map(({ size, cut, members }, at) => {
    const text = `${String.fromCharCode(65 + at)}${'ü'.repeat(size)}`;
    return { text, short: cut === 0 || cut >= size ? text : `${text.slice(0, -cut)}.`, members };
  });
const sizeOf = (texts: readonly string[], indent: string) =>
  texts.reduce((sum, text) => sum + byteLength(indent + text) + 1, 0);
const sumOf = (lines: readonly TextLine[]) => lines.reduce((sum, { members }) => sum + members, 0);

it('all of them are whole where there is room, to the byte', () => {
  fc.assert(
    fc.property(worlds, fc.constantFrom('', '  '), (world, indent) => {
      const lines = linesOf(world);
      const texts = lines.map(({ text }) => text);
      const room = sizeOf(texts, indent);
      const whole = { lines: texts.map((text) => indent + text), notShown: 0 };
      expect(fitLines(lines, room, indent)).toEqual(whole);
      if (lines.length > 0) expect(fitLines(lines, room - 1, indent)).not.toEqual(whole);
    }),
  );
});

it('where there is less room, it is kept to, and what is missing or cut is counted', () => {
  fc.assert(
    fc.property(worlds, fc.integer({ min: REMARK, max: 700 }), (world, room) => {
      const lines = linesOf(world);
      const fitted = fitLines(lines, room);
      expect(sizeOf(fitted.lines, '')).toBeLessThanOrEqual(room);
      const listed = fitted.lines.map((line) => line.slice(2));
      const shown = lines.filter(({ text, short }) => listed.includes(text) || listed.includes(short));
      const missing = lines.length - shown.length;
      const remark = `... and ${missing} more lines that are not listed here`;
      // The lines keep their order, each in one of its two forms.
      expect(listed).toEqual([
        ...shown.map(({ text, short }) => (listed.includes(text) ? text : short)),
        ...(missing === 0 ? [] : [remark]),
      ]);
      const whole = shown.filter(({ text }) => listed.includes(text));
      expect(fitted.notShown).toBe(sumOf(lines) - sumOf(whole));
    }),
  );
});

it('nothing that is left out is shorter than what is listed, and nothing that would fit is left out or cut', () => {
  fc.assert(
    fc.property(worlds, fc.integer({ min: REMARK, max: 500 }), (world, room) => {
      const lines = linesOf(world);
      const { lines: fitted } = fitLines(lines, room);
      const listed = new Set(fitted.map((line) => line.slice(2)));
      const size = ({ short }: TextLine) => sizeOf([short], '  ');
      const [shown, missing] = [true, false].map((isShown) =>
        lines.filter(({ text, short }) => (listed.has(text) || listed.has(short)) === isShown),
      );
      const smallest = Math.min(...(missing ?? []).map(size));
      const largest = Math.max(0, ...(shown ?? []).map(size));
      expect(largest).toBeLessThanOrEqual(smallest);
      const used = (shown ?? []).reduce(
        (sum, { text, short }) => sum + sizeOf([listed.has(text) ? text : short], '  '),
        0,
      );
      const left = room - (missing?.length === 0 ? 0 : REMARK) - used;
      const cut = (shown ?? []).filter(({ text }) => !listed.has(text));
      for (const { text, short } of cut) expect(byteLength(text) - byteLength(short)).toBeGreaterThan(left);
      // Before any was made whole, the next one had no room.
      const before = room - REMARK - (shown ?? []).reduce((sum, line) => sum + size(line), 0);
      if (smallest < Infinity) expect(smallest).toBeGreaterThan(before);
    }),
  );
});
