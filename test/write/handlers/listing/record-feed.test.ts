/**
 * Tests that a feed's changes are recorded one by one before it is sent, with their results and what cannot
 * be undone.
 */

import { afterAll, expect, it } from 'vitest';
import type { ListingsScope } from '../../../../src/write/handlers/listing/listings-scope.ts';
import {
  addCannotUndoNotices,
  recordFeed,
  recordFeedOutcomes,
  toRecordedListing,
  undoIdOfListing,
} from '../../../../src/write/handlers/listing/record-feed.ts';
import { type Change, unknownChange } from '../../../../src/write/model/change.ts';
import type { BatchWrite } from '../../../../src/write/plan/prepared-batch.ts';
import type { ItemToRecord } from '../../../../src/write/records/undo/write-values.ts';
import { startToolRunner } from '../../../helpers/tool-runner.ts';

const US = 'ATVPDKIKX0DER';
const runner = await startToolRunner(() => ({ body: {} }));
afterAll(() => runner.close());

const title = (value: string) => [{ value, marketplace_id: US }];
const changeOf = (before: string, after: string, more: Partial<Change> = {}): Change => ({
  ...unknownChange(),
  subject: { kind: 'listing', sku: 'S1' },
  before: { item_name: title(before) },
  after: { item_name: title(after) },
  differences: [{ path: 'attributes.item_name', segments: ['attributes', 'item_name'], kind: 'changed' }],
  ...more,
});
const writeOf = (change: Change, more: Partial<BatchWrite> = {}) =>
  ({ key: 'S1', change, shown: { parameters: {}, change }, ...more }) as unknown as BatchWrite;
const MEMBERS = [{ segments: ['attributes', 'item_name'], before: title('A'), after: title('B') }];

it('a write is kept under its number with what it changes, unless that cannot be taken back', () => {
  expect(toRecordedListing(writeOf(changeOf('A', 'B')), 3)).toEqual({ n: 3, members: MEMBERS });
  expect(toRecordedListing(writeOf(changeOf('A', 'B'), { undoes: 'e-1' }), 4)).toEqual({
    n: 4,
    undoes: 'e-1',
    members: MEMBERS,
  });
  expect(toRecordedListing(writeOf(changeOf('A', 'B', { cannotUndo: 'why' }), { undoes: 'e-1' }), 5)).toEqual(
    {
      n: 5,
      undoes: 'e-1',
      cannotUndo: 'why',
    },
  );
  const marked = changeOf('A', '«buyer name 3f2ak9xq»');
  const personal = writeOf(changeOf('A', 'Ada'), { shown: { parameters: {}, change: marked } as never });
  expect(toRecordedListing(personal, 6)).toMatchObject({ n: 6, isPersonal: true });
});

it('the number of its entry is told only where it can be taken back', () => {
  expect(undoIdOfListing('b1b2c3d4', { n: 7, members: MEMBERS })).toMatch(/b1b2c3d4.*7/);
  expect(undoIdOfListing('b1b2c3d4', { n: 7 })).toBeUndefined();
});

it('where all of them together are more than is kept, each says so, in what is sent and in what is shown', async () => {
  const { session } = runner;
  const journal = await session.journal();
  const asked: number[] = [];
  let why: string | undefined;
  journal.whyNotAll = async (bytes) => {
    asked.push(bytes);
    return why;
  };
  const own = writeOf(changeOf('A', 'B', { cannotUndo: 'its own reason' }));
  const writes = [writeOf(changeOf('A', 'B')), own, writeOf(changeOf('A', 'C'))];
  expect(await addCannotUndoNotices(writes, session)).toBe(writes);
  const bytes = (after: string) =>
    JSON.stringify([{ segments: ['attributes', 'item_name'], before: title('A'), after: title(after) }])
      .length;
  expect(asked).toEqual([bytes('B') + bytes('C')]);
  why = 'too much';
  const reasons = [...(await addCannotUndoNotices(writes, session))];
  expect(reasons.map(({ change }) => change.cannotUndo)).toEqual(['too much', 'its own reason', 'too much']);
  expect(reasons.map(({ shown }) => shown.change.cannotUndo)).toEqual([
    'too much',
    'its own reason',
    'too much',
  ]);
  expect(reasons[1]).toBe(own);
  asked.length = 0;
  await addCannotUndoNotices([own], session);
  expect(asked).toEqual([]);
});

it('the list that is kept has the seller and the marketplace of each, and its end each outcome by its number', async () => {
  const { session } = runner;
  const journal = await session.journal();
  const kept: unknown[] = [];
  const items: ItemToRecord[] = [];
  journal.beginList = async (list) => {
    items.push(...list.items);
    kept.push({ ...list, items: undefined });
  };
  const marketplace = {
    account: 'default',
    ownerDigest: 'mark',
    id: US,
    owner: { sellerId: 'A1' },
  } as unknown as ListingsScope;
  const listings = [
    { sku: 'S1', productType: 'LAMP', n: 1, members: MEMBERS, isPersonal: true, undoes: 'e-1' },
    { sku: 'S2', productType: 'LAMP', n: 2, cannotUndo: 'why' },
  ];
  await recordFeed(marketplace, 'b1b2c3d4', 'title', listings, session);
  expect(kept).toEqual([
    {
      account: 'default',
      owner: 'mark',
      operation: 'listings-items/patchListingsItem',
      batch: 'b1b2c3d4',
      what: 'title',
      items: undefined,
    },
  ]);
  const parameters = (sku: string) => ({ sku, marketplaceIds: [US], sellerId: 'A1' });
  expect(items).toEqual([
    {
      n: 1,
      isPersonal: true,
      undoes: 'e-1',
      cannot: undefined,
      values: { parameters: parameters('S1'), productType: 'LAMP', members: MEMBERS },
    },
    {
      n: 2,
      isPersonal: false,
      undoes: undefined,
      cannot: 'why',
      values: { parameters: parameters('S2'), productType: 'LAMP', members: [] },
    },
  ]);
  const ended: unknown[] = [];
  journal.endList = async (...parts) => {
    ended.push(parts);
    return undefined;
  };
  const ends = [
    { key: 'S1', outcome: { kind: 'accepted' as const } },
    { key: 'S2', outcome: { kind: 'changed_since' as const } },
    { key: 'S3', outcome: undefined },
    { key: 'unknown', outcome: { kind: 'accepted' as const } },
  ];
  const numbers = new Map([
    ['S1', 1],
    ['S2', 2],
    ['S3', 3],
  ]);
  await recordFeedOutcomes('b1b2c3d4', ends, numbers, session);
  expect(ended).toEqual([
    [
      'b1b2c3d4',
      [
        [1, 'done'],
        [2, 'refused'],
      ],
    ],
  ]);
});
