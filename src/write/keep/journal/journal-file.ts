/** The journal's files: one line put at the end, all lines read, whatever other processes and kills do meanwhile. */

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../../../base/errors.ts';
import { isStranger, putAtEnd, syncFolder } from '../../../disk/line-file.ts';
import { makeFolder } from '../../../disk/make-folder.ts';
import { openFile } from '../../../disk/open-file.ts';

/** The file that lines are added to; full ones are renamed to `writes-<time>-<uuid>.jsonl` and kept. */
const FILE_NAME = 'writes.jsonl';
/** A file that has reached this many bytes is put aside before the next line. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Far more than a line of ours, also behind torn ones; what a longer one holds beyond is skipped. */
export const MAX_READ_CHARACTERS = 1_048_576;

/** Where and how lines are added. */
export interface AppendOptions {
  folder: string;
  /** Milliseconds since the epoch; names files that are put aside. */
  now: () => number;
  maxFileBytes?: number;
  /** The user that this process runs as; undefined where the system has no such numbers. */
  userId?: number | undefined;
}

/**
 * Resolves once the line is on the disk.
 *
 * No lock is needed. O_APPEND makes the system choose the place of each write, so the lines of several processes
 * never mix on a local disk. A process that is killed within its write leaves the start of a line without a newline:
 * whoever comes next begins with one. Should the kill fall between that look and the write, both stand on one line,
 * and the reader takes them apart (`parseLine`). Renaming loses nothing either: a process that still holds the old
 * file writes into it under its new name, and readers read both.
 * @throws the system's error (ENOSPC, EACCES, EROFS ...)
 */
export async function appendLine(line: string, options: AppendOptions): Promise<void> {
  await addTo(await openForAppend(options), line, options.folder);
}

/** The same for a file of this name that is never put aside. */
export async function appendLineTo(
  name: string,
  line: string,
  { folder, userId }: Pick<AppendOptions, 'folder' | 'userId'>,
): Promise<void> {
  const { handle } = await openOwn(join(folder, name), userId);
  await addTo(handle, line, folder);
}

async function addTo(handle: FileHandle, line: string, folder: string): Promise<void> {
  try {
    const { size } = await handle.stat();
    await putAtEnd(handle, `${line}\n`, '\n');
    if (size === 0) await syncFolder(folder);
  } finally {
    await handle.close();
  }
}

async function openForAppend(options: AppendOptions): Promise<FileHandle> {
  const path = join(options.folder, FILE_NAME);
  const { handle, size } = await openOwn(path, options.userId);
  if (size < (options.maxFileBytes ?? MAX_FILE_BYTES)) return handle;
  try {
    await putAside(path, handle, options.now());
  } finally {
    await handle.close();
  }
  return openOrCreate(path);
}

async function openOwn(path: string, userId: number | undefined) {
  const handle = await openOrCreate(path);
  try {
    const { uid, mode, size } = await handle.stat();
    // Made by somebody else, in a folder that several can write to: they would read along.
    if (isStranger(uid, userId)) throw new Error(`${path} belongs to another user`);
    // Where another program or a copy widened the permissions; systems without them ignore this.
    if ((mode & 0o077) !== 0) await handle.chmod(0o600).catch(() => {});
    return { handle, size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_RDWR;

async function openOrCreate(path: string): Promise<FileHandle> {
  try {
    return await openFile(path, APPEND, 0o600);
  } catch (error) {
    ignoreMissing(error);
    await makeFolder(dirname(path), 0o700);
    return openFile(path, APPEND, 0o600);
  }
}

/** Another process may be doing the same: then its rename counts. A file that cannot be renamed just grows on. */
async function putAside(path: string, handle: FileHandle, now: number): Promise<void> {
  const held = await handle.stat({ bigint: true });
  const named = await lstat(path, { bigint: true }).catch(() => undefined);
  if (named?.ino !== held.ino) return;
  const time = new Date(now).toISOString().replace(/[:.]/g, '-');
  // A name that nobody else can choose: renaming onto an existing file would delete its lines.
  await rename(path, join(dirname(path), `writes-${time}-${randomUUID()}.jsonl`)).catch(() => {});
}

/** Every line, older files first, without its newline; empty ones are skipped. A folder that is not there has none. */
export async function* readLines(folder: string): AsyncGenerator<string> {
  // Opened before the others are listed: if it is put aside meanwhile, the list has it, and it is read only once.
  const current = await openIfThere(join(folder, FILE_NAME));
  const currentFile = await current?.stat({ bigint: true });
  for (const name of await listOlder(folder)) {
    const older = await openIfThere(join(folder, name));
    const file = await older?.stat({ bigint: true });
    if (file?.ino === currentFile?.ino) await older?.close();
    else if (older !== undefined) yield* readFileLines(older);
  }
  if (current !== undefined) yield* readFileLines(current);
}

/** Not node:readline, which also ends lines at U+2028 and at a lone carriage return. */
export async function* readFileLines(handle: FileHandle): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of handle.createReadStream({ encoding: 'utf8' })) {
    const [first = '', ...others] = String(chunk).split('\n');
    if (rest.length < MAX_READ_CHARACTERS) rest += first;
    const last = others.pop();
    if (last === undefined) continue;
    yield* [rest, ...others].filter((line) => line !== '');
    rest = last;
  }
  if (rest !== '') yield rest;
}

async function listOlder(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(ignoreMissing);
  return (names ?? []).filter((name) => /^writes-[\w.-]+\.jsonl$/.test(name)).sort();
}

export function openIfThere(path: string): Promise<FileHandle | undefined> {
  return openFile(path, constants.O_RDONLY).catch(ignoreMissing);
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined;
  throw error;
}
