/** What stands on the disk while other processes put files aside, and where a line cannot be kept. */

import { spawnSync } from 'node:child_process';
import { chown, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import {
  appendLine,
  MAX_READ_CHARACTERS,
  readLines,
} from '../../../../src/write/keep/journal/journal-file.ts';
import { createFolder } from './helpers.ts';

/** What another process does between two of our steps. */
const other = vi.hoisted(() => ({ beforeStat: async () => {}, beforeList: async () => {} }));
vi.mock('node:fs/promises', async (importActual) => {
  const actual = await importActual<typeof import('node:fs/promises')>();
  const run = async (moment: keyof typeof other) => {
    const act = other[moment];
    other[moment] = async () => {};
    await act();
  };
  return {
    ...actual,
    lstat: async (path: string, options: { bigint: true }) => {
      await run('beforeStat');
      return actual.lstat(path, options);
    },
    readdir: async (path: string) => {
      await run('beforeList');
      return actual.readdir(path);
    },
  };
});

const now = () => Date.UTC(2026, 10, 20, 12, 0, 5, 7);
const current = (folder: string) => join(folder, 'writes.jsonl');

async function readAll(folder: string): Promise<string[]> {
  const lines = [];
  for await (const line of readLines(folder)) lines.push(line);
  return lines;
}

describe('adding a line', () => {
  it('makes the folder, ends the line, and puts a full file aside under a name of its own', async () => {
    const folder = join(await createFolder(), 'a', 'b');
    const options = { folder, now, maxFileBytes: 9 };
    await appendLine('line 1', options);
    expect(await readFile(current(folder), 'utf8')).toBe('line 1\n');
    await appendLine('line 2', options);
    expect(await readFile(current(folder), 'utf8')).toBe('line 1\nline 2\n');
    await appendLine('line 3', options);
    expect(await readFile(current(folder), 'utf8')).toBe('line 3\n');
    expect(await readdir(folder)).toEqual([
      expect.stringMatching(/^writes-2026-11-20T12-00-05-007Z-[0-9a-f-]{36}\.jsonl$/),
      'writes.jsonl',
    ]);
    expect(await readAll(folder)).toEqual(['line 1', 'line 2', 'line 3']);
  });

  it('puts nothing aside at the size of one line less', async () => {
    const folder = await createFolder();
    await appendLine('1234', { folder, now, maxFileBytes: 6 });
    await appendLine('5678', { folder, now, maxFileBytes: 6 });
    expect(await readdir(folder)).toEqual(['writes.jsonl']);
  });

  it('leaves the new file of a process that was faster to put the full one aside', async () => {
    const folder = await createFolder();
    await writeFile(current(folder), 'old\n');
    other.beforeStat = async () => {
      await rename(current(folder), join(folder, 'writes-2026-a.jsonl'));
      await writeFile(current(folder), 'new\n');
    };
    await appendLine('mine', { folder, now, maxFileBytes: 4 });
    expect(await readdir(folder)).toEqual(['writes-2026-a.jsonl', 'writes.jsonl']);
    expect(await readFile(current(folder), 'utf8')).toBe('new\nmine\n');
  });

  it('goes on where the full file has vanished meanwhile', async () => {
    const folder = await createFolder();
    await writeFile(current(folder), 'old\n');
    other.beforeStat = () => rename(current(folder), join(folder, 'writes-2026-a.jsonl'));
    await appendLine('mine', { folder, now, maxFileBytes: 4 });
    expect(await readAll(folder)).toEqual(['old', 'mine']);
  });

  it('refuses a place where lines would vanish', async () => {
    const folder = await createFolder();
    // A pipe of our own: with the rule broken, the mode of a device of the machine would be changed.
    expect(spawnSync('mkfifo', [current(folder)]).status).toBe(0);
    await expect(appendLine('mine', { folder, now })).rejects.toThrow(
      'writes.jsonl is a named pipe, not a file',
    );
  });

  it('says what stands in its place', async () => {
    const folder = await createFolder();
    await mkdir(current(folder));
    await expect(appendLine('mine', { folder, now })).rejects.toThrow('writes.jsonl is a folder, not a file');
  });

  it('says what the system says where there is no place', async () => {
    const folder = await createFolder();
    await writeFile(join(folder, 'file'), '');
    await expect(appendLine('mine', { folder: join(folder, 'file', 'a'), now })).rejects.toMatchObject({
      code: 'ENOTDIR',
    });
  });

  it('follows no link: what it leads to keeps its content and its mode', async () => {
    const folder = await createFolder();
    const target = join(folder, 'target');
    await writeFile(target, 'theirs\n', { mode: 0o644 });
    await symlink(target, current(folder));
    await expect(appendLine('mine', { folder, now })).rejects.toThrow(
      'writes.jsonl is a symbolic link, not a file',
    );
    expect(await readFile(target, 'utf8')).toBe('theirs\n');
    expect((await stat(target)).mode & 0o777).toBe(0o644);
    await rm(current(folder));
    await symlink(join(folder, 'later'), current(folder));
    await expect(appendLine('mine', { folder, now })).rejects.toThrow('is a symbolic link');
    expect(await readdir(folder)).toEqual(['target', 'writes.jsonl']);
  });

  it('works in a folder that a link leads to: people keep theirs on another disk', async () => {
    const folder = await createFolder();
    await mkdir(join(folder, 'real'));
    await symlink(join(folder, 'real'), join(folder, 'state'));
    await appendLine('mine', { folder: join(folder, 'state'), now });
    expect(await readAll(join(folder, 'real'))).toEqual(['mine']);
  });

  it.runIf(process.getuid !== undefined)('goes into no file of another user, but of root', async () => {
    const folder = await createFolder();
    await writeFile(current(folder), '');
    const owner = (await stat(current(folder))).uid;
    const stranger = appendLine('mine', { folder, now, userId: owner + 1 });
    if (owner === 0) await stranger;
    else await expect(stranger).rejects.toThrow('writes.jsonl belongs to another user');
    await appendLine('mine', { folder, now, userId: owner });
    // Only root can give a file away.
    if (owner !== 0) return;
    await chown(current(folder), 12_345, 12_345);
    await expect(appendLine('mine', { folder, now, userId: 12_346 })).rejects.toThrow(
      'writes.jsonl belongs to another user',
    );
    await appendLine('mine', { folder, now, userId: 12_345 });
  });
});

describe('reading the lines', () => {
  it('begins with the older files and ends with the current one, whatever else lies there', async () => {
    const folder = await createFolder();
    await writeFile(join(folder, 'writes-2026-b.jsonl'), 'b1\n\nb2\n');
    await writeFile(join(folder, 'writes-2026-a.jsonl'), 'a1\n');
    await writeFile(join(folder, 'writes-2026-a.jsonl.bak'), 'no\n');
    await writeFile(join(folder, 'my-writes-2026.jsonl'), 'no\n');
    await writeFile(join(folder, 'writes-.jsonl'), 'no\n');
    await writeFile(current(folder), 'c1\u2028\r\nc2');
    expect(await readAll(folder)).toEqual(['a1', 'b1', 'b2', 'c1\u2028\r', 'c2']);
  });

  it('reads the current file once when it is put aside meanwhile', async () => {
    const folder = await createFolder();
    await writeFile(current(folder), 'one\n');
    other.beforeList = async () => {
      await rename(current(folder), join(folder, 'writes-2026-a.jsonl'));
      await writeFile(current(folder), 'two\n');
    };
    expect(await readAll(folder)).toEqual(['one']);
  });

  it('takes lines apart that are longer than what is read at once', async () => {
    const folder = await createFolder();
    const lines = ['é'.repeat(70_000), 'b', 'ü'.repeat(40_000)];
    await writeFile(current(folder), lines.join('\n'));
    expect(await readAll(folder)).toEqual(lines);
  });

  it('tells what cannot be read', async () => {
    const folder = await createFolder();
    await mkdir(join(folder, 'writes-2026-a.jsonl'));
    await expect(readAll(folder)).rejects.toThrow('writes-2026-a.jsonl is a folder, not a file');
    await expect(readAll(join(folder, 'none'))).resolves.toEqual([]);
  });

  it('looks at no file whose name is not one of ours: it would be printed with the reason', async () => {
    const folder = await createFolder();
    await mkdir(join(folder, 'writes-\u001b[2J.jsonl'));
    await expect(readAll(folder)).resolves.toEqual([]);
  });

  it('keeps of a line without an end no more than of a long one, and goes on behind it', async () => {
    const folder = await createFolder();
    await writeFile(current(folder), `${'x'.repeat(8 * MAX_READ_CHARACTERS)}\nshort\n`);
    const [long, short, ...rest] = await readAll(folder);
    expect(long?.length).toBeGreaterThanOrEqual(MAX_READ_CHARACTERS);
    expect(long?.length).toBeLessThan(2 * MAX_READ_CHARACTERS);
    expect([short, ...rest]).toEqual(['short']);
  });
});
