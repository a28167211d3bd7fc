/** Entries of an attribute: which one is meant, where it counts, and what it says beside that. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import {
  contentMembersOf,
  contentOf,
  entriesInMarketplaces,
  entriesOf,
  isInMarketplaces,
  isPlainStep,
  isSelected,
  marketplacesOfEntries,
  namesIn,
  onlySchedule,
  SELECTORS,
  scheduleOf,
  selectorOf,
  sortByMarketplace,
  toAttributes,
  toList,
  withEntry,
} from '../../../../src/write/model/listing/entries.ts';

const someMarketplace = fc.constantFrom(undefined, 'DE', 'FR', 'US', 'AT');
const entries = fc
  .array(someMarketplace, { maxLength: 6 })
  .map((ids) => ids.map((id, at) => ({ ...(id && { marketplace_id: id }), value: at })));
const someMarketplaces = fc.subarray(['DE', 'FR', 'US']);

it('in the order of places, those of these and of none come first as they are, then each other place', () => {
  fc.assert(
    fc.property(entries, someMarketplaces, (all, own) => {
      const sorted = sortByMarketplace(all, own);
      const isOther = ({ marketplace_id: id = '' }: { marketplace_id?: string }) =>
        id !== '' && !own.includes(id);
      const others = [...new Set(all.filter(isOther).map(({ marketplace_id: id }) => id))].toSorted();
      const expected = [
        ...all.filter((one) => !isOther(one)),
        ...others.flatMap((id) => all.filter((one) => one.marketplace_id === id)),
      ];
      expect(sorted).toEqual(own.length === 0 ? all : expected);
    }),
    { numRuns: 100 },
  );
});

it('an entry counts in the place that it names, and in all where it names none', () => {
  fc.assert(
    fc.property(entries, someMarketplaces, (all, own) => {
      const counts = (one: { marketplace_id?: string }) =>
        own.length === 0 || one.marketplace_id === undefined || own.includes(one.marketplace_id);
      expect(all.map((one) => isInMarketplaces(one, own))).toEqual(all.map(counts));
      const left = all.filter(counts);
      expect(entriesInMarketplaces({ title: all, none: [] }, own)).toEqual(
        left.length === 0 ? {} : { title: left },
      );
      expect(marketplacesOfEntries(all)).toEqual([
        ...new Set(all.flatMap(({ marketplace_id: id }) => id ?? [])),
      ]);
    }),
  );
  expect([isInMarketplaces('text', ['DE']), isInMarketplaces({ marketplace_id: 7 }, ['DE'])]).toEqual([
    true,
    true,
  ]);
});

describe('the one that is meant', () => {
  const selector = (name: string) =>
    fc.constantFrom<unknown>(undefined, 'a', 'b', name === 'audience' ? 'ALL' : 'DEFAULT', 7);
  const entry = fc
    .tuple(...SELECTORS.map(selector))
    .map((values) =>
      Object.fromEntries(
        values.flatMap((value, at) => (value === undefined ? [] : [[SELECTORS[at], value]])),
      ),
    );
  it('differs in no selector that both have, where some stand for themselves when they are missing', () => {
    fc.assert(
      fc.property(entry, entry, (one: JsonObject, other: JsonObject) => {
        const selected = (of: JsonObject, name: string) =>
          of[name] ?? { audience: 'ALL', fulfillment_channel_code: 'DEFAULT' }[name];
        const differs = SELECTORS.some((name) => {
          const [a, b] = [selected(one, name), selected(other, name)];
          return a !== undefined && b !== undefined && a !== b;
        });
        expect(isSelected({ ...one, value: 1 }, { ...other, value: 2 })).toBe(!differs);
        expect(isSelected(one, one)).toBe(true);
      }),
      { numRuns: 200 },
    );
    expect([isSelected({}, 'x'), isSelected({}, undefined), isSelected({}, [])]).toEqual([
      false,
      false,
      false,
    ]);
  });
  it('is known by a text, whatever stands there', () => {
    expect([selectorOf({ a: 'x' }, 'a'), selectorOf({ a: { b: 1 } }, 'a'), selectorOf({}, 'a')]).toEqual([
      'x',
      '{"b":1}',
      undefined,
    ]);
    expect(selectorOf({}, 'audience')).toBe('ALL');
  });
});

it('what it says is all but what tells which one it is', () => {
  const selectors = Object.fromEntries(SELECTORS.map((name) => [name, 'x']));
  expect(contentOf({ ...selectors, value: 1, unit: 'cm' })).toEqual({ value: 1, unit: 'cm' });
  expect([contentOf('text'), contentOf(undefined)]).toEqual(['text', undefined]);
  expect([
    contentMembersOf({ ...selectors, a: 1 }),
    contentMembersOf('text'),
    contentMembersOf(undefined),
  ]).toEqual([{ a: 1 }, {}, {}]);
});

it('in the place of another, or behind all', () => {
  const [a, b, fresh] = [{ v: 1 }, { v: 2 }, { v: 3 }];
  expect(withEntry([a, b], a, fresh)).toEqual([fresh, b]);
  expect(withEntry([a, b], undefined, fresh)).toEqual([a, b, fresh]);
});

it('attributes are lists by name, whatever the service answers', () => {
  expect(toAttributes({ a: [1], b: 2, c: null, d: undefined })).toEqual({ a: [1], b: [2], c: [], d: [] });
  expect([toAttributes(undefined), toAttributes([1]), toAttributes('x')]).toEqual([{}, {}, {}]);
  expect([toList(0), toList([]), toList('')]).toEqual([[0], [], ['']]);
  expect([entriesOf({ a: [1] }, 'a'), entriesOf({}, 'constructor')]).toEqual([[1], []]);
  expect(namesIn({ a: 1, b: 1 }, { b: 1, c: 1 })).toEqual(['a', 'b', 'c']);
});

it('steps of a price in the known form, and no other', () => {
  const schedule = [{ value_with_tax: 1, start_at: 'x', end_at: 'y' }];
  expect(schedule.every(isPlainStep)).toBe(true);
  expect([{}, { value_with_tax: 1, lower_bound: 2 }, 7, null].map(isPlainStep)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(scheduleOf({ schedule })).toBe(schedule);
  expect(onlySchedule([{ schedule }])).toBe(schedule);
  const odd = [{ schedule, more: 1 }, { schedule: 1 }, { more: [] }, schedule, undefined];
  expect(odd.map(scheduleOf)).toEqual(Array(5).fill(undefined));
  expect([[], [{ schedule }, { schedule }], { schedule }, undefined].map(onlySchedule)).toEqual(
    Array(4).fill(undefined),
  );
});
