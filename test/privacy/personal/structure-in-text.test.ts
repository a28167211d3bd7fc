import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  changeJsonInText,
  containsTag,
  isMarkup,
  isParsedWhole,
  mayContainStructure,
  parseWholeJson,
} from '../../../src/privacy/personal/structure-in-text.ts';

/** Replaces what is taken for JSON with angles, and words with brackets. */
const shown = (text: string) =>
  changeJsonInText(
    text,
    (value, written) => {
      expect(value).toEqual(JSON.parse(written));
      return `<${written}>`;
    },
    (words) => `(${words})`,
  );

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

it.each([
  ['words alone', 'a b', '(a b)'],
  ['a whole object', ' {"a": 1} ', '< {"a": 1} >'],
  ['an object in words', 'for {"a":1}, now', '(for )<{"a":1}>(, now)'],
  ['blanks in it', 'x { "a" : [ 1 ] }', '(x )<{ "a" : [ 1 ] }>'],
  ['one behind the other', '{"a":1}{"b":2}[3]', '<{"a":1}><{"b":2}><[3]>'],
  [
    'lists of each thing',
    'x [1] [-1] [true] [false] [null] ["a"] [[2]] [{"a":1}]',
    '(x )<[1]>( )<[-1]>( )<[true]>( )<[false]>( )<[null]>( )<["a"]>( )<[[2]]>( )<[{"a":1}]>',
  ],
  ['brackets and quotes in a text', String.raw`x {"a":"}\"]{"} y`, String.raw`(x )<{"a":"}\"]{"}>( y)`],
  ['brackets of words', 'a [b] {c} [t] {} [] (d)', '(a [b] {c} [t] {} [] (d))'],
  ['JSON as a text', String.raw`x "{\"a\":1}" y`, String.raw`(x )<"{\"a\":1}">( y)`],
  ['and with blanks before it', 'x "  [1]" y', '(x )<"  [1]">( y)'],
  ['as a text of a text', String.raw`x "\"[1]\"" y`, String.raw`(x )<"\"[1]\"">( y)`],
  ['a piece of a text', String.raw`x {\"a\": [\"}\\\\\"]} y`, String.raw`(x )<{\"a\": [\"}\\\\\"]}>( y)`],
  ['which ends too soon', String.raw`x {\"a\": [\"b" y`, String.raw`(x {\"a\": [\"b" y)`],
  ['or is of two texts', String.raw`x {\"a\": "b} y`, String.raw`(x {\"a\": "b} y)`],
  ['quotes of words around a bracket', '"a" [b] "c" "{d}" [1]', '("a" [b] "c" "{d}" )<[1]>'],
  ['one that does not close', 'x {"a":1 y', '(x {"a":1 y)'],
  ['one within one that does not close', 'x {"a":{"b":1} y', '(x {"a":)<{"b":1}>( y)'],
  ['one that closes with the other bracket', 'x {"a":1] [2]', '(x {"a":1] )<[2]>'],
  ['a text that does not close', 'x ["a] [1]', '(x ["a] )<[1]>'],
  ['what nests too deep', `x ${nested(70)} y`, `(x ${nested(70)} y)`],
])('%s: %s', (_what, text, expected) => {
  expect(shown(text)).toBe(expected);
});

/** Blanks alone would belong to the JSON. */
const someText = fc
  .string({ unit: fc.constantFrom(...'ab ,.:«é'), minLength: 1, maxLength: 8 })
  .filter((words) => words.trim() !== '');
