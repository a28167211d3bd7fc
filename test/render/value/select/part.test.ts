/** A part knows where its pieces stand, what it shows, and what it takes. */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createMeasure,
  keyBytes,
  openPart,
  shownValue,
  wholePart,
} from '../../../../src/render/value/select/part.ts';
import { selectMembers } from '../../../../src/render/value/select/select.ts';
import { anyCharacter } from '../../../helpers/any-characters.ts';

const tails = [''];

test('one level is taken apart, with names and indexes', () => {
  expect(openPart(wholePart([1, 'x']))).toEqual({
    kind: 'elements',
    entries: [
      { key: 0, part: wholePart(1), tails },
      { key: 1, part: wholePart('x'), tails },
    ],
    total: 2,
  });
  expect(openPart(wholePart({ a: [1] }))).toEqual({
    kind: 'members',
    entries: [{ key: 'a', part: wholePart([1]), tails }],
    total: 1,
  });
  expect(openPart(wholePart('text'))).toEqual({ kind: 'text', full: 'text', from: 0, to: 4, asked: false });
  for (const leaf of [5, true, null]) expect(openPart(wholePart(leaf))).toEqual(wholePart(leaf));
  const text = { kind: 'text' as const, full: 'text', from: 1, to: 3, asked: true };
  expect(openPart(text)).toBe(text);
  expect(shownValue(text)).toBe('ex');
});

test('any JSON: taken apart and put together it is the same, __proto__ too', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.stringify(shownValue(openPart(wholePart(value))))).toBe(JSON.stringify(value));
    }),
  );
  const odd: unknown = JSON.parse('{"__proto__":{"a":1}}');
  expect(JSON.stringify(shownValue(openPart(wholePart(odd))))).toBe('{"__proto__":{"a":1}}');
});

const exact = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

test.each<[unknown, number]>([
  ['plain', 7],
  ['', 2],
  ['a"b\\', 8],
  ['\u20AC', 5],
  ['line\nend', 11],
  ['\u007f~', 4],
  [true, 4],
  [false, 5],
  [null, 4],
  [-1.5e30, 8],
  [[], 2],
  [{}, 2],
  [[1, 2], 6],
  [{ a: 1 }, 8],
  [{ ü: [1] }, 12],
])('%j takes %i bytes, one more than its JSON where it is a list with something in it', (value, bytes) => {
  expect(createMeasure()(wholePart(value))).toBe(bytes);
});

test('any JSON: never less than its JSON, and at most one byte more for each list', () => {
  const lists = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, inner) => sum + lists(inner), 1)
      : 0;
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: anyCharacter }), (value) => {
      const measure = createMeasure();
      const bytes = measure(wholePart(value));
      expect(bytes).toBeGreaterThanOrEqual(exact(value));
      expect(bytes).toBeLessThanOrEqual(exact(value) + lists(value));
      expect(measure(openPart(wholePart(value)))).toBe(bytes);
      expect(measure(wholePart(value))).toBe(bytes);
    }),
  );
});

test('what was selected is measured by what it shows', () => {
  const { part } = selectMembers({ a: ['x', 'y', 'z'], b: 'hidden', c: 'text' }, ['a.1-', 'c.1-2']);
  expect(shownValue(part)).toEqual({ a: ['y', 'z'], c: 'ex' });
  expect(createMeasure()(part)).toBe(exact({ a: ['y', 'z'], c: 'ex' }) + 2);
});

test('a name takes its quotes and a colon, an index nothing', () => {
  expect([keyBytes('a'), keyBytes('"'), keyBytes('ü'), keyBytes(12)]).toEqual([4, 5, 5, 0]);
});
