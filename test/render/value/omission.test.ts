/** Tests that an omission names what was left out, its size, and paths that fetch it. */

import { describe, expect, test } from 'vitest';
import { describeKind } from '../../../src/base/text/format-value.ts';
import {
  bytesOfOmissions,
  countEntries,
  omitAll,
  omitElements,
  omitEntry,
  omitMembers,
  omitText,
  partPathOf,
} from '../../../src/render/value/omission.ts';
import {
  createMeasure,
  type ListPart,
  openPart,
  type PartEntry,
  type ValuePart,
  wholePart,
} from '../../../src/render/value/select/part.ts';
import { selectMembers } from '../../../src/render/value/select/select.ts';

const measure = createMeasure();
const top = { path: '', named: true };
const at = (path: string) => ({ path, named: true });
const nowhere = { path: 'a.b', named: false };
const IN_WHOLE = '; only in the whole answer, kept as a resource';

function listOf(part: ValuePart): ListPart {
  const open = openPart(part);
  if (open.kind === 'members' || open.kind === 'elements') return open;
  throw new Error('no list');
}

const entry = (key: string | number, value: unknown = 1, tails = ['']): PartEntry => ({
  key,
  part: wholePart(value),
  tails,
});

test('the cost of omissions is their JSON, each with a comma', () => {
  const one = { select: ['ä'], what: 'x', bytes: 1 };
  expect(bytesOfOmissions([])).toBe(0);
  expect(bytesOfOmissions([one, one])).toBe(2 * (Buffer.byteLength(JSON.stringify(one)) + 1));
});

describe('spotOf', () => {
  test('an entry stands below its list: an index bare, a name as it can be found again', () => {
    expect(partPathOf(entry('a'), top)).toEqual(at('a'));
    expect(partPathOf(entry(3), at('a'))).toEqual(at('a.3'));
    expect(partPathOf(entry('b c'), at('a'))).toEqual(at('a."b c"'));
  });

  test('a path of more than 256 bytes is not given out: its nearest place stands for it', () => {
    const name = (length: number) => 'n'.repeat(length);
    expect(partPathOf(entry(name(252)), at('a'))).toEqual(at(`a.${name(252)}`));
    expect(partPathOf(entry(name(253)), at('a'))).toEqual({ path: 'a', named: false });
    expect(partPathOf(entry('ü'.repeat(127)), top)).toEqual({ path: '', named: false });
    expect(partPathOf(entry('x'), nowhere)).toEqual(nowhere);
  });
});

test.each<[unknown, string]>([
  [[1, 2], 'array, 2 elements'],
  [{ a: 1 }, 'object, 1 members'],
  ['abc', 'text, 3 characters'],
  [5, 'number'],
  [true, 'boolean'],
])('%j is called %s', (value, what) => {
  expect(describeKind(value)).toBe(what);
  expect(omitEntry(entry('a', value), top, measure)).toEqual({
    select: ['a'],
    what,
    bytes: measure(wholePart(value)),
  });
});

test('what was selected of something is called so, and fetched by the paths that selected it', () => {
  const whole = { list: [1, 2, 3], object: { a: 1, b: 2 }, text: 'abcdef' };
  const { entries } = listOf(selectMembers(whole, ['list.0-1', 'object.a', 'text.2-3']).part);
  expect(entries.map((each) => omitEntry(each, at('x'), measure))).toEqual([
    { select: ['x.list.0-1'], what: 'array, 2 of 3 elements', bytes: 6 },
    { select: ['x.object.a'], what: 'object, 1 of 2 members', bytes: 8 },
    { select: ['x.text.2-3'], what: 'characters 2-3 of 6', bytes: 4 },
  ]);
});

test('what has no path says so, and where it stood', () => {
  expect(omitEntry(entry('a', 'abc'), nowhere, measure)).toEqual({
    select: [],
    what: `text, 3 characters${IN_WHOLE}`,
    bytes: 5,
    at: 'a.b',
  });
  expect(omitAll(wholePart([1]), measure)).toEqual({
    select: [],
    what: `array, 1 elements${IN_WHOLE}`,
    bytes: 4,
    at: '',
  });
  expect(omitText('abcdef', 2, 6, nowhere)).toMatchObject({
    select: [],
    what: `characters 2-5 of 6${IN_WHOLE}`,
  });
});

test('the rest of a text is fetched by its characters', () => {
  expect(omitText('abcdé"', 2, 6, at('a'))).toEqual({
    select: ['a.2-5'],
    what: 'characters 2-5 of 6',
    bytes: 8,
  });
  expect(omitText('abc', 2, 3, top)).toEqual({ select: ['2-2'], what: 'characters 2 of 3', bytes: 3 });
});

describe('omitElements', () => {
  const list = (entries: PartEntry[]): ListPart => ({ kind: 'elements', entries, total: 90 });
  const omit = (entries: PartEntry[], spot = at('a')) => omitElements(list(entries), entries, spot, measure);

  test('one range for an unbroken run, one index for a lone element', () => {
    expect(omit([entry(3), entry(4, 'xy'), entry(5), entry(8)])).toEqual([
      { select: ['a.3-5'], what: 'elements 3-5 of 90', bytes: 9 },
      { select: ['a.8'], what: 'elements 8 of 90', bytes: 2 },
    ]);
    expect(omit([], at('a'))).toEqual([]);
  });

  test('a run ends where something else was selected of the elements', () => {
    const [some, same, other] = [['b', 'c'], ['b', 'c'], ['b']];
    expect(omit([entry(0, 1, some), entry(1, 1, same), entry(2, 1, other)])).toMatchObject([
      { select: ['a.0-1.b', 'a.0-1.c'] },
      { select: ['a.2.b'] },
    ]);
  });

  test('without a path each run says so', () => {
    expect(omit([entry(3), entry(4)], nowhere)).toEqual([
      { select: [], what: `elements 3-4 of 90${IN_WHOLE}`, bytes: 4, at: 'a.b' },
    ]);
  });
});

test('several members in one, and those that are only counted', () => {
  const list = listOf(wholePart({ a: 1, b: 'xy', c: 3 }));
  expect(omitMembers(list, list.entries.slice(0, 2), at('x'), measure)).toEqual({
    select: ['x.a', 'x.b'],
    what: '2 of 3 members',
    bytes: 7,
  });
  expect(countEntries(list, list.entries.slice(1), at('x'), measure)).toEqual({
    select: [],
    what: `2 of 3 members${IN_WHOLE}`,
    bytes: 7,
    at: 'x',
  });
});
