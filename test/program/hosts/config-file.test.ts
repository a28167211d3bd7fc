import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InputError } from '../../../src/base/errors.ts';
import {
  backUp,
  makeFolder,
  readConfig,
  replaceFile,
  resolveTarget,
} from '../../../src/program/hosts/config-file.ts';
import { getHost, locateConfig } from '../../../src/program/hosts/hosts.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'hosts é ')));
  file = join(folder, 'mcp.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const names = async () => (await readdir(folder)).sort();

describe('replacing', () => {
  it('keeps the mode and a byte order mark, and leaves nothing beside the file', async () => {
    await writeFile(file, '\ufeff{}');
    await chmod(file, 0o640);
    expect(await readConfig(file)).toBe('{}');
    expect(await replaceFile(file, { from: '{}', to: '{"a":1}', mode: 0o600 })).toBe(true);
    expect(await readFile(file, 'utf8')).toBe('\ufeff{"a":1}');
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect(await names()).toEqual(['mcp.json']);
  });

  it('gives a new file the mode asked for', async () => {
    await replaceFile(file, { from: '', to: '{}', mode: 0o600 });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('never shows a reader a part of the file', async () => {
    const texts = ['a', 'b'].map((letter) => letter.repeat(200_000));
    await writeFile(file, 'a'.repeat(200_000));
    let done = false;
    const writer = (async () => {
      for (let round = 0; round < 20; round++) {
        const [from = '', to = ''] = round % 2 === 0 ? texts : texts.toReversed();
        expect(await replaceFile(file, { from, to, mode: 0o600 })).toBe(true);
      }
      done = true;
    })();
    while (!done) expect(texts).toContain(await readFile(file, 'utf8'));
    await writer;
  });

  it('writes nothing over a text it does not know', async () => {
    await writeFile(file, '{"new":1}');
    expect(await replaceFile(file, { from: '{}', to: '{"a":1}', mode: 0o600 })).toBe(false);
    expect(await readFile(file, 'utf8')).toBe('{"new":1}');
    expect(await names()).toEqual(['mcp.json']);
  });

  it('tidies up when it fails', async () => {
    await mkdir(join(file, 'inner'), { recursive: true });
    await expect(replaceFile(file, { from: '', to: '{}', mode: 0o600 })).rejects.toThrow(InputError);
    expect(await names()).toEqual(['mcp.json']);
  });
});

describe('links', () => {
  it('leads to the target, which is replaced while the link stays', async () => {
    const target = join(folder, 'dotfiles.json');
    await writeFile(target, '{}');
    await symlink(target, file);
    expect(await resolveTarget(file)).toBe(target);
  });

  it('leads to a target that does not exist yet', async () => {
    await symlink('later.json', file);
    expect(await resolveTarget(file)).toBe(join(folder, 'later.json'));
  });

  it('names a circle', async () => {
    await symlink('mcp.json', file);
    await expect(resolveTarget(file)).rejects.toThrow('its links lead in a circle');
  });
});

describe('files that cannot be used are named with the reason', () => {
  it('below a file', async () => {
    await writeFile(file, '');
    const below = join(file, 'User', 'mcp.json');
    await expect(resolveTarget(below)).rejects.toThrow(
      `${below} could not be read: a part of the path is a file`,
    );
    await expect(makeFolder(below)).rejects.toThrow(
      'could not be created: a part of the path is a file, not a folder',
    );
  });

  it('a folder', async () => {
    await expect(readConfig(folder)).rejects.toThrow('it is a folder, not a file');
  });

  it('not UTF-8', async () => {
    await writeFile(file, Buffer.from([0x7b, 0xff, 0x7d]));
    await expect(readConfig(file)).rejects.toThrow('it is not UTF-8 text');
  });

  // A mode takes nobody's right to read away on Windows.
  it.skipIf(process.platform === 'win32')('permission denied (a mode, which Windows has not)', async () => {
    await writeFile(file, '{}');
    await chmod(file, 0);
    await chmod(folder, 0o755);
    await asOrdinaryUser(() => expect(readConfig(file)).rejects.toThrow('permission denied'));
  });
});

/** The administrator may read everything, so it steps down for the moment. */
async function asOrdinaryUser(check: () => Promise<void>): Promise<void> {
  const isAdministrator = process.geteuid?.() === 0;
  if (isAdministrator) process.seteuid?.(65_534);
  try {
    await check();
  } finally {
    if (isAdministrator) process.seteuid?.(0);
  }
}

describe('backups', () => {
  it('keeps the newest one, with the mode, and touches no other file', async () => {
    await writeFile(file, '{}');
    await chmod(file, 0o600);
    await writeFile(join(folder, 'mcp.json.mine.bak'), 'mine');
    const copies = [];
    for (const second of [5, 1, 2, 3, 4])
      copies.push(await backUp(file, new Date(Date.UTC(2026, 0, 1, 0, 0, second))));
    expect(copies[0]).toBe(`${file}.2026-01-01T00-00-05-000Z.bak`);
    expect(await names()).toEqual(['mcp.json', 'mcp.json.2026-01-01T00-00-05-000Z.bak', 'mcp.json.mine.bak']);
    expect((await stat(`${file}.2026-01-01T00-00-05-000Z.bak`)).mode & 0o777).toBe(0o600);
  });

  it('makes a second one in the same millisecond', async () => {
    await writeFile(file, '{}');
    const now = new Date(0);
    expect(await backUp(file, now)).not.toBe(await backUp(file, now));
  });

  it('makes none of a file that does not exist', async () => {
    expect(await backUp(file, new Date(0))).toBeUndefined();
    expect(await names()).toEqual([]);
  });
});

describe('locating', () => {
  it('takes the first place that counts', async () => {
    const env = { CLAUDE_CONFIG_DIR: folder };
    const find = () => locateConfig(getHost('claude-code'), { platform: 'linux', env, home: '/nowhere' });
    expect(await find()).toBe(`${folder}/.claude.json`);
    await writeFile(join(folder, '.config.json'), '{}');
    expect(await find()).toBe(`${folder}/.config.json`);
  });
});
