/** A write of ours that no reading shows yet is what the next one goes back from; anything else is told as it is read. */

import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../../../src/write/keep/history/history-file.ts';
import { indexRecent, LONGEST_UNSEEN_MS, withUnseen } from '../../../../src/write/keep/history/unseen.ts';
import type { WriteValues } from '../../../../src/write/keep/history/values.ts';
import { type Change, unknownChange } from '../../../../src/write/model/change.ts';

const US = 'ATVPDKIKX0DER';
const NOW = Date.parse('2026-11-22T12:00:00.000Z');
const title = (value: string, place = US) => [{ value, marketplace_id: place }];

interface Written {
  entry?: Partial<HistoryEntry>;
  after?: unknown;
  values?: Partial<WriteValues & { found: readonly unknown[] }>;
}

function entryOf({ entry = {}, after = title('Ours'), values = {} }: Written): HistoryEntry {
  const members = [{ segments: ['attributes', 'item_name'], before: title('Before'), after }];
  const kept = {
    parameters: { sku: 'S1', marketplaceIds: [US], sellerId: 'A1' },
    members,
    ...values,
  };
  return {
    id: 'id-1',
    time: new Date(NOW - 60_000).toISOString(),
    account: 'default',
    owner: 'owner-1',
    operation: 'listings-items/patchListingsItem',
    outcome: 'done',
    open: async () => kept,
    ...entry,
  };
}

/** From what is read to what is wanted now. */
const planned = (read: string) => {
  const [before, after] = [title(read), title('Wanted')];
  const change: Change = {
    ...unknownChange(),
    subject: { kind: 'listing', sku: 'S1' },
    places: [US],
    isWhole: true,
    before: { item_name: before },
    after: { item_name: after },
    differences: [
      {
        path: 'attributes.item_name',
        segments: ['attributes', 'item_name'],
        kind: 'changed',
        before,
        after,
      },
    ],
  };
  const patches = [{ op: 'replace', path: '/attributes/item_name', value: after }];
  const parameters = { sku: 'S1', marketplaceIds: [US], sellerId: 'A1' };
  return { operation: 'listings-items/patchListingsItem', parameters, body: { patches }, change };
};
const ask = async (entries: readonly HistoryEntry[], read = 'Before') =>
  (await withUnseen(planned(read), await indexRecent(entries, NOW))).change;

it('goes back from what was last accepted, and says so', async () => {
  const change = await ask([entryOf({ after: title('First') }), entryOf({ entry: { id: 'id-2' } })]);
  expect(change.before).toEqual({ item_name: title('Ours') });
  expect(change.warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('it may not be visible yet'),
  ]);
});

describe('is as it is read', () => {
  const long = new Date(NOW - LONGEST_UNSEEN_MS - 1).toISOString();
  it.each<[string, Written, string?]>([
    ['where it is seen', {}, 'Ours'],
    ['where it was read back once: somebody else changed it since', { values: { found: [title('Ours')] } }],
    ['after a day', { entry: { time: long } }],
    ['where it was refused', { entry: { outcome: 'not_accepted' } }],
    [
      'where another seller was named',
      { values: { parameters: { sku: 'S1', marketplaceIds: [US], sellerId: 'A2' } } },
    ],
    [
      'where it was for another marketplace',
      { values: { parameters: { sku: 'S1', marketplaceIds: ['A1PA6795UKMFR9'], sellerId: 'A1' } } },
    ],
    [
      'where it was another listing',
      { values: { parameters: { sku: 'S2', marketplaceIds: [US], sellerId: 'A1' } } },
    ],
  ])('%s', async (_what, written, read) => {
    expect(await ask([entryOf(written)], read)).toEqual(planned(read ?? 'Before').change);
  });
});

it('of one whose values can no longer be read nothing is claimed', async () => {
  const thing = { open: async () => undefined };
  const named = await indexRecent([entryOf({})], NOW);
  const recent = { of: () => [entryOf({ entry: thing })] };
  expect(named.of(planned('Before').parameters)).toHaveLength(1);
  const { change } = await withUnseen(planned('Before'), recent);
  expect(change).toMatchObject({ isWhole: false, before: { item_name: title('Before') } });
  expect(change.warnings[0]?.message).toContain('what that changed is not kept');
});

it.each<[string, string, boolean]>([
  [
    'a patch of what was certainly accepted since says nothing of what came before',
    'listings-items/patchListingsItem',
    false,
  ],
  ['a whole listing may hold anything else of it', 'listings-items/putListingsItem', true],
])('%s', async (_what, operation, isTold) => {
  const newer = entryOf({ entry: { operation } });
  const lost = entryOf({ entry: { id: 'id-0', open: async () => undefined } });
  // Newest first.
  const recent = { of: () => [newer, lost] };
  const { change } = await withUnseen({ ...planned('Ours'), operation }, recent);
  expect(change.warnings.map(({ message }) => message.includes('what that changed is not kept'))).toEqual(
    isTold ? [true] : [],
  );
});

it('of several accepted ones the newest is what it goes back from; what was read back once hides none before it', async () => {
  const seen = entryOf({ after: title('Seen'), values: { found: [title('Seen')] } });
  const older = entryOf({ entry: { id: 'id-0' }, after: title('Older') });
  const { change } = await withUnseen(planned('Before'), { of: () => [seen, older] });
  expect(change).toEqual(planned('Before').change);
  const newer = entryOf({ after: title('Newer') });
  const both = await withUnseen(planned('Before'), { of: () => [newer, older] });
  expect(both.change.before).toEqual({ item_name: title('Newer') });
  expect(both.change.warnings).toHaveLength(1);
});

it('one that is wanted again as it was set, and is not shown yet, is told as what is read makes it', async () => {
  const { change } = await withUnseen(planned('Before'), {
    of: () => [entryOf({ after: title('Wanted') })],
  });
  expect(change.before).toEqual({ item_name: title('Before') });
});

it('an attribute that the write does not name is not its business', async () => {
  const other = entryOf({
    values: { members: [{ segments: ['attributes', 'brand'], before: title('A'), after: title('B') }] },
  });
  const { change } = await withUnseen(planned('Before'), { of: () => [other] });
  expect(change).toEqual(planned('Before').change);
});

it('a deletion takes what is there, whatever was set before', async () => {
  const { change, ...write } = planned('Before');
  const deletion = { ...change, after: undefined };
  expect((await withUnseen({ ...write, change: deletion }, { of: () => [entryOf({})] })).change).toBe(
    deletion,
  );
});
