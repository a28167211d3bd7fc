/** The one folder of the person's: saved whole, never over anything, never through a link; read only while it is the same. */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError, InputError } from '../../../src/base/errors.ts';
import type { FilesFolder, OpenedFile } from '../../../src/store/files/files.ts';
import { MAX_FILE_BYTES, openFilesFolder } from '../../../src/store/files/files-folder.ts';

let base: string;
let folder: string;
let outside: string;
let files: FilesFolder;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'files-folder-'));
  folder = join(base, 'saved');
  outside = join(base, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'victim.pdf'), 'untouched');
  files = openFilesFolder({ find: async () => folder });
});
afterEach(async () => {
  // The files outside were never changed, and none was added.
  expect(await readdir(outside)).toEqual(['victim.pdf']);
  expect(await readFile(join(outside, 'victim.pdf'), 'utf8')).toBe('untouched');
  await rm(base, { recursive: true, force: true });
});

async function* text(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}
const save = (name: string, content = 'content', ending?: string) =>
  files.save(name, text(content), { personal: true, ...(ending !== undefined && { ending }) });
const inFolder = (name: string) => readFile(join(folder, name), 'utf8');
async function readAll(file: OpenedFile): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.read()) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('saving', () => {
  it('makes the folder on the first save only, for its owner alone, and the file too', async () => {
    folder = join(base, 'not', 'there', 'yet');
    expect(await files.folder()).toBe(folder);
    expect(await files.list()).toEqual([]);
    await expect(files.open('labels.pdf')).rejects.toThrow(/There is no file "labels.pdf".*not\/there\/yet/);
    expect(await readdir(base)).toEqual(['outside']);
    const saved = await files.save('labels', text('%PDF-', '1.7'), {
      ending: 'pdf',
      personal: true,
      bytes: 8,
    });
    expect(saved).toEqual({
      name: 'labels.pdf',
      path: join(folder, 'labels.pdf'),
      bytes: 8,
      uri: 'seller://files/labels.pdf',
    });
    expect(await inFolder('labels.pdf')).toBe('%PDF-1.7');
    expect(await modeOf(folder)).toBe(0o700);
    expect(await modeOf(saved.path)).toBe(0o600);
    expect((await lstat(saved.path)).nlink).toBe(1);
    expect(await readdir(folder)).toEqual(['labels.pdf']);
  });

  it('leaves the mode of a folder that is there', async () => {
    await mkdir(folder, { mode: 0o755 });
    await save('labels.pdf');
    expect(await modeOf(folder)).toBe(0o755);
  });

  it('never replaces a file: a number is added before the ending', async () => {
    const names = [];
    for (let i = 0; i < 3; i++) names.push((await save('labels.pdf', `${i}`)).name);
    expect(names).toEqual(['labels.pdf', 'labels (2).pdf', 'labels (3).pdf']);
    expect(await Promise.all(names.map(inFolder))).toEqual(['0', '1', '2']);
    expect((await save('labels (2).pdf')).uri).toBe('seller://files/labels%20(2)%20(2).pdf');
  });

  it('takes names that some systems take for the same as the same', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'LABELS.pdf'), 'upper');
    await writeFile(join(folder, 'Ma\u0308rz.pdf'), 'decomposed');
    expect((await save('labels.PDF')).name).toBe('labels (2).PDF');
    expect((await save('M\u00e4rz.pdf')).name).toBe('M\u00e4rz (2).pdf');
  });

  it('gives up after a thousand of the same name', async () => {
    await mkdir(folder);
    const taken = Array.from({ length: 1_000 }, (_, i) => (i === 0 ? 'a.txt' : `a (${i + 1}).txt`));
    for (const name of taken) await writeFile(join(folder, name), '');
    await expect(save('a.txt')).rejects.toThrow(/1000 files are called "a.txt"/);
    expect(await readdir(folder)).toHaveLength(1_000);
  });

  it('a content that fails leaves nothing, and its error comes through as it is', async () => {
    const failure = Object.assign(new Error('connection reset'), { code: 'ECONNRESET', syscall: 'read' });
    const content = (async function* () {
      yield Buffer.from('half');
      throw failure;
    })();
    await expect(files.save('labels.pdf', content, { personal: true })).rejects.toBe(failure);
    expect(await readdir(folder)).toEqual([]);
  });

  it('more than a file may have is refused, whether it is known before or not', async () => {
    const never = (async function* () {
      yield expect.fail('asked for content');
    })();
    const tooMuch = files.save('a.csv', never, { personal: true, bytes: MAX_FILE_BYTES + 1 });
    await expect(tooMuch).rejects.toThrow(`more than the ${MAX_FILE_BYTES} bytes`);
    const claims = (async function* () {
      // Counted before it is written.
      yield Object.defineProperty(new Uint8Array(1), 'byteLength', { value: MAX_FILE_BYTES + 1 });
    })();
    await expect(files.save('a.csv', claims, { personal: true })).rejects.toThrow(InputError);
    expect(await readdir(folder)).toEqual([]);
  });

  it('an empty content is a file too', async () => {
    expect(await files.save('empty.csv', text(), { personal: false })).toMatchObject({ bytes: 0 });
  });

  it('nothing is saved under a name that is refused, and no folder is made for it', async () => {
    for (const name of ['../victim.pdf', join(outside, 'victim.pdf'), 'labels.exe', '']) {
      await expect(save(name)).rejects.toThrow(InputError);
    }
    expect(await readdir(base)).toEqual(['outside']);
  });
});

