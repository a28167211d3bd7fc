/** One writer at a time, whoever else finds a dead process's lock at the same moment. */

import {
  lutimes,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withLock } from '../../../src/program/hosts/lock.ts';

/** What another process does right after ours has looked at the lock, and each time that ours has removed one. */
const other = vi.hoisted(() => ({ afterLook: async () => {}, afterRemoval: async () => {} }));
vi.mock('node:fs/promises', async (importActual) => {
  const actual = await importActual<typeof import('node:fs/promises')>();
  const look = async (path: string) => {
    const found = await actual.lstat(path);
    const act = other.afterLook;
    other.afterLook = async () => {};
    await act();
    return found;
  };
  const remove = async (path: string) => {
    await actual.rmdir(path);
    await other.afterRemoval();
  };
  return { ...actual, lstat: look, rmdir: remove };
});

let folder: string;
let file: string;
let lock: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'lock é ')));
  file = join(folder, 'mcp.json');
  lock = `${file}.lock`;
});
afterEach(async () => {
  other.afterRemoval = async () => {};
  await rm(folder, { recursive: true, force: true });
});

const names = async () => (await readdir(folder)).sort();
const long = new Date(0);
const quick = { waitMs: 40, pollMs: 5 };
/** On a busy machine the first look can come when the time is up. */
const noTime = { waitMs: 0, pollMs: 5 };
const { signal } = new AbortController();

describe('the lock', () => {
  it('lets one at a time in and goes away', async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside--;
    };
    await Promise.all(
      Array.from({ length: 5 }, () => withLock(file, work, signal, { waitMs: 10_000, pollMs: 2 })),
    );
    expect(most).toBe(1);
    expect(await names()).toEqual([]);
  });

  it('goes away after a failure', async () => {
    await expect(withLock(file, () => Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
    expect(await names()).toEqual([]);
  });

  it('gives up on one that is held, saying which', async () => {
    await mkdir(lock);
    const attempt = withLock(file, async () => 1, signal, quick);
    await expect(attempt).rejects.toThrow(`${file} is being written by another program`);
    expect(await names()).toEqual(['mcp.json.lock']);
  });

  it('takes over one that a dead process left', async () => {
    await mkdir(lock);
    await utimes(lock, long, long);
    expect(await withLock(file, async () => dirname(file), signal)).toBe(folder);
    expect(await names()).toEqual([]);
  });

  it.each([quick, noTime])(
    'leaves alone the fresh one of a process that was faster to take over: %j',
    async (timing) => {
      await mkdir(lock);
      await utimes(lock, long, long);
      other.afterLook = async () => {
        await rmdir(lock);
        await mkdir(lock);
      };
      let entered = false;
      const attempt = withLock(file, async () => (entered = true), signal, timing);
      await expect(attempt).rejects.toThrow('is being written by another program');
      expect(entered).toBe(false);
      expect(await names()).toEqual(['mcp.json.lock']);
      expect((await stat(lock)).mtimeMs).toBeGreaterThan(0);
    },
  );

  it('goes on where the dead one was taken away meanwhile', async () => {
    await mkdir(lock);
    await utimes(lock, long, long);
    other.afterLook = () => rmdir(lock);
    expect(await withLock(file, async () => 1, signal, quick)).toBe(1);
  });

  it('leaves what it does not know where it is: a lock with something in it', async () => {
    await mkdir(lock);
    await writeFile(join(lock, 'note'), '');
    await utimes(lock, long, long);
    const attempt = withLock(file, async () => 1, signal, quick);
    await expect(attempt).rejects.toThrow(`${lock} is left over from a program that has ended`);
    await expect(attempt).rejects.toMatchObject({ hint: expect.stringContaining(`remove ${lock}`) });
    expect(await names()).toEqual(['mcp.json.lock']);
    expect(await readdir(lock)).toEqual(['note']);
  });

  it.each([
    ['a file', () => writeFile(lock, 'theirs')],
    ['a link to a folder', () => mkdir(join(folder, 'real')).then(() => symlink(join(folder, 'real'), lock))],
    ['a link to nothing', () => symlink(join(folder, 'nowhere'), lock)],
  ])('that is %s stays, and is not waited for without end', async (_case, put) => {
    await put();
    await lutimes(lock, long, long);
    const attempt = withLock(file, async () => 1, signal, quick);
    await expect(attempt).rejects.toThrow(`${lock} is left over`);
    expect(await names()).toContain('mcp.json.lock');
  });

  it('that somebody makes anew each time, as old as before, is not taken away without end', async () => {
    const putBack = async () => {
      await mkdir(lock);
      await utimes(lock, long, long);
    };
    await putBack();
    other.afterRemoval = putBack;
    const attempt = withLock(file, async () => 1, signal, quick);
    await expect(attempt).rejects.toThrow(`${lock} is left over`);
  });

  it('is waited for until a signal comes, and no longer', async () => {
    await mkdir(lock);
    const stop = new AbortController();
    const attempt = withLock(file, async () => 1, stop.signal, { waitMs: 60_000, pollMs: 30_000 });
    stop.abort();
    await expect(attempt).rejects.toThrow('Cancelled. Nothing was changed.');
    expect(await names()).toEqual(['mcp.json.lock']);
  });

  it('that was taken over from us, slow as we were, stays when we are done', async () => {
    await withLock(
      file,
      async () => {
        await rename(lock, `${lock}.gone`);
        await mkdir(lock);
        await utimes(lock, new Date(), new Date(Date.now() + 60_000));
      },
      signal,
    );
    expect(await names()).toContain('mcp.json.lock');
  });
});
