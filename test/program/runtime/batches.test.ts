/** Confirmed lists and the life of a session: its end comes between two items, and the next one goes on. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSession } from '../../../src/program/runtime/open-session.ts';
import { createProgram } from '../../../src/program/runtime/program.ts';
import type { BatchItem, Sender } from '../../../src/write/run/batches/batch.ts';
import { createTestOutside } from '../../helpers/outside.ts';
import { batchesIn } from '../../helpers/state-rows.ts';
import { anyKey, listOf } from '../../write/run/batches/simulated.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-batches-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function open() {
  const env = { SELLER_STATE_DIR: folder, SELLER_DATA_DIR: join(folder, 'data') };
  const program = { ...createProgram(createTestOutside({ env })), sealer: async () => anyKey };
  return openSession(program);
}

const items = Array.from({ length: 200 }, (_, i) => ({ key: `SKU-${i}`, value: { price: i } }));
const waiting = () => ({
  // Only for what hangs.
  until: performance.now() + 50_000,
  signal: new AbortController().signal,
  onProgress: () => {},
});

test('the end of a session ends its lists between two items, and the next session goes on with them', async () => {
  const first = open();
  const batches = await first.batches();
  const { id } = await batches.begin(listOf(items));
  expect(batchesIn(folder)).toEqual([id]);
  const sent: string[] = [];
  const ended: string[] = [];
  const { promise: isUnderWay, resolve: third } = Promise.withResolvers<void>();
  const send = async ({ key }: BatchItem) => {
    sent.push(key);
    if (sent.length === 3) third();
    await new Promise((resolve) => setTimeout(resolve, 5));
    ended.push(key);
    return { kind: 'accepted' } as const;
  };
  const sender: Sender = { send, look: async () => 'unknown', atOnce: 2 };
  await batches.run(id, sender);
  await isUnderWay;
  await first.close();
  const count = sent.length;
  expect(count).toBeLessThan(200);
  expect(ended).toEqual(sent);

  const second = open();
  const next = await second.batches();
  expect(await next.unfinished('shop', 'mark')).toMatchObject([
    { id, state: 'unfinished', counts: { accepted: count, unknown: 0, pending: 200 - count } },
  ]);
  const run = await next.run(id, sender);
  expect(await run.wait(waiting())).toMatchObject({ state: 'ended', counts: { accepted: 200 } });
  expect(new Set(sent).size).toBe(200);
  expect(sent).toHaveLength(200);
  await second.close();
});
