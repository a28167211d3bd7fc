/** Paths: what is one, what its pieces mean, and how a name is written so that it is found again. */

import { describe, expect, test } from 'vitest';
import {
  formatRange,
  formatSegment,
  isEach,
  joinPath,
  nameSegment,
  parsePath,
  rangeOf,
} from '../../../../src/render/value/select/path.ts';

const bare = (...texts: string[]) => texts.map((text) => ({ text, literal: false }));
const quoted = (text: string) => ({ text, literal: true });

describe('parsePath', () => {
  test.each<[string, ReturnType<typeof parsePath>]>([
    ['', []],
    ['a', bare('a')],
    ['a.b', bare('a', 'b')],
    ['a[0].b', bare('a', '0', 'b')],
    ['[0]', bare('0')],
    ['a[10]', bare('a', '10')],
    ['a[*]', bare('a', '*')],
    ['a["b.c"]', [...bare('a'), quoted('b.c')]],
    ['a."b.c".d', [...bare('a'), quoted('b.c'), ...bare('d')]],
    ['"a\\"b"', [quoted('a"b')]],
    ['"\\u0041"', [quoted('A')]],
    ['item name.x', bare('item name', 'x')],
    ['.a', bare('a')],
    ['a..b', undefined],
    ['a.', undefined],
    ['a[', undefined],
    ['a[0', undefined],
    ['a]', undefined],
    ['a"b', undefined],
    ['"a', undefined],
    ['"\\x"', undefined],
    ['"a"b', undefined],
    ['a'.repeat(4_000), bare('a'.repeat(4_000))],
    ['a'.repeat(4_001), undefined],
  ])('%j', (path, segments) => {
    expect(parsePath(path)).toEqual(segments);
  });
});

test.each<[string, ReturnType<typeof rangeOf>]>([
  ['5', { from: 5, to: 5 }],
  ['0-49', { from: 0, to: 49 }],
  ['7-7', { from: 7, to: 7 }],
  ['50-', { from: 50, to: Infinity }],
  ['49-0', undefined],
  ['-5', undefined],
  ['a5', undefined],
  ['5a', undefined],
  ['1-2-3', undefined],
  ['12345678901', undefined],
  ['1-12345678901', undefined],
])('the range %s', (text, range) => {
  expect(rangeOf({ text, literal: false })).toEqual(range);
  expect(rangeOf({ text, literal: true })).toBeUndefined();
});

test('a star is every element, quoted it is a name', () => {
  expect([isEach({ text: '*', literal: false }), isEach({ text: '*', literal: true })]).toEqual([
    true,
    false,
  ]);
  expect(isEach({ text: '**', literal: false })).toBe(false);
});

test.each([
  ['a_b', 'a_b'],
  ['$a', '$a'],
  ['@type', '@type'],
  ['x/y:z-1', 'x/y:z-1'],
  ['5', '5'],
  ['-a', '"-a"'],
  ['a.b', '"a.b"'],
  ['a b', '"a b"'],
  ['', '""'],
  ['#1', '"#1"'],
  ['größe', '"größe"'],
  ['a\u202Eb', '"a\\u202eb"'],
  ['a\u{E0041}', '"a\\udb40\\udc41"'],
  ['a"b', '"a\\"b"'],
])('the name %j is written %s', (name, segment) => {
  expect(nameSegment(name)).toBe(segment);
});

test('formatted again, a segment means the same', () => {
  expect(formatSegment({ text: '0-9', literal: false })).toBe('0-9');
  expect(formatSegment(quoted('0-9'))).toBe('"0-9"');
  expect(formatSegment(quoted('a'))).toBe('a');
  expect(formatSegment(quoted('a1'))).toBe('a1');
  expect(formatSegment(quoted('a.b'))).toBe('"a.b"');
});

test('joined, an empty side adds no dot; a range of one is an index', () => {
  expect([joinPath('', 'a'), joinPath('a', ''), joinPath('a', 'b'), joinPath('', '')]).toEqual([
    'a',
    'a',
    'a.b',
    '',
  ]);
  expect([formatRange(3, 3), formatRange(3, 4)]).toEqual(['3', '3-4']);
});
