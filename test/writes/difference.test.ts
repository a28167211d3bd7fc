/** Differences are complete (they replay to the next state) and readable. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../src/json.ts';
import { describeDifferences } from '../../src/writes/describe-difference.ts';
import { type Difference, findDifferences } from '../../src/writes/difference.ts';
import type { Segments } from '../../src/writes/json.ts';
import { canonicalJson } from '../../src/writes/normalise.ts';

const plain = (text: string) => text;
const describeAll = (before: unknown, after: unknown) =>
  describeDifferences(findDifferences(before, after), plain);

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

describe('findDifferences', () => {
  it('is empty for equal values and only for them', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (before, after) => {
        expect(findDifferences(before, before)).toEqual([]);
        expect(findDifferences(before, after).length === 0).toBe(
          canonicalJson(before) === canonicalJson(after),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('holds everything that is needed to get from one state to the other, and back', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (before, after) => {
        const differences = findDifferences(before, after);
        expect(canonicalJson(replay(before, differences))).toBe(canonicalJson(after));
        expect(canonicalJson(replay(after, differences.map(reverse)))).toBe(canonicalJson(before));
      }),
      { numRuns: 500 },
    );
  });

  it('counts an undefined member as absent, as JSON does', () => {
    expect(findDifferences({ a: undefined }, {})).toEqual([]);
    expect(findDifferences({ a: 1 }, { a: undefined })).toMatchObject([{ path: 'a', kind: 'removed' }]);
  });
});

describe('describeDifferences', () => {
  it('shows a closed Sunday as a person would say it', () => {
    const week = (sunday: unknown) => ({ configuration: { operatingHoursByDay: { sunday, monday: [] } } });
    expect(describeAll(week([{ startTime: '09:00', endTime: '18:00' }]), week([]))).toEqual([
      'configuration.operatingHoursByDay.sunday: 09:00-18:00 -> closed',
    ]);
    expect(
      describeAll(
        week([]),
        week([
          { startTime: '09:00', endTime: '12:00' },
          { startTime: '13:00', endTime: '18:00' },
        ]),
      ),
    ).toEqual(['configuration.operatingHoursByDay.sunday: closed -> 09:00-12:00, 13:00-18:00']);
  });

  it('shows what a PUT would remove because it is absent', () => {
    const before = {
      alias: 'North',
      capabilities: { services: { isSupported: true, handlingTime: { value: 2, timeUnit: 'Hours' } } },
    };
    expect(describeAll(before, { alias: 'South', added: [] })).toEqual([
      'alias: "North" -> "South"',
      'capabilities: removed (was { services: { isSupported: true, handlingTime: 2 Hours } })',
      'added: added an empty list',
    ]);
  });

  it('names strange members in brackets and compares lists of objects by position', () => {
    expect(
      describeAll({ list: [{ a: 1 }, { b: 2 }] }, { list: [{ a: 1 }, { b: 3 }, { 'x.y z': 1 }] }),
    ).toEqual(['list[1].b: 2 -> 3', 'list[2]: added { x.y z: 1 }']);
    expect(describeAll({ 'a b': 1 }, { 'a b': 2 })).toEqual(['["a b"]: 1 -> 2']);
  });

  it('gives every foreign text to show, names included, and never a raw line break', () => {
    const marked = (text: string) => text.replace(/\u202e/g, '<rlo>').replace(/\n/g, '<newline>');
    const lines = describeDifferences(
      findDifferences({}, { 'na\u202eme\n': 'va\u202elue\n', o: { 'in\n': 1 } }),
      marked,
    );
    expect(lines).toEqual(['["na<rlo>me<newline>"]: added "va<rlo>lue\\n"', 'o: added { in<newline>: 1 }']);
  });

  it('cuts long values between characters and says how much is missing', () => {
    const [line] = describeAll({ a: '' }, { a: '\u{1F600}'.repeat(300) });
    expect(line).toMatch(/^a: "" -> "(\u{1F600}){239}\.\.\. \(62 more characters\)$/u);
  });

  it('opens a long value that comes or goes, so that nothing of it is hidden behind a count', () => {
    const members = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`m${at}`, `value ${at}`]));
    const added = describeAll({}, { capabilities: { services: members }, alias: 'x' });
    expect(added).toHaveLength(41);
    expect(added[39]).toBe('capabilities.services.m39: added "value 39"');
    const removed = describeAll({ list: Array.from({ length: 60 }, (_, at) => ({ at })) }, {});
    expect(removed).toHaveLength(60);
    expect(removed[59]).toBe('list[59]: removed (was { at: 59 })');
  });
});

function reverse(difference: Difference): Difference {
  const { path, segments, kind, before, after } = difference;
  if (kind === 'added') return { path, segments, kind: 'removed', before: after };
  if (kind === 'removed') return { path, segments, kind: 'added', after: before };
  return { path, segments, kind, before: after, after: before };
}

/** Applies the differences; removed list elements last and from the end, so that positions stay true. */
function replay(before: unknown, differences: readonly Difference[]): unknown {
  const ordered = [...differences].sort(
    (a, b) => Number(a.kind === 'removed') - Number(b.kind === 'removed'),
  );
  const removals = ordered.filter(({ kind }) => kind === 'removed').reverse();
  const others = ordered.filter(({ kind }) => kind !== 'removed');
  return [...others, ...removals].reduce(
    (state, { segments, kind, after }) => place(state, segments, kind === 'removed' ? undefined : { after }),
    before,
  );
}

function place(value: unknown, [first, ...rest]: Segments, change: { after: unknown } | undefined): unknown {
  if (first === undefined) return change?.after;
  if (Array.isArray(value) && typeof first === 'number') {
    if (rest.length === 0)
      return change === undefined
        ? value.toSpliced(first, 1)
        : [...value.slice(0, first), change.after, ...value.slice(first + 1)];
    return value.with(first, place(value[first], rest, change));
  }
  const members = new Map(isJsonObject(value) ? Object.entries(value) : []);
  if (rest.length === 0 && change === undefined) members.delete(String(first));
  else members.set(String(first), place(members.get(String(first)), rest, change));
  return Object.fromEntries(members);
}
