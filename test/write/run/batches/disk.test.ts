/** The files of batches on a real disk: whole or not there, the person's alone, and nobody else's taken for one. */

import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BatchDisk, openDisk } from '../../../../src/write/run/batches/disk.ts';

let root: string;
let folder: string;
let disk: BatchDisk;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'seller-batches-'));
  folder = join(root, 'state', 'batches');
  disk = openDisk(folder, process.getuid?.());
});
afterEach(() => rm(root, { recursive: true, force: true }));

const read = async (id: string, from = 0) => {
  const found: { line: string; next: number }[] = [];
  for await (const one of disk.read(id, from)) found.push(one);
  return found;
};
const linesOf = async (id: string) => (await read(id)).map(({ line }) => line);
const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('a batch on the disk', () => {
  test('is made whole, for the person alone, and only added to', async () => {
    expect(await disk.list()).toEqual([]);
    expect(await read('00000001')).toEqual([]);
    await disk.create('00000001', 'one\n');
    await disk.append('00000001', 'two\nthree\n');
    expect(await linesOf('00000001')).toEqual(['one', 'two', 'three']);
    expect(await read('00000001', 4)).toEqual([
      { line: 'two', next: 8 },
      { line: 'three', next: 14 },
    ]);
    expect(await mode(join(folder, '00000001.jsonl'))).toBe('600');
    expect(await mode(folder)).toBe('700');
    expect(await readdir(folder)).toEqual(['00000001.jsonl']);
    await expect(disk.append('00000002', 'x\n')).rejects.toThrow('ENOENT');
  });

  test.skipIf(process.platform !== 'linux')('is open only while it is written or read', async () => {
    await disk.create('00000001', 'one\n');
    await disk.append('00000001', 'two\n');
    await linesOf('00000001');
    // Nobody reads on.
    for await (const _ of disk.read('00000001', 0)) break;
    const open = await readdir('/proc/self/fd');
    const paths = await Promise.all(open.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => '')));
    expect(paths.filter((path) => path.startsWith(root))).toEqual([]);
  });

  test('a half line is no line yet, and what follows it begins on a new one that says so', async () => {
    await disk.create('00000001', 'one\n');
    await appendFile(join(folder, '00000001.jsonl'), '{"t":"sendi');
    expect(await linesOf('00000001')).toEqual(['one']);
    await disk.append('00000001', 'two\n');
    expect(await linesOf('00000001')).toEqual(['one', '{"t":"sendi', '{"t":"torn"}', 'two']);
  });

  test('lines longer than what is read at once, and characters of several bytes, come back as they were', async () => {
    const long = `${'ä€😀'.repeat(100_000)}`;
    await disk.create('00000001', `${long}\n`);
    await disk.append('00000001', 'ü\n');
    const [first, second] = await read('00000001');
    expect(first?.line).toBe(long);
    expect(second?.line).toBe('ü');
    expect(await read('00000001', first?.next)).toEqual([second]);
  });

  test('lines of many at once never mix', async () => {
    await disk.create('00000001', 'first\n');
    const lines = Array.from({ length: 50 }, (_, i) => `${i}`.repeat(50));
    await Promise.all(lines.map((line) => disk.append('00000001', `${line}\n`)));
    expect((await linesOf('00000001')).slice(1).sort()).toEqual([...lines].sort());
  });

  test('a list that cannot be written leaves nothing behind', async () => {
    await mkdir(join(folder, '00000001.jsonl'), { recursive: true });
    await expect(disk.create('00000001', 'one\n')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(await readdir(folder)).toEqual(['00000001.jsonl']);
  });

  test('a link, a folder or another name is none, and nothing is written through a link', async () => {
    await disk.create('00000001', 'one\n');
    const outside = join(root, 'outside');
    await writeFile(outside, 'kept\n');
    await symlink(outside, join(folder, '00000002.jsonl'));
    await symlink(outside, join(folder, '00000003.draft'));
    await mkdir(join(folder, '00000004.jsonl'));
    await writeFile(join(folder, 'notes.jsonl'), 'one\n');
    expect(await read('00000002')).toEqual([]);
    expect(await read('00000004')).toEqual([]);
    await expect(disk.append('00000002', 'two\n')).rejects.toThrow('is a symbolic link');
    await disk.create('00000003', 'three\n');
    expect(await readFile(outside, 'utf8')).toBe('kept\n');
    expect((await disk.list()).map(({ id }) => id)).not.toContain('notes');
  });

  test('one of another user is none', async () => {
    await disk.create('00000001', 'one\n');
    const other = openDisk(folder, (process.getuid?.() ?? 0) + 1);
    const found: string[] = [];
    for await (const { line } of other.read('00000001', 0)) found.push(line);
    // What belongs to root may be read by anybody: root could put anything anywhere.
    expect(found).toEqual(process.getuid?.() === 0 ? ['one'] : []);
  });

  test('is told once that is noted, and removed with all that belongs to it when nobody has written to it for long', async () => {
    await disk.create('00000001', 'one\n');
    await disk.create('00000002', 'two\n');
    await disk.markTold('00000001');
    expect(await disk.list()).toMatchObject([
      { id: '00000001', isTold: true },
      { id: '00000002', isTold: false },
    ]);
    const old = new Date(Date.now() - 10_000);
    for (const name of ['00000001.jsonl', '00000001.told']) await utimes(join(folder, name), old, old);
    await writeFile(join(folder, 'stranger.txt'), '');
    await utimes(join(folder, 'stranger.txt'), old, old);
    await disk.sweep(Date.now() - 5_000);
    expect((await readdir(folder)).sort()).toEqual(['00000002.jsonl', 'stranger.txt']);
  });

  test('is held by one at a time', async () => {
    await disk.create('00000001', 'one\n');
    expect(await disk.isHeld('00000001')).toBe(false);
    const lease = await disk.hold('00000001');
    expect(await openDisk(folder, undefined).hold('00000001')).toBeUndefined();
    expect(await disk.isHeld('00000001')).toBe(true);
    await lease?.release();
    expect(await disk.isHeld('00000001')).toBe(false);
  });
});
