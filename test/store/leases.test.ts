/** One process at a time holds a thing, and one that is gone holds nothing. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLeases, type Leases } from '../../src/store/leases.ts';
import { openStateStore } from '../../src/write/state-store.ts';
import { onStore } from '../helpers/state-rows.ts';

let folder: string;
/** Two processes share these leases. */
let leases: Leases;
let others: Leases;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-lease-'));
  const [one, other] = [openStateStore(folder), openStateStore(folder)];
  [leases, others] = [createLeases(async () => one), createLeases(async () => other)];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('is held by one, told to the others with how far it is, and free when it is released', async () => {
  let done = 3;
  expect(await others.holder('thing')).toBeUndefined();
  const lease = await leases.take('thing', () => ({ done }));
  expect(await others.holder('thing')).toEqual({ progress: { done: 3 } });
  expect(await others.take('thing')).toBeUndefined();
  expect(await leases.take('thing')).toBeUndefined();
  done = 4;
  await expect.poll(() => others.holder('thing'), { timeout: 5_000 }).toEqual({ progress: { done: 4 } });
  await lease?.release();
  expect(await others.holder('thing')).toBeUndefined();
  expect(onStore(folder, 'SELECT * FROM leases')).toEqual([]);
});

test('of several that come at once, one gets it', async () => {
  const asked = Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? leases : others).take('thing'));
  expect((await Promise.all(asked)).filter((lease) => lease !== undefined)).toHaveLength(1);
});

test.each([
  ['of a process that is gone', 'pid = 4194305', true],
  ['of another computer', `pid = 4194305, place = 'elsewhere'`, false],
  ['that was silent for too long', 'heard_at = heard_at - 61000', true],
  ['before the clock was set back', 'heard_at = heard_at + 3600000', true],
])('one %s is taken: %s', async (_which, change, isTaken) => {
  const lease = await leases.take('thing');
  onStore(folder, `UPDATE leases SET mark = 'another', ${change}`);
  expect((await others.take('thing')) !== undefined).toBe(isTaken);
  // The one before neither renews nor removes what is not its own any more.
  await pause(1_300);
  await lease?.release();
  expect(onStore(folder, 'SELECT * FROM leases')).toHaveLength(1);
});

test('work of several stands in line, and one that fails lets the next one in', async () => {
  let inside = 0;
  let most = 0;
  const work = async (fails: boolean) => {
    inside += 1;
    most = Math.max(most, inside);
    await pause(10);
    inside -= 1;
    if (fails) throw new Error('failed');
  };
  const all = Array.from({ length: 12 }, (_, at) =>
    (at % 2 === 0 ? leases : others).within('thing', () => work(at % 3 === 0)),
  );
  const ends = await Promise.allSettled(all);
  expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(4);
  expect(most).toBe(1);
});