describe('links and other things in the way', () => {
  it('a link under the name is a name that is taken', async () => {
    await mkdir(folder);
    await symlink(join(outside, 'victim.pdf'), join(folder, 'labels.pdf'));
    await symlink(join(outside, 'new.pdf'), join(folder, 'labels (2).pdf'));
    await mkdir(join(folder, 'labels (3).pdf'));
    expect((await save('labels.pdf')).name).toBe('labels (4).pdf');
  });

  it('the folder itself must be no link, also to a folder', async () => {
    await symlink(outside, folder);
    for (const attempt of [() => save('labels.pdf'), () => files.list(), () => files.open('victim.pdf')]) {
      await expect(attempt()).rejects.toThrow(/is a link.*Nothing was read or written/);
    }
    await rm(folder);
    await symlink(join(base, 'nowhere'), folder);
    await expect(save('labels.pdf')).rejects.toThrow(ConfigError);
    expect(await readdir(base)).toEqual(['outside', 'saved']);
  });

  it('a folder above may be a link, as systems make them', async () => {
    await mkdir(join(base, 'real'));
    await symlink(join(base, 'real'), join(base, 'Downloads'));
    folder = join(base, 'Downloads', 'saved');
    expect((await save('labels.pdf')).path).toBe(join(folder, 'labels.pdf'));
    expect(await readdir(join(base, 'real', 'saved'))).toEqual(['labels.pdf']);
  });

  it('a folder that is replaced by a link while a file is written: nothing goes where the link leads', async () => {
    await mkdir(folder);
    const content = (async function* () {
      yield Buffer.from('one');
      await rename(folder, join(base, 'moved'));
      await symlink(outside, folder);
      yield Buffer.from('two');
    })();
    await expect(files.save('labels.pdf', content, { personal: true })).rejects.toThrow(
      /was replaced by something else in the meantime. Nothing was saved./,
    );
    expect(await readdir(join(base, 'moved'))).toEqual([]);
  });

  it('a file that is put in the place of the part while it is written is not saved', async () => {
    await mkdir(folder);
    const content = (async function* () {
      yield Buffer.from('one');
      const [part = ''] = await readdir(folder);
      await rm(join(folder, part));
      await symlink(join(outside, 'victim.pdf'), join(folder, part));
    })();
    await expect(files.save('labels.pdf', content, { personal: true })).rejects.toThrow(
      /something else took the place of "labels.pdf"/,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('another file that is put in the place of the part is not saved either', async () => {
    await mkdir(folder);
    const content = (async function* () {
      yield Buffer.from('one');
      const [part = ''] = await readdir(folder);
      await writeFile(join(folder, 'theirs'), 'another');
      await rename(join(folder, 'theirs'), join(folder, part));
    })();
    await expect(files.save('labels.pdf', content, { personal: true })).rejects.toThrow(
      /something else took the place of "labels.pdf"/,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('a file where the folder should be, or above it, is told', async () => {
    await writeFile(folder, 'a file');
    await expect(save('labels.pdf')).rejects.toThrow(/is not a folder/);
    await expect(files.list()).rejects.toThrow(ConfigError);
    const path = folder;
    folder = join(path, 'below');
    await expect(save('labels.pdf')).rejects.toThrow(/cannot be used: a file stands in its way/);
    expect(await readFile(path, 'utf8')).toBe('a file');
  });

  it('a folder of the system in which nothing can be made is told', async () => {
    folder = '/proc/seller-commerce-files';
    const error = await save('labels.pdf').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ hint: expect.stringContaining('--files-dir (SELLER_FILES_DIR)') });
  });
});

describe('reading', () => {
  it('reads what stands there, as often as it is asked', async () => {
    await save('labels.txt', 'x'.repeat(600_000));
    const file = await files.open('labels.txt');
    expect(file).toMatchObject({ name: 'labels.txt', path: join(folder, 'labels.txt'), bytes: 600_000 });
    expect(await readAll(file)).toBe('x'.repeat(600_000));
    expect(await readAll(file)).toHaveLength(600_000);
  });

  it('takes what the person put there, whatever its ending and however its name is composed', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'Ma\u0308rz.xlsm'), 'macro');
    expect(await readAll(await files.open('M\u00e4rz.xlsm'))).toBe('macro');
  });

  it('never leaves the folder', async () => {
    await mkdir(join(folder, 'sub'), { recursive: true });
    await writeFile(join(folder, 'sub', 'a.txt'), 'below');
    for (const name of [
      '../outside/victim.pdf',
      join(outside, 'victim.pdf'),
      'sub/a.txt',
      'sub\\a.txt',
      '..',
      '.',
      '',
    ]) {
      await expect(files.open(name)).rejects.toThrow(InputError);
    }
  });

  it('takes files only', async () => {
    await mkdir(join(folder, 'a-folder'), { recursive: true });
    await symlink(join(outside, 'victim.pdf'), join(folder, 'link.pdf'));
    spawnSync('mkfifo', [join(folder, 'pipe')]);
    const server = createServer().listen(join(folder, 'socket'));
    await once(server, 'listening');
    await expect(files.open('a-folder')).rejects.toThrow(
      '"a-folder" is a folder, not a file. Nothing was read.',
    );
    await expect(files.open('link.pdf')).rejects.toThrow('"link.pdf" is a symbolic link, not a file.');
    await expect(files.open('pipe')).rejects.toThrow('"pipe" is a named pipe, not a file.');
    await expect(files.open('socket')).rejects.toThrow(/"socket" is a .*socket.*, not a file./);
    expect(await files.list()).toEqual([]);
    server.close();
  });

  it('names what is there where a file is not', async () => {
    await save('labels.pdf');
    const error = await files.open('lables.pdf').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'InputError', hint: 'The newest there: "labels.pdf".' });
  });

  it('refuses one that is too large', async () => {
    await save('large.csv');
    await truncate(join(folder, 'large.csv'), MAX_FILE_BYTES + 1);
    await expect(files.open('large.csv')).rejects.toThrow(`at most ${MAX_FILE_BYTES} are read`);
  });

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['grows', (path) => appendFile(path, 'more')],
    ['shrinks', (path) => truncate(path, 100_000)],
    ['is written again', async (path) => writeFile(path, 'y'.repeat(600_000))],
  ])('a file that %s while it is read is refused', async (_, change) => {
    await save('feed.txt', 'x'.repeat(600_000));
    const path = join(folder, 'feed.txt');
    // A time that a file system with coarse clocks tells from the next one.
    await utimes(path, 1_000, 1_000);
    const file = await files.open('feed.txt');
    const reading = file.read()[Symbol.asyncIterator]();
    await reading.next();
    await change(path);
    const rest = (async () => {
      while ((await reading.next()).done !== true);
    })();
    await expect(rest).rejects.toThrow('"feed.txt" was changed or replaced while it was read.');
  });

  it('another file of the same length and time is not the one that was opened', async () => {
    await save('feed.txt', 'one');
    await save('other.txt', 'two');
    for (const name of ['feed.txt', 'other.txt']) await utimes(join(folder, name), 1_000, 1_000);
    const file = await files.open('feed.txt');
    await rename(join(folder, 'other.txt'), join(folder, 'feed.txt'));
    await expect(file.read()[Symbol.asyncIterator]().next()).rejects.toThrow('was changed or replaced');
  });

  it('a file that is another one by the time that it is read is refused', async () => {
    await save('feed.txt', 'one');
    const file = await files.open('feed.txt');
    await rm(join(folder, 'feed.txt'));
    await symlink(join(outside, 'victim.pdf'), join(folder, 'feed.txt'));
    await expect(readAll(file)).rejects.toThrow('"feed.txt" is a symbolic link');
    await rm(join(folder, 'feed.txt'));
    await writeFile(join(folder, 'feed.txt'), 'two');
    // Not a byte of the other one is given out.
    await expect(file.read()[Symbol.asyncIterator]().next()).rejects.toThrow('was changed or replaced');
    await rename(folder, join(base, 'moved'));
    await symlink(outside, folder);
    await expect(readAll(file)).rejects.toThrow(/is a link/);
  });
});

