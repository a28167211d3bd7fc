/** Lists are stopped from outside, whichever server works on them, without asking the keychain for what is in them. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Batches, openBatches } from '../../../../src/write/run/batches/batches.ts';
import { stopBatches } from '../../../../src/write/run/batches/stop-batches.ts';
import { openStateStore } from '../../../../src/write/state-store.ts';
import { anyKey, listOf } from './simulated.ts';

let folder: string;
let batches: Batches;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-stop-'));
  batches = await openBatches({ store: openStateStore(folder), sealer: anyKey });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const begin = async (asked: string) =>
  (await batches.begin(listOf([{ key: 'S1', value: 1 }], { asked, words: '1 listing, Germany' }))).id;
const stop = (id?: string) => stopBatches(id, { store: openStateStore(folder) });

it('all that are open are stopped, each told in a sentence and as data, and none a second time', async () => {
  expect(await stop()).toEqual([]);
  const ids = [await begin('one'), await begin('other')];
  const stopped = await stop();
  expect(stopped.map(({ data }) => data.id).sort()).toEqual([...ids].sort());
  for (const { words, data } of stopped) {
    expect(words).toBe(
      `Stopped: 1 listing, Germany (change_listings, account shop, batch ${data.id}): 1 not sent.`,
    );
    expect(data).toEqual({
      id: data.id,
      account: 'shop',
      tool: 'change_listings',
      words: '1 listing, Germany',
      state: 'stopped',
      total: 1,
      counts: expect.objectContaining({ not_sent: 1, pending: 0 }),
      confirmedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect(await batches.info(data.id)).toMatchObject({ state: 'stopped' });
  }
  expect(await stop()).toEqual([]);
});

it('one alone is stopped by its id; one that is not open is told with those that are', async () => {
  const [one, other] = [await begin('one'), await begin('other')];
  expect((await stop(one)).map(({ data }) => data.id)).toEqual([one]);
  expect(await batches.info(other)).toMatchObject({ state: 'unfinished' });
  for (const id of [one, 'ffffffff'])
    await expect(stop(id)).rejects.toMatchObject({
      message: `No list of writes called "${id}" is under way or unfinished.`,
      hint: `These are: ${other}.`,
    });
  await stop(other);
  await expect(stop(other)).rejects.toMatchObject({ hint: 'None is.' });
});
