/** The folder of files where there is no /proc (macOS, Windows), and on disks without hard links (FAT, network shares). */

import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openFilesFolder } from '../../src/files/files-folder.ts';

const { system } = vi.hoisted(() => ({ system: { hasProc: true, linkCode: '' } }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const fails = (code: string) => Promise.reject(Object.assign(new Error(code), { code, syscall: 'link' }));
  return {
    ...real,
    stat: (path: string) =>
      !system.hasProc && path.startsWith('/proc/self/fd/') ? fails('ENOENT') : real.stat(path),
    link: (from: string, to: string) =>
      system.linkCode === '' ? real.link(from, to) : fails(system.linkCode),
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
  Object.assign(system, { hasProc: true, linkCode: '' });
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
