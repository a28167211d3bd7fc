import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from '../../src/store/make-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'make-folder-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('makes what is missing with the mode, several times and at once', async () => {
  const path = join(folder, 'a', 'b', 'c');
  await Promise.all([makeFolder(path, 0o700), makeFolder(path, 0o700), makeFolder(path, 0o700)]);
  await makeFolder(path, 0o755);
  for (const made of [path, join(folder, 'a')]) expect((await stat(made)).mode & 0o777).toBe(0o700);
});

it('takes a link to a folder for one, and a link to nothing for what is in the way', async () => {
  await symlink(folder, join(folder, 'link'));
  await makeFolder(join(folder, 'link', 'inside'), 0o700);
  expect((await stat(join(folder, 'inside'))).isDirectory()).toBe(true);
  await symlink(join(folder, 'nowhere'), join(folder, 'dangling'));
  await expect(makeFolder(join(folder, 'dangling'), 0o700)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(folder, 'dangling', 'a'), 0o700)).rejects.toMatchObject({ code: 'EEXIST' });
});

it('says what is in the way', async () => {
  await writeFile(join(folder, 'file'), '');
  await expect(makeFolder(join(folder, 'file'), 0o700)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(folder, 'file', 'a'), 0o700)).rejects.toMatchObject({ code: 'ENOTDIR' });
});

it.runIf(process.platform === 'linux')('ends where folders can never be made', async () => {
  await expect(makeFolder('/proc/nobody/at/all', 0o700)).rejects.toMatchObject({ code: 'ENOENT' });
});