describe('what is personal', () => {
  const isPersonal = async (name: string, of = files) => (await of.open(name)).personal;

  it('is everything but what this session saved as harmless, and that only while it is unchanged', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'theirs.csv'), 'a person put it there');
    await files.save('ours.csv', text('a;b'), { personal: true });
    await files.save('stock.csv', text('sku;stock'), { personal: false });
    expect(await isPersonal('theirs.csv')).toBe(true);
    expect(await isPersonal('ours.csv')).toBe(true);
    expect(await isPersonal('stock.csv')).toBe(false);
    expect(await isPersonal('stock.csv', openFilesFolder({ find: async () => folder }))).toBe(true);
    await appendFile(join(folder, 'stock.csv'), '\nAnna Schmidt');
    expect(await isPersonal('stock.csv')).toBe(true);
  });
});

describe('listing', () => {
  it('has the newest 50, newest first, and only what could be opened', async () => {
    await mkdir(folder);
    for (let i = 0; i < 60; i++) {
      const path = join(folder, `file ${i}.csv`);
      await writeFile(path, 'x'.repeat(i));
      await utimes(path, 1_000 + i, 1_000 + i);
    }
    await writeFile(join(folder, '.DS_Store'), '');
    await writeFile(join(folder, 'fdp.\u202Eexe'), '');
    await mkdir(join(folder, 'a folder'));
    await symlink(join(outside, 'victim.pdf'), join(folder, 'link.pdf'));
    const listed = await files.list();
    expect(listed).toHaveLength(50);
    expect(listed[0]).toEqual({
      name: 'file 59.csv',
      uri: 'seller://files/file%2059.csv',
      bytes: 59,
      modified: 1_059_000,
    });
    expect(listed.at(-1)?.name).toBe('file 10.csv');
    await save('newer.pdf');
    expect((await files.list())[0]?.name).toBe('newer.pdf');
  });
});
