/** The folder of files where there is no /proc (macOS, Windows), and on disks without hard links (FAT, network shares). */

import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openFilesFolder } from '../../../src/store/files/files-folder.ts';

interface System {
  hasProc: boolean;
  linkCode: string;
  /** Does what somebody else does right after that step. */
  after: { lstat?: () => Promise<void>; open?: () => Promise<void>; link?: () => Promise<void> };
}
const { system } = vi.hoisted((): { system: System } => ({
  system: { hasProc: true, linkCode: '', after: {} },
}));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const fails = (code: string) => Promise.reject(Object.assign(new Error(code), { code, syscall: 'link' }));
  return {
    ...real,
    lstat: async (path: string) => {
      const found = await real.lstat(path);
      await system.after.lstat?.();
      return found;
    },
    // Asked once the folder is open.
    stat: async (path: string) => {
      if (path.startsWith('/proc/self/fd/')) await system.after.open?.();
      return !system.hasProc && path.startsWith('/proc/self/fd/') ? fails('ENOENT') : real.stat(path);
    },
    link: async (from: string, to: string) => {
      if (system.linkCode !== '') return fails(system.linkCode);
      await real.link(from, to);
      await system.after.link?.();
    },
  };
});

let base: string;
let folder: string;
let outside: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'files-systems-'));
  folder = join(base, 'saved');
  outside = join(base, 'outside');
  await mkdir(outside);
  Object.assign(system, { hasProc: true, linkCode: '', after: {} });
});
afterEach(async () => {
  expect(await readdir(outside)).toEqual([]);
  await rm(base, { recursive: true, force: true });
});

const open = () => openFilesFolder({ find: async () => folder });
async function* text(content: string) {
  yield Buffer.from(content);
}
const save = (content: string) => open().save('labels.pdf', text(content), { personal: true });

it('without /proc, files are saved, read and listed as elsewhere', async () => {
  system.hasProc = false;
  await save('one');
  await save('two');
  expect((await open().list()).map(({ name }) => name).sort()).toEqual(['labels (2).pdf', 'labels.pdf']);
  const chunks = [];
  for await (const chunk of (await open().open('labels (2).pdf')).read()) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe('two');
});

it('without /proc, a folder that is replaced while a file is written is noticed', async () => {
  system.hasProc = false;
  await mkdir(folder);
  const content = (async function* () {
    yield Buffer.from('one');
    await rename(folder, join(base, 'moved'));
    await symlink(outside, folder);
  })();
  await expect(open().save('labels.pdf', content, { personal: true })).rejects.toThrow(
    /was replaced by something else in the meantime/,
  );
});

describe('a folder that another one takes the place of', () => {
  const REPLACED = /was replaced by something else in the meantime/;
  /** The one that was there is not lost: the files in it can be looked at. */
  const replace = async () => {
    system.after = {};
    await rename(folder, join(base, 'moved'));
    await mkdir(folder);
  };

  it('while it is opened is not taken for it', async () => {
    await mkdir(folder);
    system.after.lstat = replace;
    await expect(save('one')).rejects.toThrow(REPLACED);
    expect(await readdir(folder)).toEqual([]);
  });

  it('without /proc, while a file is opened: not a byte of the other one is read', async () => {
    await save('ours');
    const file = await open().open('labels.pdf');
    system.hasProc = false;
    system.after.open = async () => {
      await replace();
      // The same file in the other folder, as far as anybody can see.
      await rename(join(base, 'moved', 'labels.pdf'), join(folder, 'labels.pdf'));
    };
    await expect(file.read()[Symbol.asyncIterator]().next()).rejects.toThrow(REPLACED);
  });

  it('without /proc, while a file gets its name: nothing is told as saved', async () => {
    system.hasProc = false;
    await mkdir(folder);
    system.after.link = async () => {
      const names = await readdir(folder);
      await replace();
      for (const name of names) await rename(join(base, 'moved', name), join(folder, name));
    };
    await expect(save('one')).rejects.toThrow(REPLACED);
    expect(await readdir(folder)).not.toContain('labels.pdf');
  });
});

it.each(['EPERM', 'ENOTSUP', 'EISDIR'])(
  'where hard links fail with %s, no file is replaced either',
  async (code) => {
    system.linkCode = code;
    const saved = await Promise.all(['1', '2', '3', '4'].map(save));
    expect(new Set(saved.map(({ name }) => name)).size).toBe(4);
    const contents = await Promise.all(saved.map(({ path }) => readFile(path, 'utf8')));
    expect(contents).toEqual(['1', '2', '3', '4']);
    expect(await readdir(folder)).toHaveLength(4);
    expect((await stat(saved[0]?.path ?? '')).mode & 0o777).toBe(0o600);
  },
);

it('any other failure of a link is told', async () => {
  system.linkCode = 'EIO';
  await expect(save('one')).rejects.toThrow(/cannot be used: the system says EIO/);
  expect(await readdir(folder)).toEqual([]);
});
