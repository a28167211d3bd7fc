/** Marks in the cells of an answer, wherever they stand in them, and the values that they stand for. */

import { expect, it } from 'vitest';
import { createRecentPairs } from '../../../../src/data/tables/worker/placeholder-cache.ts';
import {
  areaOfMark,
  collectMarks,
  containsPartOfMark,
  resolveMarks,
} from '../../../../src/data/tables/worker/placeholders.ts';

const pairs = createRecentPairs(new Uint8Array(32).fill(7), 'acme');
const ANNA = pairs.mark('buyer name', 'Anna "A" <b>');
const PHONE = pairs.mark('phone', 301_234);
const TAX = pairs.mark('tax number', 12_345_678_901_234_567_890n);
const UNKNOWN = '«address 3f2ak9xq»';

it.each<[string, string, unknown, number, number]>([
  ['a cell without any', 'plain', 'plain', 0, 0],
  ['signs that are none', '«plain»', '«plain»', 0, 0],
  ['a mark alone, with its kind of value', PHONE, 301_234, 1, 0],
  ['one that is not known', UNKNOWN, UNKNOWN, 0, 1],
  ['words', `to ${ANNA}, ${PHONE}; ${UNKNOWN}`, `to Anna "A" <b>, 301234; ${UNKNOWN}`, 2, 1],
  [
    'JSON, which stays one',
    `{"name":"${ANNA}","phone":"${PHONE}","all":["to ${ANNA} ${PHONE}","${UNKNOWN}"],"n":1}`,
    `{"name":"Anna \\"A\\" <b>","phone":301234,"all":["to Anna \\"A\\" <b> 301234","${UNKNOWN}"],"n":1}`,
    4,
    1,
  ],
  [
    'JSON with a number of any size',
    `["${TAX}","of ${TAX}"]`,
    '[12345678901234567890,"of 12345678901234567890"]',
    2,
    0,
  ],
  [
    'JSON in words',
    `see {"name":"${ANNA}"} for ${PHONE}`,
    'see {"name":"Anna \\"A\\" <b>"} for 301234',
    2,
    0,
  ],
  [
    'markup, which stays one',
    `<to><name>${ANNA}</name><phone>${PHONE}</phone></to>`,
    '<to><name>Anna &quot;A&quot; &lt;b&gt;</name><phone>301234</phone></to>',
    2,
    0,
  ],
])('%s', (_what, cell, value, replaced, unresolved) => {
  expect(resolveMarks(cell, pairs)).toEqual({ value, replaced, unresolved });
});

it('what is known of the marks in cells is found, each once', () => {
  const found = new Map<string, string>();
  for (const cell of ['none', `${ANNA} and ${UNKNOWN}`, `${PHONE} ${ANNA}`]) collectMarks(cell, pairs, found);
  expect([...found]).toEqual([
    [ANNA, 'Anna "A" <b>'],
    [PHONE, '301234'],
  ]);
});

it.each([
  [ANNA, false],
  [`${ANNA} ${UNKNOWN}`, false],
  ['«hello» 3f2ak9xq', false],
  ['buyer name 3f2ak9xq', false],
  [UNKNOWN.slice(0, -1), true],
  [UNKNOWN.slice(-9), true],
  [UNKNOWN.toUpperCase(), true],
  [`${ANNA} ${UNKNOWN.slice(0, 8)}`, true],
])('%s holds a part of a mark: %s', (cell, isPart) => {
  expect(containsPartOfMark(cell)).toBe(isPart);
});

it('the area of a postcode is told of its mark alone', () => {
  expect(areaOfMark(pairs.mark('postcode', '10115'))).toMatch(/^10/);
  for (const text of [ANNA, '«postcode 3f2ak9xq»', ' «postcode 10.. 3f2ak9xq»', '10115']) {
    expect(areaOfMark(text)).toBeUndefined();
  }
});