const someString = fc.string({ unit: fc.constantFrom(...'a"\\{}[]<>: '), maxLength: 6 });
const someLeaf = fc.oneof(someString, fc.integer(), fc.constantFrom(true, false, null));
const someList = fc.array(someLeaf, { minLength: 1, maxLength: 3 });
/** JSON as people and programs write it: compact, indented, as a text. */
const someJson = fc
  .tuple(
    fc.oneof(someList, fc.dictionary(someString, fc.oneof(someLeaf, someList), { minKeys: 1, maxKeys: 3 })),
    fc.constantFrom<(value: unknown) => string>(
      (value) => JSON.stringify(value),
      (value) => JSON.stringify(value, undefined, 2),
      (value) => JSON.stringify(JSON.stringify(value)),
      (value) => JSON.stringify(JSON.stringify(JSON.stringify(value))),
    ),
  )
  .map(([value, write]) => write(value));

it('all JSON between words is found as it was written, and every word stays one', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(someText, someJson), { maxLength: 4 }), someText, (parts, last) => {
      const text = parts.flat().join('') + last;
      expect(shown(text)).toBe(`${parts.map(([words, json]) => `(${words})<${json}>`).join('')}(${last})`);
      expect(mayContainStructure(text)).toBe(parts.length > 0);
    }),
    { numRuns: 150 },
  );
});

it('of more than a thousand pieces the last are words, and brackets without an end are soon no longer looked at', () => {
  expect(shown('[1] '.repeat(1_001))).toBe(`${'<[1]>( )'.repeat(999)}<[1]>( [1] )`);
  expect(shown(`${'[1 '.repeat(3)}{"a":1}`)).toBe('([1 [1 [1 )<{"a":1}>');
  const many = `${'[1 '.repeat(30)}{"a":1}`;
  expect(shown(many)).toBe(`(${many})`);
});

it.each([
  ['{"a":1}', { a: 1 }],
  [' \n[1] ', [1]],
  ['[]', []],
  ['"[1]"', '[1]'],
  [String.raw`"\"[1]\""`, '"[1]"'],
  [String.raw`"a {\"b\":1}"`, 'a {"b":1}'],
  ['"a <b>"', 'a <b>'],
  ['"a"', undefined],
  ['"a {b}"', undefined],
  ['"1"', undefined],
  ['"null"', undefined],
  ['1', undefined],
  ['null', undefined],
  ['{"a":1} b', undefined],
  ['b {"a":1}', undefined],
])('%s as a whole is %j', (text, value) => {
  expect(parseWholeJson(text)).toEqual(value);
});

it('what nests deeper than is taken in is no JSON', () => {
  const list: unknown = JSON.parse(nested(64));
  expect(parseWholeJson(nested(64))).toEqual(list);
  expect(parseWholeJson(nested(66))).toBeUndefined();
});

it.each([
  ['{"a":1,"b":[{"c":2},{"c":3}]}', true],
  ['[1,[2],"a:b"]', true],
  [String.raw`{"a\":":"b:\\"}`, true],
  [String.raw`"{\"a\":1,\"a\":2}"`, true],
  ['{"a":1,"a":2}', false],
  ['[{"a":{"b":1,"b":1}}]', false],
])('%s is read whole: %s', (written, isWhole) => {
  expect(isParsedWhole(JSON.parse(written), written)).toBe(isWhole);
});

it.each([
  ['<a>', true, true],
  [' <a', true, false],
  ['x <a>', false, true],
  ['x </a>', false, true],
  ['x <a b="c"/>', false, true],
  ['x <_a>', false, true],
  ['x <ä>', false, true],
  ['x <a<b>', false, true],
  ['<!-- a', true, false],
  ['<1>', true, false],
  ['< a>', false, false],
  ['a < b > c', false, false],
  ['x <a', false, false],
])('%s: markup %s, an element %s', (text, isIt, holds) => {
  expect([isMarkup(text), containsTag(text), mayContainStructure(text)]).toEqual([
    isIt,
    holds,
    isIt || holds,
  ]);
});

it('words of many pages are not looked through for elements', () => {
  expect(containsTag(`${' '.repeat(128 * 1024 - 3)}<a>`)).toBe(true);
  expect(containsTag(`${' '.repeat(128 * 1024 - 2)}<a>`)).toBe(false);
});
