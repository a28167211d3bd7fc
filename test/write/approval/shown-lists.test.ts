/** Lists that were shown are kept for as long as a yes to them is good, and no longer; memory is bounded. */

import { expect, it } from 'vitest';
import { supplySourceWrite } from '../../../src/service/facts/documented-operations.ts';
import {
  createBatchStore,
  type ShownBatch,
  type ShownBatches,
} from '../../../src/write/approval/shown-store.ts';
import { unknownChange } from '../../../src/write/model/change.ts';
import type { BatchWrite } from '../../../src/write/plan/prepared-batch.ts';
import { OWNER } from '../run/open-guard.ts';

const write = (key: string): BatchWrite => ({
  key,
  input: { operation: supplySourceWrite(), account: 'a', parameters: {} },
  request: { filledIn: {}, owner: OWNER },
  change: unknownChange(),
  shown: { parameters: {}, change: unknownChange() },
});
const shown = (count: number): ShownBatch => ({
  list: { writes: Array.from({ length: count }, (_, at) => write(String(at))) },
  digest: '',
  shownAt: 0,
  preview: undefined,
});

const elsewhere = async () => undefined;
const areKept = async (lists: Pick<ShownBatches, 'find'>, ...keys: string[]) => {
  const found = await Promise.all(keys.map((key) => lists.find(key, elsewhere)));
  return found.map((one) => one !== undefined);
};

it('keeps a list for ten minutes', async () => {
  let now = 0;
  const lists = createBatchStore(() => now);
  const list = shown(1);
  await lists.keep('a', list);
  now = 599_999;
  expect(await lists.find('a', elsewhere)).toBe(list);
  now = 600_000;
  expect(await lists.find('a', elsewhere)).toBeUndefined();
});

it('lets the oldest go, by number and by size, never the newest', async () => {
  const lists = createBatchStore(() => 0);
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await lists.keep(key, shown(1));
  expect(await areKept(lists, 'a', 'b', 'f')).toEqual([false, true, true]);
  await lists.keep('large', shown(25_000));
  await lists.keep('larger', shown(25_001));
  expect(await areKept(lists, 'f', 'large', 'larger')).toEqual([false, false, true]);
  await lists.keep('largest', shown(50_001));
  expect(await areKept(lists, 'larger', 'largest')).toEqual([false, true]);
});

it('forgets what is sent', async () => {
  const lists = createBatchStore(() => 0);
  await lists.keep('a', shown(1));
  await lists.forget('a');
  expect(await lists.find('a', elsewhere)).toBeUndefined();
});
