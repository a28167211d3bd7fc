/** A process goes on knowing what it knows of a batch, whatever the store says of it later. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { BatchItem } from '../../../../src/write/run/batches/batch.ts';
import { makeContent } from '../../../../src/write/run/batches/batch-content.ts';
import {
  type BatchTable,
  localBatches,
  openBatchTable,
} from '../../../../src/write/run/batches/batch-table.ts';
import { openRecord } from '../../../../src/write/run/batches/record.ts';
import { openStateStore } from '../../../../src/write/state-store.ts';
import { onStore } from '../../../helpers/state-rows.ts';
import { listOf, noKey } from './simulated.ts';

const ID = '00000001';
let folder = '';
let table: BatchTable;
let isFull = false;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-record-'));
  isFull = false;
  const opened = openTable();
  table = {
    ...opened,
    change: async (...given) => {
      if (isFull) throw new Error('disk full');
      return opened.change(...given);
    },
  };
  const items: BatchItem[] = [0, 1].map((at) => ({ key: `SKU-${at}`, value: at }));
  const { account, owner, tool, asked, digest, words } = listOf(items);
  const head = { id: ID, account, owner, tool, asked, digest, words, createdAt: 1 };
  await table.create(await makeContent(head, { items }, 'clear', noKey), []);
});

function openTable(): BatchTable {
  const store = openStateStore(folder);
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  return openBatchTable(localBatches(store));
}

async function open() {
  const record = await openRecord(ID, { table, sealer: noKey });
  const mark = (await table.hold(ID))?.mark;
  if (record === undefined || mark === undefined) throw new Error('It was begun.');
  return { record, mark };
}

/** Another process takes it, looks, and cannot tell. */
async function lookElsewhere(): Promise<void> {
  onStore(folder, 'DELETE FROM leases');
  const other = openTable();
  const by = (await other.hold(ID))?.mark ?? '';
  await other.change(ID, [
    { t: 'looking', i: 0, by },
    { t: 'end', i: 0, by, kind: 'unknown' },
  ]);
}

test('an outcome that could not be written, while another process looked', async () => {
  const { record, mark } = await open();
  await record.write({ t: 'sending', i: 0, by: mark });
  isFull = true;
  await expect(record.end(0, mark, { kind: 'accepted' })).rejects.toThrow('full');
  await lookElsewhere();
  await record.refresh();
  expect((await record.outcomeOf(0))?.kind).toBe('accepted');
  isFull = false;
  await record.writeRest();
  expect(onStore(folder, 'SELECT state FROM batch_items')).toEqual([
    { state: expect.stringContaining('"accepted"') },
  ]);
});

test('an outcome that the store has lost since, and that another process has looked for', async () => {
  const { record, mark } = await open();
  await record.write({ t: 'sending', i: 0, by: mark });
  await record.end(0, mark, { kind: 'accepted' });
  onStore(folder, 'DELETE FROM batch_items');
  await record.refresh();
  expect(record.flags().isInDoubt).toBe(true);
  await lookElsewhere();
  await record.refresh();
  expect((await record.outcomeOf(0))?.kind).toBe('accepted');
});
