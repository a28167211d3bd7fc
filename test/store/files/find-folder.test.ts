/** Tests the default folder for files: each system's downloads folder, and the fallback where it names none. */

import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { downloadsFolder } from '../../../src/store/files/downloads-folder.ts';
import { findFilesFolder } from '../../../src/store/files/find-folder.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'files-home-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const linux = (env: Record<string, string> = {}) => ({
  platform: 'linux' as const,
  env: { HOME: home, ...env },
});
const userDirs = async (text: string, config = join(home, '.config')) => {
  await mkdir(config, { recursive: true });
  await writeFile(join(config, 'user-dirs.dirs'), text);
};

describe('the setting', () => {
  it.each([
    ['/srv/files', '/srv/files'],
    ['files', resolve('files')],
    ['~/files', 'HOME/files'],
    ['~', 'HOME'],
    ['~other/files', resolve('~other/files')],
  ])('%s', async (filesDir, expected) => {
    expect(await findFilesFolder({ filesDir }, linux())).toBe(expected.replace('HOME', home));
  });

  it('has a folder of its own below it for the sandbox', async () => {
    expect(await findFilesFolder({ filesDir: '/srv/files', sandbox: true }, linux())).toBe(
      '/srv/files/Sandbox',
    );
    expect(await findFilesFolder({ sandbox: true }, linux())).toBe(join(home, 'Seller commerce', 'Sandbox'));
  });
});

it('another principal has a folder below it, which no other name leads to', async () => {
  const names = ['ana', 'a.na', 'a/na', '../ana', '..', ''];
  const found = await Promise.all(
    names.map((name) => findFilesFolder({ filesDir: '/srv/files' }, linux(), { name })),
  );
  expect(new Set(found).size).toBe(names.length);
  for (const folder of found) expect(folder).toMatch(/^\/srv\/files\/[\w@-]*-[0-9a-f]{8}$/);
});

describe('Linux', () => {
  it('the folder that user-dirs.dirs names, in any language', async () => {
    await mkdir(join(home, 'Téléchargements'));
    await userDirs(
      '# a comment\nXDG_DOWNLOAD_DIR="$HOME/Downloads"\nXDG_DOWNLOAD_DIR="$HOME/Téléchargements"\n',
    );
    expect(await findFilesFolder({}, linux())).toBe(join(home, 'Téléchargements', 'Seller commerce'));
  });

  it('in the configuration folder of the environment, an absolute path, with what is escaped', async () => {
    await mkdir(join(home, 'my "own" $files'));
    await userDirs(`XDG_DOWNLOAD_DIR="${home}/my \\"own\\" \\$files/"\r\n`, join(home, 'config'));
    const found = await findFilesFolder({}, linux({ XDG_CONFIG_HOME: join(home, 'config') }));
    expect(found).toBe(join(home, 'my "own" $files', 'Seller commerce'));
  });

  it.each([
    ['no file', ''],
    ['the home folder, which means none', 'XDG_DOWNLOAD_DIR="$HOME/"'],
    ['a folder that is not there', 'XDG_DOWNLOAD_DIR="$HOME/gone"'],
    ['a relative path', 'XDG_DOWNLOAD_DIR="gone"'],
    ['a comment', '#XDG_DOWNLOAD_DIR="$HOME/gone"'],
    ['nonsense', '\0\u202E="'.repeat(1_000)],
  ])('%s: Downloads where it is there, else the home folder', async (_, text) => {
    if (text !== '') await userDirs(text);
    expect(await findFilesFolder({}, linux())).toBe(join(home, 'Seller commerce'));
    await mkdir(join(home, 'Downloads'));
    expect(await findFilesFolder({}, linux())).toBe(join(home, 'Downloads', 'Seller commerce'));
  });

  it('a downloads folder that is a link counts, and nothing is made', async () => {
    await mkdir(join(home, 'disk'));
    await symlink(join(home, 'disk'), join(home, 'Downloads'));
    expect(await findFilesFolder({}, linux())).toBe(join(home, 'Downloads', 'Seller commerce'));
    expect(await readdir(join(home, 'disk'))).toEqual([]);
  });
});

describe('macOS', () => {
  it('Downloads in the home folder, whatever it is shown as', async () => {
    await mkdir(join(home, 'Downloads'));
    const system = { platform: 'darwin' as const, env: { HOME: home } };
    expect(await findFilesFolder({}, system)).toBe(join(home, 'Downloads', 'Seller commerce'));
  });
});

describe('Windows', () => {
  const windows = {
    platform: 'win32' as const,
    env: { UserProfile: 'C:\\Users\\Anna', systemroot: 'D:\\Windows' },
  };
  const printed = (type: string, value: string) =>
    `\r\nHKEY_CURRENT_USER\\Software\\...\\User Shell Folders\r\n    {374DE290-123F-4565-9164-39C4925E467B}    ${type}    ${value}\r\n\r\n`;

  it.each([
    ['REG_EXPAND_SZ', '%USERPROFILE%\\Downloads', 'C:\\Users\\Anna\\Downloads'],
    ['REG_SZ', 'E:\\My files\\Downloads', 'E:\\My files\\Downloads'],
    ['REG_EXPAND_SZ', '%NONE%\\x', '%NONE%\\x'],
  ])('%s %s', async (type, value, expected) => {
    const asked: string[] = [];
    const found = await downloadsFolder(windows, 'C:\\Users\\Anna', async (file) => {
      asked.push(file);
      return printed(type, value);
    });
    expect(found).toBe(expected);
    expect(asked).toEqual(['D:\\Windows\\System32\\reg.exe']);
  });

  it('none where the registry says nothing or cannot be asked', async () => {
    expect(await downloadsFolder(windows, 'C:\\', async () => 'ERROR: no such key')).toBeUndefined();
    expect(await downloadsFolder(windows, 'C:\\', () => Promise.reject(new Error('ENOENT')))).toBeUndefined();
  });
});
