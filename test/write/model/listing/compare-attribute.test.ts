/** An attribute read back, held against what was sent: the service may add members and change the order, nothing else. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  attributeDifference,
  compareAttribute,
} from '../../../../src/write/model/listing/compare-attribute.ts';

const entry = fc.record(
  {
    // Few values, so that one entry often has all that another has.
    value: fc.oneof(fc.integer({ min: 0, max: 1 }), fc.string(), fc.array(fc.integer(), { maxLength: 3 })),
    unit: fc.constantFrom('kg', 'g'),
    marketplace_id: fc.constantFrom('M1', 'M2'),
  },
  { requiredKeys: ['value'] },
);
const entries = fc.array(entry, { minLength: 1, maxLength: 4 });
const SAME = { differences: [], notYet: [] };

describe('what was sent is found', () => {
  it('in any order, with members that the service adds', () => {
    fc.assert(
      fc.property(entries, entries, fc.string(), (before, sent, added) => {
        const more = sent.map((one) => ({ ...one, language_tag: added, more: { in: added } }));
        for (const found of [more, more.toReversed(), [...more.slice(1), ...more.slice(0, 1)]])
          expect(compareAttribute('a', { before, sent, found })).toEqual(SAME);
      }),
    );
  });
  it('where a member that is sent as null is not there, and within lists and objects', () => {
    const sent = [{ value: [{ a: 1, b: null }], gone: undefined }];
    expect(compareAttribute('a', { sent, found: [{ value: [{ a: 1, c: 2 }] }] })).toEqual(SAME);
    expect(compareAttribute('a', { sent, found: [{ value: [{ a: 1, b: 0 }] }] })).not.toEqual(SAME);
    expect(compareAttribute('a', { sent, found: [{ value: [{ a: 1 }, { a: 1 }] }] })).not.toEqual(SAME);
  });
  it('where nothing was sent and nothing is there', () => {
    expect(compareAttribute('a', {})).toEqual(SAME);
    expect(compareAttribute('a', { before: [{ value: 1 }], found: [] })).toEqual(SAME);
  });
  it('each entry once: of two that are alike, one is not enough', () => {
    const one = { value: 1 };
    const { differences, notYet } = compareAttribute('a', { sent: [one, one], found: [one, { value: 2 }] });
    expect([differences.length, notYet.length]).toEqual([1, 0]);
  });
});

it('what is there as before is not visible yet, told with both sides', () => {
  fc.assert(
    fc.property(entries, entries, (before, sent) => {
      const { differences, notYet } = compareAttribute('a', { before, sent, found: before });
      expect(differences).toEqual([]);
      const isSame = compareAttribute('a', { sent, found: before }).differences.length === 0;
      const whole = { path: 'attributes.a', kind: 'changed', before: sent, after: before };
      expect(notYet).toMatchObject(isSame ? [] : [whole]);
    }),
  );
});

it('what is neither differs, one entry against one member by member', () => {
  const before = [{ value: 1, unit: 'kg', note: 'x' }];
  const sent = [{ value: 2, unit: 'g' }];
  expect(compareAttribute('a', { before, sent, found: [{ value: 1, unit: 'g' }] })).toMatchObject({
    differences: [],
    notYet: [{ path: 'attributes.a[0].value', before: 2, after: 1 }],
  });
  expect(compareAttribute('a', { before, sent, found: [{ value: 3, unit: 'kg', note: 'x' }] })).toEqual({
    differences: [
      {
        path: 'attributes.a[0].value',
        segments: ['attributes', 'a', 0, 'value'],
        kind: 'changed',
        before: 2,
        after: 3,
      },
    ],
    notYet: [
      {
        path: 'attributes.a[0].unit',
        segments: ['attributes', 'a', 0, 'unit'],
        kind: 'changed',
        before: 'g',
        after: 'kg',
      },
      // It was to go, and is there still.
      { path: 'attributes.a[0].note', segments: ['attributes', 'a', 0, 'note'], kind: 'added', after: 'x' },
    ],
  });
});

it.each([
  ['entries of two places', [{ value: 2, marketplace_id: 'M1' }], [{ value: 3, marketplace_id: 'M2' }]],
  ['more than one that was sent', [{ value: 2 }, { value: 4 }], [{ value: 3 }]],
  ['more than one that is there', [{ value: 2 }], [{ value: 3 }, { value: 5 }]],
  ['what is no entry', [2], [3]],
  ['an entry and what is none', [{ value: 2 }], [3]],
])('%s are told whole', (_case, sent, found) => {
  expect(compareAttribute('a', { before: [{ value: 1 }], sent, found })).toEqual({
    differences: [attributeDifference(['attributes', 'a'], sent, found)],
    notYet: [],
  });
});

it('a difference has its path, and the sides that there are', () => {
  expect(attributeDifference(['a', 0, 'b'], 1, 2)).toEqual({
    path: 'a[0].b',
    segments: ['a', 0, 'b'],
    kind: 'changed',
    before: 1,
    after: 2,
  });
  expect(attributeDifference(['a'], undefined, 2)).toEqual({
    path: 'a',
    segments: ['a'],
    kind: 'added',
    after: 2,
  });
  expect(attributeDifference(['a'], 1, undefined)).toEqual({
    path: 'a',
    segments: ['a'],
    kind: 'removed',
    before: 1,
  });
});
