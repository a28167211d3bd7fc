/** Reads a file of the folder for an upload: a plain one, within the limit, and the same from beginning to end. */

import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, readdir } from 'node:fs/promises';
import { InputError } from '../errors.ts';
import { NotAFileError, openFile } from '../open-file.ts';
import { quoteText } from '../text/escape-text.ts';
import { MAX_FILE_BYTES } from './limits.ts';
import type { Place } from './place.ts';

const CHUNK_BYTES = 262_144;

/** What must not change: the file itself, how long it is, and when it was last written. */
export type Look = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs'>;

/**
 * @param name as it stands in the folder
 * @throws InputError for a link, folder or anything else that is no file, for one that is not there or too large
 */
export async function lookAt(place: Place, name: string): Promise<Look> {
  const handle = await openIn(place, name);
  try {
    return await look(handle, name);
  } finally {
    await handle.close();
  }
}

/** @throws InputError when it is not, or no longer, the file that was looked at */
export async function* readChunks(place: Place, name: string, before: Look): AsyncGenerator<Uint8Array> {
  const handle = await openIn(place, name);
  try {
    refuseChanged(name, before, await look(handle, name));
    let read = 0n;
    for (;;) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES);
      if (bytesRead === 0) break;
      read += BigInt(bytesRead);
      if (read > before.size) throw changed(name);
      yield buffer.subarray(0, bytesRead);
    }
    refuseChanged(name, { ...before, size: read }, await look(handle, name));
  } finally {
    await handle.close();
  }
}

/** The name as the folder has it, which may be written otherwise in Unicode; undefined where it has none such. */
export async function findName(place: Place, name: string): Promise<string | undefined> {
  const names = await readdir(place.at('.'));
  return names.includes(name) ? name : names.find((one) => one.normalize('NFC') === name);
}

async function openIn(place: Place, name: string): Promise<FileHandle> {
  const handle = await openFile(place.at(name), constants.O_RDONLY).catch((error: unknown) => {
    if (isForbidden(error)) {
      throw new InputError(`This program may not read ${quoteText(name)}.`, 'Allow it to read the file.');
    }
    if (!(error instanceof NotAFileError)) throw error;
    throw new InputError(
      `${quoteText(name)} is ${error.kind}, not a file. Nothing was read.`,
      'Put the file itself into the folder.',
    );
  });
  try {
    await place.verify();
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM');
}

async function look(handle: FileHandle, name: string): Promise<Look> {
  const { dev, ino, size, mtimeNs } = await handle.stat({ bigint: true });
  if (size <= BigInt(MAX_FILE_BYTES)) return { dev, ino, size, mtimeNs };
  throw new InputError(
    `${quoteText(name)} has ${size} bytes, and at most ${MAX_FILE_BYTES} are read. Nothing was read.`,
    'Split it into smaller files.',
  );
}

export function isSameLook(one: Look, other: Look): boolean {
  return (
    one.dev === other.dev && one.ino === other.ino && one.size === other.size && one.mtimeNs === other.mtimeNs
  );
}

function refuseChanged(name: string, before: Look, after: Look): void {
  if (!isSameLook(before, after)) throw changed(name);
}

function changed(name: string): InputError {
  return new InputError(
    `${quoteText(name)} was changed or replaced while it was read.`,
    'Wait until nothing writes to it, then try again.',
  );
}
