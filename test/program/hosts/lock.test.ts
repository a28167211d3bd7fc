/** One writer at a time, and what a dead process left is told. */

import {
  lutimes,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLock } from '../../../src/program/hosts/lock.ts';

let folder: string;
let file: string;
let lock: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'lock é ')));
  file = join(folder, 'mcp.json');
  lock = `${file}.lock`;
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const names = async () => (await readdir(folder)).sort();
const long = new Date(0);
const quick = { waitMs: 40, pollMs: 5 };
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

  it.each([
    ['an empty folder', () => mkdir(lock)],
    ['a folder with something in it', () => mkdir(lock).then(() => writeFile(join(lock, 'note'), ''))],
    ['a file', () => writeFile(lock, 'theirs')],
    ['a link to a folder', () => mkdir(join(folder, 'real')).then(() => symlink(join(folder, 'real'), lock))],
    ['a link to nothing', () => symlink(join(folder, 'nowhere'), lock)],
  ])('that a dead process left as %s stays, and is told with what to do', async (_case, put) => {
    await put();
    await lutimes(lock, long, long);
    const attempt = withLock(file, async () => 1, signal, quick);
    await expect(attempt).rejects.toThrow(`${lock} is left over`);
    await expect(attempt).rejects.toMatchObject({ hint: expect.stringContaining(`remove ${lock}`) });
    expect(await names()).toContain('mcp.json.lock');
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
