/** One writer at a time, whoever else finds a dead process's lock at the same moment. */

import {
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withLock } from '../../src/hosts/lock.ts';

/** What another process does right after ours has looked at the lock. */
const other = vi.hoisted(() => ({ afterLook: async () => {} }));
vi.mock('node:fs/promises', async (importActual) => {
  const actual = await importActual<typeof import('node:fs/promises')>();
  const look = async (path: string) => {
    const found = await actual.stat(path);
    const act = other.afterLook;
    other.afterLook = async () => {};
    await act();
    return found;
  };
  return { ...actual, stat: look };
});

let folder: string;
let file: string;
let lock: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'lock é ')));
  file = join(folder, 'mcp.json');
  lock = `${file}.lock`;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const names = async () => (await readdir(folder)).sort();
const long = new Date(0);
const quick = { waitMs: 40, pollMs: 5 };

describe('the lock', () => {
  it('lets one at a time in and goes away', async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside--;
    };
    await Promise.all(Array.from({ length: 5 }, () => withLock(file, work, { waitMs: 10_000, pollMs: 2 })));
    expect(most).toBe(1);
    expect(await names()).toEqual([]);
  });

  it('goes away after a failure', async () => {
    await expect(withLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await names()).toEqual([]);
  });

  it('gives up on one that is held, saying which', async () => {
    await mkdir(lock);
    const attempt = withLock(file, async () => 1, quick);
    await expect(attempt).rejects.toThrow(`${file} is being written by another program`);
    expect(await names()).toEqual(['mcp.json.lock']);
  });

  it('takes over one that a dead process left', async () => {
    await mkdir(lock);
    await utimes(lock, long, long);
    expect(await withLock(file, async () => dirname(file))).toBe(folder);
    expect(await names()).toEqual([]);
  });

  it('leaves alone the fresh one of a process that was faster to take over', async () => {
    await mkdir(lock);
    await utimes(lock, long, long);
    other.afterLook = async () => {
      await rmdir(lock);
      await mkdir(lock);
    };
    let entered = false;
    const attempt = withLock(file, async () => (entered = true), quick);
    await expect(attempt).rejects.toThrow('is being written by another program');
    expect(entered).toBe(false);
    expect(await names()).toEqual(['mcp.json.lock']);
    expect((await stat(lock)).mtimeMs).toBeGreaterThan(0);
  });

  it('goes on where the dead one was taken away meanwhile', async () => {
    await mkdir(lock);
    await utimes(lock, long, long);
    other.afterLook = () => rmdir(lock);
    expect(await withLock(file, async () => 1, quick)).toBe(1);
  });

  it('leaves what it does not know where it is: a lock with something in it', async () => {
    await mkdir(lock);
    await writeFile(join(lock, 'note'), '');
    await utimes(lock, long, long);
    await expect(withLock(file, async () => 1, quick)).rejects.toThrow('is being written by another program');
    expect(await names()).toEqual(['mcp.json.lock']);
    expect(await readdir(lock)).toEqual(['note']);
  });

  it('that was taken over from us, slow as we were, stays when we are done', async () => {
    await withLock(file, async () => {
      await rename(lock, `${lock}.gone`);
      await mkdir(lock);
      await utimes(lock, new Date(), new Date(Date.now() + 60_000));
    });
    expect(await names()).toContain('mcp.json.lock');
  });
});
