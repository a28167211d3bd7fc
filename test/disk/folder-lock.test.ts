/** One at a time, whoever is slow, stopped or killed: real processes, and made-up ones in every order of their steps. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { type FolderLockParts, withFolderLock } from '../../src/disk/folder-lock.ts';
import { isRunning, processPlace, startOf } from '../../src/disk/process-place.ts';

/** Comes before each step on the disk. */
const gate = vi.hoisted(() => ({ pass: async () => {} }));
vi.mock('node:fs/promises', async (importActual) => {
  const actual = await importActual<typeof import('node:fs/promises')>();
  const sync = await import('node:fs');
  /** At once, when its turn has come. */
  const stepped =
    <Args extends unknown[], Result>(step: (...args: Args) => Result) =>
    async (...args: Args) => {
      await gate.pass();
      return step(...args);
    };
  return {
    ...actual,
    mkdir: stepped(sync.mkdirSync),
    readdir: stepped((path: string) => sync.readdirSync(path)),
    rename: stepped(sync.renameSync),
    rm: stepped(sync.rmSync),
    rmdir: stepped((path: string) => sync.rmdirSync(path)),
    stat: stepped((path: string) => sync.statSync(path)),
    unlink: stepped(sync.unlinkSync),
    writeFile: stepped(sync.writeFileSync),
  };
});

const PROGRAM = join(inject('programs'), 'folder-lock-process.mjs');

