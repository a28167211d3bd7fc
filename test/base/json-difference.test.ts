/** Differences are complete (they replay to the next state). */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/base/canonical-json.ts';
import { isJsonObject } from '../../src/base/json.ts';
import {
  findDifferences,
  formatPath,
  type JsonDifference,
  type Segments,
} from '../../src/base/json-difference.ts';
import { compareSupplySources } from '../../src/write/model/store/state.ts';

/** Names that objects inherit are where a careless comparison goes wrong. */
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, 1, '', 'a', '09:00'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom('a', 'b', 'toString', 'constructor', '__proto__', 'startTime'),
      tie('value'),
    ),
    fc.array(fc.record({ startTime: fc.constant('09:00'), endTime: fc.constant('18:00') }), { maxLength: 2 }),
  ),
})).value;

describe.each([
  ['every list position by position', (before: unknown, after: unknown) => findDifferences(before, after)],
  ['lists of hours and of plain values as one', compareSupplySources],
])('differences, %s', (_how, find) => {
  it('is empty for equal values and only for them', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (before, after) => {
        expect(find(before, before)).toEqual([]);
        expect(find(before, after).length === 0).toBe(canonicalJson(before) === canonicalJson(after));
      }),
      { numRuns: 500 },
    );
  });

  it('holds everything that is needed to get from one state to the other, and back', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (before, after) => {
        const differences = find(before, after);
        expect(canonicalJson(replay(before, differences))).toBe(canonicalJson(after));
        expect(canonicalJson(replay(after, differences.map(reverse)))).toBe(canonicalJson(before));
      }),
      { numRuns: 500 },
    );
  });

  it('counts an undefined member as absent, as JSON does', () => {
    expect(find({ a: undefined }, {})).toEqual([]);
    expect(find({ a: 1 }, { a: undefined })).toMatchObject([{ path: 'a', kind: 'removed' }]);
  });
});

it('come in the order of what was there, then what is new, each with its place', () => {
  expect(
    findDifferences({ b: 1, a: { x: [1, 2] }, same: 1 }, { new: 1, a: { x: [1, 3, 4] }, same: 1 }),
  ).toEqual([
    { path: 'b', segments: ['b'], kind: 'removed', before: 1 },
    { path: 'a.x[1]', segments: ['a', 'x', 1], kind: 'changed', before: 2, after: 3 },
    { path: 'a.x[2]', segments: ['a', 'x', 2], kind: 'added', after: 4 },
    { path: 'new', segments: ['new'], kind: 'added', after: 1 },
  ]);
});

it.each([
  [{}, []],
  [[], {}],
  [null, {}],
  [null, undefined],
  ['1', 1],
])('%j and %j are different as a whole', (before, after) => {
  expect(findDifferences(before, after)).toEqual([
    { path: '', segments: [], kind: 'changed', before, after },
  ]);
});

it('a list that is read as one is one difference, inside a list too', () => {
  expect(compareSupplySources({ a: [['x', 1]] }, { a: [['x']] })).toEqual([
    { path: 'a[0]', segments: ['a', 0], kind: 'changed', before: ['x', 1], after: ['x'] },
  ]);
});

describe('formatPath', () => {
  it.each([
    [[], ''],
    [['a', 0, 'b-c_1'], 'a[0].b-c_1'],
    [[0, 'a'], '[0].a'],
    [['a b'], '["a b"]'],
    [['a', 'x.y', ''], 'a["x.y"][""]'],
  ])('%j is %s', (segments, text) => {
    expect(formatPath(segments)).toBe(text);
  });

  it('gives only strange names to show', () => {
    expect(formatPath(['a', 'b c'], (text) => `<${text}>`)).toBe('a[<"b c">]');
  });
});

function reverse(difference: JsonDifference): JsonDifference {
  const { path, segments, kind, before, after } = difference;
  if (kind === 'added') return { path, segments, kind: 'removed', before: after };
  if (kind === 'removed') return { path, segments, kind: 'added', after: before };
  return { path, segments, kind, before: after, after: before };
}

/** Applies the differences; removed list elements last and from the end, so that positions stay true. */
function replay(before: unknown, differences: readonly JsonDifference[]): unknown {
  const ordered = [...differences].sort(
    (a, b) => Number(a.kind === 'removed') - Number(b.kind === 'removed'),
  );
  const removals = ordered.filter(({ kind }) => kind === 'removed').reverse();
  const others = ordered.filter(({ kind }) => kind !== 'removed');
  return [...others, ...removals].reduce(
    (state, { segments, kind, after }) => setAt(state, segments, kind === 'removed' ? undefined : { after }),
    before,
  );
}

function setAt(value: unknown, [first, ...rest]: Segments, change: { after: unknown } | undefined): unknown {
  if (first === undefined) return change?.after;
  if (Array.isArray(value) && typeof first === 'number') {
    if (rest.length === 0)
      return change === undefined
        ? value.toSpliced(first, 1)
        : [...value.slice(0, first), change.after, ...value.slice(first + 1)];
    return value.with(first, setAt(value[first], rest, change));
  }
  const members = new Map(isJsonObject(value) ? Object.entries(value) : []);
  if (rest.length === 0 && change === undefined) members.delete(String(first));
  else members.set(String(first), setAt(members.get(String(first)), rest, change));
  return Object.fromEntries(members);
}
