/** The command as a person and as a script see it. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stop } from '../../../src/program/commands/stop.ts';
import type { Batches } from '../../../src/write/run/batches/batches.ts';
import { openBatches } from '../../../src/write/run/batches/batches.ts';
import { openStateStore } from '../../../src/write/state-store.ts';
import { createTestOutside } from '../../helpers/outside.ts';
import { anyKey, listOf } from '../../write/run/batches/simulated.ts';

let folder: string;
let batches: Batches;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-stop-'));
  batches = await openBatches({ store: openStateStore(folder), sealer: anyKey });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const begin = async (asked: string) => {
  const items = [
    { key: 'SKU-1', value: 1 },
    { key: 'SKU-2', value: 2 },
  ];
  const { id } = await batches.begin(listOf(items, { asked, words: '2 listings, Germany' }));
  return id;
};

async function run(positionals: string[], values = {}) {
  const io = createTestOutside({ flags: { 'state-dir': folder } });
  await stop.run({ positionals, values }, io);
  return io.out();
}

test('stops all that are unfinished, and tells what was done', async () => {
  expect(await run([])).toBe('No list of writes is under way or unfinished.\n');
  const ids = [await begin('one'), await begin('other')];
  const out = await run([]);
  for (const id of ids)
    expect(out).toContain(
      `Stopped: 2 listings, Germany (change_listings, account shop, batch ${id}): 2 not sent.\n`,
    );
  for (const id of ids) expect(await batches.info(id)).toMatchObject({ state: 'stopped' });
  expect(await run([])).toBe('No list of writes is under way or unfinished.\n');
});

test('stops the one that is named, and says which there are where it is none', async () => {
  const [one, other] = [await begin('one'), await begin('other')];
  expect(JSON.parse(await run([one], { json: true }))).toEqual({
    stopped: [
      expect.objectContaining({
        id: one,
        account: 'shop',
        tool: 'change_listings',
        state: 'stopped',
        total: 2,
        counts: expect.objectContaining({ not_sent: 2, pending: 0 }),
        confirmedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      }),
    ],
  });
  expect(await batches.info(other)).toMatchObject({ state: 'unfinished' });
  const missing = run([one]);
  await expect(missing).rejects.toThrow(`No list of writes called "${one}" is under way or unfinished.`);
  await expect(missing).rejects.toMatchObject({ hint: `These are: ${other}.` });
});
