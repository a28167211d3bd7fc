/** One process at a time holds a thing, and what is left by one that is gone holds nothing. */

import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LeaseOptions, readHolder, takeLease } from '../../src/disk/lease.ts';
import { processPlace } from '../../src/disk/process-place.ts';

let folder: string;
let options: LeaseOptions;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-lease-'));
  options = {
    file: join(folder, 'thing.run'),
    lockName: 'things.lock',
    staleMs: 60_000,
    progress: () => ({ done: 3 }),
  };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (note: object) => writeFile(options.file, JSON.stringify({ mark: 'other', ...note }));

test('is held by one, told to the others with how far it is, and free when it is released', async () => {
  expect(await readHolder(options)).toBeUndefined();
  const lease = await takeLease(options);
  expect(await readHolder(options)).toEqual({ progress: { done: 3 } });
  expect(await takeLease(options)).toBeUndefined();
  expect(await lease?.isOurs()).toBe(true);
  await lease?.release();
  expect(await readHolder(options)).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
});

test('what a holder that was killed had begun to write goes when it is taken again; other files stay', async () => {
  await writeFile(`${options.file}.0123456789abcdef`, '{"place"');
  const others = ['another.run.0123456789abcdef', 'thing.run.txt', 'thing.running'];
  for (const name of others) await writeFile(join(folder, name), '');
  const lease = await takeLease(options);
  await lease?.release();
  expect((await readdir(folder)).sort()).toEqual(others);
});

test('of several that come at once, one gets it', async () => {
  const leases = await Promise.all(Array.from({ length: 8 }, () => takeLease(options)));
  expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
  for (const lease of leases) await lease?.release();
});

test('one of a process that is gone, or was silent for too long, or is no note, is taken', async () => {
  // The highest number that systems give, and beyond what they do give.
  await write({ place: processPlace(), pid: 2 ** 22 + 1 });
  expect(await readHolder(options)).toBeUndefined();
  // Of another container: its number says nothing here.
  await write({ place: 'elsewhere', pid: 2 ** 22 + 1 });
  expect(await readHolder(options)).toBeDefined();
  const long = new Date(Date.now() - 61_000);
  await utimes(options.file, long, long);
  expect(await readHolder(options)).toBeUndefined();
  // The clock was set back since.
  const ahead = new Date(Date.now() + 3_600_000);
  await utimes(options.file, ahead, ahead);
  expect(await readHolder(options)).toBeUndefined();
  await writeFile(options.file, '{"place":');
  const lease = await takeLease(options);
  expect(lease).toBeDefined();
  await lease?.release();
});

test('one that was taken by another process is not touched, and not removed', async () => {
  const lease = await takeLease(options);
  await write({ place: 'elsewhere', pid: 7 });
  expect(await lease?.isOurs()).toBe(false);
  // Longer than a beat.
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  await lease?.release();
  expect(await readFile(options.file, 'utf8')).toContain('elsewhere');
});
