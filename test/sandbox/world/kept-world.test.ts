/** Tests the stored world of a sandbox: every process reads it, whole or not at all, until a reset deletes it. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { IN_MEMORY, momentOf, openKeptWorld, removeKeptWorld } from '../../../sandbox/world/kept-world.ts';

const thing = z.object({ value: z.unknown() });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kept-world-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = () => {
  const world = openKeptWorld(folder);
  return { ...world, things: world.shelf('listing', thing) };
};

it('whoever opens it is the same seller, and sees at once what another has changed', () => {
  const [one, other] = [open(), open()];
  expect([other.id, other.key, other.isAnew]).toEqual([one.id, one.key, false]);
  const value = { text: 'a/b \ud83d \u0000', long: new LosslessNumber('9007199254740993') };
  one.things.set('A/../1', { value });
  expect(other.things.get('A/../1')).toEqual({ value });
  other.things.set('A/../1', { value: 2 });
  expect([one.things.get('A/../1'), one.things.ids(), one.things.get('a')]).toEqual([
    { value: 2 },
    ['A/../1'],
    undefined,
  ]);
});

/** Counts up a thing in a process of its own. */
function countUp(rounds: number, ...worlds: number[]) {
  const program = join(inject('programs'), 'world-process.mjs');
  const args = [program, folder, ...[rounds, ...worlds].map(String)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  return { pid: child.pid, ended: once(child, 'close') };
}

it('of two processes that change one thing at the same time, neither loses what the other did', async () => {
  const { things } = open();
  await Promise.all([countUp(400).ended, countUp(400).ended]);
  expect(things.get('A')).toEqual({ value: 800 });
  expect(await readdir(folder)).toHaveLength(2);
});

it('processes that open a new world at the same moment have one world', async () => {
  const worlds = 40;
  const start = Date.now() + 1_500;
  await Promise.all([1, 2, 3].map(() => countUp(5, worlds, start).ended));
  const counted = Array.from({ length: worlds }, (_, world) =>
    openKeptWorld(join(folder, String(world)))
      .shelf('listing', thing)
      .get('A'),
  );
  expect(counted).toEqual(Array.from({ length: worlds }, () => ({ value: 15 })));
});

it('a process that was killed in the midst of a change holds nobody up', async () => {
  const { things } = open();
  const { pid, ended } = countUp(1);
  await ended;
  const [file] = (await readdir(folder)).filter((name) => name.startsWith('listing-'));
  await writeFile(join(folder, `${file}.${'0'.repeat(16)}`), String(pid));
  expect(things.alone('A', () => things.get('A'))).toEqual({ value: 1 });
  expect(await readdir(folder)).toHaveLength(2);
});

it('a reset takes what is of the world and nothing else; who still has it open adds nothing to the next one', async () => {
  const before = open();
  before.things.set('A', { value: 1 });
  await writeFile(join(folder, 'mine.txt'), '');
  expect(removeKeptWorld(folder)).toBe(true);
  expect(await readdir(folder)).toEqual(['mine.txt']);
  const after = open();
  expect(after.id).not.toBe(before.id);
  before.things.set('B', { value: 1 });
  expect([before.things.get('A'), before.things.ids()]).toEqual([undefined, ['B']]);
  expect(after.things.ids()).toEqual([]);
});

it.each(['{"version":0}', '', 'null'])(
  'with the mark %j it is made anew, without what lay there',
  async (mark) => {
    open().things.set('A', { value: 1 });
    await writeFile(join(folder, 'world.json'), mark);
    const anew = open();
    expect([anew.isAnew, anew.things.ids()]).toEqual([true, []]);
  },
);

it('a thing that is damaged is as it was made', async () => {
  const world = open();
  world.things.set('A', { value: 1 });
  const [name = ''] = (await readdir(folder)).filter((one) => one.startsWith('listing-'));
  await writeFile(join(folder, name), '{"id":"A","th');
  expect([world.things.get('A'), world.things.ids()]).toEqual([undefined, []]);
});

it('a kept world stands still for a day, and is never of the future', () => {
  const time = fc.integer({ min: 0, max: 10 * 86_400_000 });
  fc.assert(
    fc.property(time, time, fc.integer({ min: 0, max: 86_399_999 }), (madeAt, days, later) => {
      const keeping = { ...IN_MEMORY, madeAt };
      const from = momentOf(keeping, madeAt + days);
      expect(from).toBeLessThanOrEqual(madeAt + days);
      expect(momentOf(keeping, from + later)).toBe(from);
      expect(momentOf(IN_MEMORY, later)).toBe(later);
    }),
  );
});
