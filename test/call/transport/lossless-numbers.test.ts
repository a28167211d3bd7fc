/** Numbers that JavaScript would change become texts, and nothing else of a JSON text changes. */

import fc from 'fast-check';
import { isSafeNumber } from 'lossless-json';
import { expect, it } from 'vitest';
import { findQuoted, quoteUnsafeNumbers } from '../../../src/call/transport/lossless-numbers.ts';

const quoted = (text: string) => quoteUnsafeNumbers(Buffer.from(text)).toString();

it.each([
  ['12345678901234567890', '"12345678901234567890"'],
  ['-12345678901234567890', '"-12345678901234567890"'],
  ['[1,12345678901234567890,2]', '[1,"12345678901234567890",2]'],
  ['{"a":0.12345678901234567890}', '{"a":"0.12345678901234567890"}'],
  ['[1e999]', '["1e999"]'],
  ['[1E+999 ]', '["1E+999" ]'],
  ['[123456789012345]', '[123456789012345]'],
  ['[1e5,-0.5E-3,1.10]', '[1e5,-0.5E-3,1.10]'],
  ['"12345678901234567890"', '"12345678901234567890"'],
  ['"a\\"12345678901234567890"', '"a\\"12345678901234567890"'],
  ['["\\\\",12345678901234567890]', '["\\\\","12345678901234567890"]'],
  ['{"12345678901234567890":1}', '{"12345678901234567890":1}'],
  [`[${'1'.repeat(1_001)}]`, `["${'1'.repeat(1_001)}"]`],
  [`[1.${'0'.repeat(998)}]`, `[1.${'0'.repeat(998)}]`],
  [`[1.${'0'.repeat(999)}]`, `["1.${'0'.repeat(999)}"]`],
  ['true', 'true'],
  ['', ''],
])('%s is %s', (text, expected) => {
  expect(quoted(text)).toBe(expected);
});

/** A value as JSON text with its numbers as they are, and the same text with the unsafe ones quoted. */
type Both = readonly [plain: string, quoted: string];

const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,25})(?:\.\d{1,25})?(?:[eE][+-]?\d{1,3})?$/);
const number = digits.map((text): Both => [text, isSafeNumber(text) ? text : `"${text}"`]);
const text = fc.string().map((value): Both => [JSON.stringify(value), JSON.stringify(value)]);
const { tree } = fc.letrec<{ tree: Both }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    number,
    text,
    fc.constantFrom<Both>(['true', 'true'], ['null', 'null']),
    fc
      .array(tie('tree'), { maxLength: 4 })
      .map(
        (all): Both => [
          `[${all.map(([one]) => one).join(' ,')}]`,
          `[${all.map(([, one]) => one).join(' ,')}]`,
        ],
      ),
    fc.array(fc.tuple(fc.string(), tie('tree')), { maxLength: 4 }).map((all): Both => {
      const of = (at: 0 | 1) =>
        `{${all.map(([name, one]) => `${JSON.stringify(name)}: ${one[at]}`).join(',')}}`;
      return [of(0), of(1)];
    }),
  ),
}));

it('any JSON text is the same but for those numbers, which are texts with every digit', () => {
  fc.assert(
    fc.property(tree, ([plain, expected]) => {
      expect(quoted(plain)).toBe(expected);
    }),
    { numRuns: 300 },
  );
});

it('where a number became a text is told by its place', () => {
  const [plain, text] = ['1', '"1"'].map((one) =>
    JSON.parse(`{"a":[{"b":${one}},"x",2],"c":{"d":${one}},"e":null}`),
  );
  expect(findQuoted(plain, text)).toEqual([
    ['a', 0, 'b'],
    ['c', 'd'],
  ]);
  expect(findQuoted(plain, plain)).toEqual([]);
  expect(findQuoted('1', 1)).toEqual([]);
  expect(findQuoted([1], { 0: '1' })).toEqual([]);
  expect(findQuoted({ a: 1 }, ['1'])).toEqual([]);
  expect(findQuoted(1, '1', ['at'])).toEqual([['at']]);
});