let folder: string;
let lock: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'folder-lock-'));
  lock = join(folder, 'it.lock');
});
afterEach(async () => {
  gate.pass = async () => {};
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

function start(task: string, file = '') {
  const args = [PROGRAM, lock, task, file];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return { child, inside: once(child.stdout, 'data'), ended: once(child, 'close') };
}

/** A turn of its own, that others can wait for. */
function turn() {
  let leave = () => {};
  let done: Promise<void> = Promise.resolve();
  const entered = new Promise<void>((enter) => {
    done = withFolderLock(lock, async () => {
      enter();
      await new Promise<void>((resolve) => {
        leave = resolve;
      });
    });
  });
  return { entered, done, leave: () => leave() };
}

/** As old as one that is left. */
async function age(path = lock, byMs = 31_000) {
  const old = new Date(Date.now() - byMs);
  for (const name of await readdir(path)) await utimes(join(path, name), old, old);
  await utimes(path, old, old);
}

const mark = (place: string, pid: number, begun = '1') => `${place}-${pid}-${begun}-${'0'.repeat(16)}`;
const leave = async (name: string) => {
  await mkdir(lock);
  await writeFile(join(lock, name), '');
};

const SLOW = { timeout: 120_000 };

describe('real processes', () => {
  it('that count in one file lose no count', SLOW, async () => {
    const file = join(folder, 'count');
    await writeFile(file, '0');
    const all = [start('40', file), start('40', file), start('40', file)];
    await Promise.all(all.map(({ ended }) => ended));
    expect(await readFile(file, 'utf8')).toBe('120');
    expect(await readdir(folder)).toEqual(['count']);
  });

  it('that are killed inside are followed at once; that are only stopped, never', SLOW, async () => {
    const { child, inside, ended } = start('stay');
    await inside;
    child.kill('SIGSTOP');
    await age();
    const next = turn();
    let isIn = false;
    void next.entered.then(() => {
      isIn = true;
    });
    // It looks, and waits.
    const looks = countedSteps();
    await expect.poll(() => looks()).toBeGreaterThan(6);
    expect(isIn).toBe(false);
    child.kill('SIGKILL');
    await ended;
    await next.entered;
    next.leave();
    await next.done;
    expect(await readdir(folder)).toEqual([]);
  });
});

function countedSteps() {
  let steps = 0;
  gate.pass = async () => {
    steps += 1;
  };
  return () => steps;
}

it('whoever comes back late leaves the lock of its successor alone', async () => {
  const slow = turn();
  await slow.entered;
  // As another computer sees it, or another container: no process of that number is known there.
  const [own = ''] = await readdir(lock);
  await rename(join(lock, own), join(lock, mark('elsewhere', 1)));
  await age();
  const second = turn();
  await second.entered;
  slow.leave();
  await slow.done;
  let isThirdIn = false;
  const third = turn();
  void third.entered.then(() => {
    isThirdIn = true;
  });
  const looks = countedSteps();
  await expect.poll(() => looks()).toBeGreaterThan(6);
  expect(isThirdIn).toBe(false);
  second.leave();
  await third.entered;
  third.leave();
  await Promise.all([second.done, third.done]);
  expect(await readdir(folder)).toEqual([]);
});

describe('what was left', () => {
  it.each([
    ['a process that has ended', () => mark(processPlace(), 2 ** 22 + 1)],
    ['an earlier process of a number that runs', () => mark(processPlace(), process.pid, '7')],
  ])('by %s is cleared away at once', async (_case, name) => {
    await leave(name());
    let steps = 0;
    gate.pass = async () => {
      steps += 1;
      if (steps > 100) throw new Error('It waits for one that is gone');
    };
    expect(await withFolderLock(lock, async () => 1)).toBe(1);
    gate.pass = async () => {};
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['by a process of another place', mark('deadbeef', 1)],
    ['by nobody who is known', 'note'],
  ])('%s is cleared away when it is old', async (_case, name) => {
    await leave(name);
    await age();
    expect(await withFolderLock(lock, async () => 1)).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it('by nobody who is known, and from the future, is cleared away too: the clock was set back since', async () => {
    await leave('note');
    await age(lock, -60_000);
    expect(await withFolderLock(lock, async () => 1)).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it('by one that was killed before it came in, or while it went, is in nobody’s way', async () => {
    await mkdir(lock);
    const gone = mark(processPlace(), 2 ** 22 + 1);
    await mkdir(`${lock}.${gone}`);
    await writeFile(join(`${lock}.${gone}`, gone), '');
    expect(await withFolderLock(lock, async () => 1)).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it('goes away after a failure too; where no folder can be made, that is told', async () => {
    await expect(withFolderLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(withFolderLock(join(folder, 'none', 'it.lock'), async () => 1)).rejects.toThrow('ENOENT');
    expect(await readdir(folder)).toEqual([]);
  });
});

it('a process is told from a later one of its number', () => {
  expect(startOf(2 ** 22 + 1)).toBeUndefined();
  if (process.platform === 'linux') expect(startOf(process.pid)).toMatch(/^\d+$/);
  expect(isRunning(process.pid)).toBe(true);
});

interface Actor {
  name: string;
  /** Steps on the disk until it is killed; none: it is not. */
  stepsLeft: number;
  turns: number;
}

describe('in any order of the steps of several, each killed anywhere', () => {
  const actors = fc.array(
    fc.record({
      stepsLeft: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 0, max: 14 })),
      turns: fc.integer({ min: 1, max: 2 }),
    }),
    { minLength: 2, maxLength: 4 },
  );

  it('never two are inside, and everyone else gets in', SLOW, async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), actors, async (scheduler, given) => {
        const path = join(folder, String(++round), 'it.lock');
        gate.pass = async () => {};
        await mkdir(join(folder, String(round)));
        const current = new AsyncLocalStorage<Actor>();
        const dead = new Set<string>();
        const inside = new Set<string>();
        let most = 0;
        gate.pass = async () => {
          const actor = current.getStore();
          await scheduler.schedule(Promise.resolve(), actor?.name);
          if (actor === undefined) return;
          actor.stepsLeft -= 1;
          if (actor.stepsLeft >= 0) return;
          dead.add(actor.name);
          inside.delete(actor.name);
          await new Promise<void>(() => undefined);
        };
        let marks = 0;
        const parts: FolderLockParts = {
          newMark: () => `${current.getStore()?.name}-${++marks}`,
          isInside: (one) => !dead.has(one.split('-')[0] ?? ''),
          now: () => Date.now(),
          pause: () => scheduler.schedule(Promise.resolve(), 'pause'),
        };
        const work = async () => {
          const { name = '' } = current.getStore() ?? {};
          inside.add(name);
          most = Math.max(most, inside.size);
          await gate.pass();
          inside.delete(name);
        };
        const runs = given.map((one, at) => {
          const actor = { ...one, name: `p${at}` };
          return current.run(actor, async () => {
            for (let left = actor.turns; left > 0; left--) await withFolderLock(path, work, parts);
          });
        });
        const living = runs.filter((_run, at) => given[at]?.stepsLeft === Number.POSITIVE_INFINITY);
        await scheduler.waitFor(Promise.all(living));
        expect(most).toBeLessThanOrEqual(1);
        // The next one finds its way through whatever the killed ones left, and leaves nothing.
        gate.pass = async () => {};
        for (const [at, { stepsLeft }] of given.entries()) if (Number.isFinite(stepsLeft)) dead.add(`p${at}`);
        await withFolderLock(path, async () => undefined, { ...parts, newMark: () => 'last' });
        expect(await readdir(join(folder, String(round)))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
