/** A change that is told long after it was written is made of what was kept: the same members, with the sides that are asked for. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Subject } from '../../../../src/write/model/change.ts';
import { membersOf } from '../../../../src/write/model/changed-members.ts';
import { adapterOf } from '../../../../src/write/model/find-adapter.ts';
import { changeBetween, recordedChange } from '../../../../src/write/records/undo/recorded-change.ts';
import { compareMembers, type OpenEntry } from '../../../../src/write/records/undo/undo-conflicts.ts';

const DE = 'A1PA6795UKMFR9';
const LISTING: Subject = { kind: 'listing', sku: 'S1' };
const STORE: Subject = { kind: 'store', id: 'ST-1' };
const TOLD = { places: [DE], toldParameters: ['sku'] };

const entries = fc.option(
  fc.constantFrom('one', 'two').map((value) => [{ value, marketplace_id: DE }]),
  { nil: undefined },
);
const members = fc.record(
  { item_name: entries, brand: entries, list_price: entries },
  { noNullPrototype: true },
);
const without = (side: object) =>
  Object.fromEntries(Object.entries(side).filter(([, value]) => value !== undefined));

it('what was kept of a change tells the same members with the same values as the change itself', () => {
  fc.assert(
    fc.property(members, members, (was, is) => {
      const [before, after] = [without(was), without(is)];
      const differences = adapterOf(LISTING).compare(before, after);
      const change = { subject: LISTING, ...TOLD, before, after, differences, isWhole: true, warnings: [] };
      const kept = recordedChange({
        parameters: { sku: 'S1', marketplaceIds: [DE] },
        members: membersOf(change),
      });
      expect(kept).toMatchObject({ subject: LISTING, places: [DE], isWhole: false, warnings: [] });
      const names = Object.keys({ ...before, ...after }).filter(
        (name) => JSON.stringify(Reflect.get(before, name)) !== JSON.stringify(Reflect.get(after, name)),
      );
      const only = (side: object) =>
        Object.fromEntries(Object.entries(side).filter(([name]) => names.includes(name)));
      expect([kept.before, kept.after]).toEqual([only(before), only(after)]);
      const howOf = (name: string) => (name in before ? (name in after ? 'changed' : 'removed') : 'added');
      expect(new Map(kept.differences?.map(({ path, kind }) => [path, kind]))).toEqual(
        new Map(names.map((name) => [`attributes.${name}`, howOf(name)])),
      );
      // Between the sides the same differences are found again.
      expect(adapterOf(LISTING).compare(kept.before, kept.after)).toEqual(differences);
    }),
  );
});

it('of a store it is the store, by its id, and its own members', () => {
  const kept = recordedChange({
    parameters: { supplySourceId: 'ST-1' },
    members: [
      { segments: ['configuration', 'timezone'], before: 'UTC', after: 'CET' },
      { segments: ['alias'], after: 'North' },
    ],
  });
  expect(kept).toEqual({
    subject: STORE,
    places: [],
    toldParameters: [],
    warnings: [],
    before: { configuration: { timezone: 'UTC' } },
    after: { configuration: { timezone: 'CET' }, alias: 'North' },
    differences: [
      {
        path: 'configuration.timezone',
        segments: ['configuration', 'timezone'],
        before: 'UTC',
        after: 'CET',
        kind: 'changed',
      },
      { path: 'alias', segments: ['alias'], before: undefined, after: 'North', kind: 'added' },
    ],
    isWhole: false,
  });
});

it('what somebody else made of it is told from any side to any other, of the members alone', () => {
  const side = (value: string) => [{ value, marketplace_id: DE }];
  const values = {
    parameters: { sku: 'S1', marketplaceIds: [DE] },
    members: [{ segments: ['attributes', 'item_name'], before: side('old'), after: side('ours') }],
  };
  const open: OpenEntry = {
    entry: {
      id: '1',
      time: '2026-11-22T10:00:00.000Z',
      account: 'a',
      owner: 'o',
      operation: 'listings-items/patchListingsItem',
      outcome: 'done',
      open: async () => undefined,
    },
    values,
  };
  const now = { attributes: { item_name: side('theirs'), brand: side('x') } };
  const comparisons = compareMembers(open, [], now);
  const between = (...sides: Parameters<typeof changeBetween>[2]) =>
    changeBetween({ subject: LISTING, ...TOLD }, comparisons, sides);
  const theirs = between('last', 'now');
  expect(theirs).toEqual({
    subject: LISTING,
    ...TOLD,
    before: { item_name: side('ours') },
    after: { item_name: side('theirs') },
    differences: adapterOf(LISTING).compare({ item_name: side('ours') }, { item_name: side('theirs') }),
    isWhole: false,
    warnings: [],
  });
  expect(theirs.differences).not.toEqual([]);
  const back = between('now', 'target');
  expect([back.before, back.after]).toEqual([{ item_name: side('theirs') }, { item_name: side('old') }]);
  expect(between('previous', 'target').differences).toEqual([]);
  const store = changeBetween(
    { subject: STORE, ...TOLD },
    [{ ...comparisons[0], segments: ['alias'], last: 'A', now: 'B' } as never],
    ['last', 'now'],
  );
  expect([store.before, store.after]).toEqual([{ alias: 'A' }, { alias: 'B' }]);
});

it('a listing of which none of the attributes stands has none', () => {
  const gone = [{ segments: ['attributes', 'item_name'], last: undefined, now: undefined } as never];
  const { before, after, differences } = changeBetween({ subject: LISTING, ...TOLD }, gone, ['last', 'now']);
  expect([before, after, differences]).toEqual([{}, {}, []]);
});
