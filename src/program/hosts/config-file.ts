/** Reads, copies and atomically replaces a host's configuration file. */

import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { copyFile, lstat, open, readdir, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, InputError } from '../../base/errors.ts';
import { makeFolder as makeAnyFolder } from '../../store/make-folder.ts';
import { NotAFileError, openFile } from '../../store/open-file.ts';

const byteOrderMark = '\ufeff';

/**
 * The maximum size, above that of any host's configuration; parsing and comparing take many times the size.
 */
const MAX_CONFIG_BYTES = 33_554_432;

/** Follows links to the file that is really written; the file itself need not exist. */
export async function resolveTarget(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw readable(error, file, 'read');
  }
  const link = await lstat(file).catch(() => undefined);
  if (link?.isSymbolicLink()) return resolve(dirname(file), await readlink(file));
  return file;
}

/**
 * Reads the file; undefined when there is none.
 * @throws InputError when it cannot be read or is not UTF-8
 */
export async function readConfig(file: string): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(await readBytes(file));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw readable(error, file, 'read');
  }
}

async function readBytes(file: string): Promise<Buffer> {
  const handle = await openFile(file, constants.O_RDONLY);
  try {
    const { size } = await handle.stat();
    if (size > MAX_CONFIG_BYTES) throw tooLarge(file, size);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function tooLarge(file: string, bytes: number): InputError {
  return new InputError(
    `${file} holds ${bytes} bytes; a configuration of up to ${MAX_CONFIG_BYTES} bytes is changed.`,
    'Write the entry in an editor: docs/hosts.md shows it.',
  );
}

/**
 * Creates the folder of the file.
 * @throws InputError when that fails
 */
export async function makeFolder(file: string): Promise<void> {
  await makeAnyFolder(dirname(file), 0o777).catch((error: unknown) => {
    throw readable(error, dirname(file), 'created');
  });
}

/**
 * Replaces the file atomically by a temporary file that is flushed and renamed. Mode, owner and a byte order
 * mark are preserved.
 * @param change `from`: the text before the change, empty for no file; `mode`: of a new file.
 * @returns false, with nothing written, when the file differs from `from`, because some hosts ignore locks.
 */
export async function replaceFile(
  file: string,
  change: { from: string; to: string; mode: number },
): Promise<boolean> {
  const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const existing = await stat(file).catch(() => undefined);
    const mark = existing !== undefined && (await startsWithMark(file)) ? byteOrderMark : '';
    await writeFlushed(temporary, mark + change.to, existing, change.mode);
    // The comparison comes last, because flushing takes the most time.
    const isSame = ((await readConfig(file)) ?? '') === change.from;
    await (isSame ? renamePatiently(temporary, file) : rm(temporary));
    return isSame;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw readable(error, file, 'written');
  }
}

async function startsWithMark(file: string): Promise<boolean> {
  return (await readBytes(file)).toString('utf8', 0, Buffer.byteLength(byteOrderMark)) === byteOrderMark;
}

async function writeFlushed(
  file: string,
  text: string,
  like: Stats | undefined,
  mode: number,
): Promise<void> {
  const handle = await open(file, 'wx', mode);
  try {
    if (like !== undefined) {
      await handle.chmod(like.mode & 0o7777);
      // Only an administrator may change a file's owner; for anyone else it is the same already or cannot be
      // changed.
      await handle.chown(like.uid, like.gid).catch(() => undefined);
    }
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Retries the rename, because on Windows a virus scanner or the host may hold the file for a moment. */
async function renamePatiently(from: string, to: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (attempt >= 5 || !['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error))) throw error;
      await sleep(40 * 2 ** attempt);
    }
  }
}

const MAX_BACKUP_ATTEMPTS = 1_000;

/**
 * Copies the file to `<file>.<time>.bak` with its mode, and removes earlier copies.
 * @returns the copy, or undefined when there was no file.
 */
export async function backUp(file: string, now: Date): Promise<string | undefined> {
  for (let time = now.getTime(); ; time++) {
    // Few copies exist per millisecond; a folder where every name is taken is unusable.
    const isLast = time - now.getTime() >= MAX_BACKUP_ATTEMPTS;
    const copy = `${file}.${new Date(time).toISOString().replace(/[:.]/g, '-')}.bak`;
    try {
      await copyFile(file, copy, constants.COPYFILE_EXCL);
      await dropOldBackups(file);
      return copy;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      if (codeOf(error) !== 'EEXIST' || isLast) throw readable(error, copy, 'written');
    }
  }
}

async function dropOldBackups(file: string): Promise<void> {
  const prefix = `${basename(file)}.`;
  const names = (await readdir(dirname(file))).filter(
    (name) =>
      name.startsWith(prefix) &&
      /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.bak$/.test(name.slice(prefix.length)),
  );
  const old = names.sort().slice(0, -1);
  await Promise.all(old.map((name) => rm(join(dirname(file), name), { force: true })));
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  ENOSPC: 'the disk is full',
  ELOOP: 'its links lead in a circle',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
};

/** Turns a system error into one that states the file, the operation and the reason. */
export function readable(error: unknown, file: string, verb: 'read' | 'written' | 'created'): InputError {
  if (error instanceof InputError) return error;
  const code = codeOf(error);
  const reason =
    error instanceof NotAFileError
      ? `it is ${error.kind}, not a file`
      : (reasons[code] ?? (code || 'for an unknown reason'));
  return new InputError(
    `${file} could not be ${verb}: ${reason}.`,
    'Correct this, then run the command again.',
  );
}
