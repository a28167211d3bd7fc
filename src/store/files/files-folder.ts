/**
 * The user's folder of files in one session: saves and reads files, and remembers which contain no personal
 * data.
 */

import { randomBytes } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, link, lstat, open, readdir, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, ConfigError, codeOf, InputError } from '../../base/errors.ts';
import { quoteText } from '../../base/text/escape-text.ts';
import { NotAFileError, openFile } from '../open-file.ts';
import { isTextName, splitEnding } from './endings.ts';
import { isPlainName, nameToOpen, nameToSave, normalizeName } from './file-names.ts';
import type { FilesFolder, ListedFile, OpenedFile, SavedFile } from './files.ts';
import { type HeldFolder, holdExistingFolder, holdOrCreateFolder } from './held-folder.ts';

/** The maximum size of a saved or uploaded file; the largest unpacked document has the same limit. */
export const MAX_FILE_BYTES = 2_000_000_000;

/** The maximum number that is appended to a taken name. */
const MAX_SAME_NAMES = 1_000;

/** The maximum number of listed files. */
const MAX_LISTED = 50;

/** The maximum number of saved files without personal data that a session remembers, the newest ones. */
const MAX_KNOWN_FILES = 1_000;

/** The maximum number of names in the error for a missing file. */
const MAX_NAMED_FILES = 10;

/**
 * Opens the folder. Nothing is read or created before its first use, and no handle stays open between uses.
 */
export function openFilesFolder({ find }: { find(): Promise<string> }): FilesFolder {
  /** Files that this session saved without personal data. */
  const harmless = new Map<string, FileId>();

  /** A file that is removed at once was saved all the same. */
  const rememberHarmless = async (held: HeldFolder, name: string) => {
    const id = await readFileId(held, name).catch(() => undefined);
    if (id === undefined) return;
    harmless.set(name, id);
    const [oldest] = harmless.keys();
    if (harmless.size > MAX_KNOWN_FILES && oldest !== undefined) harmless.delete(oldest);
  };

  return {
    folder: find,
    async save(name, content, { ending, personal, bytes }): Promise<SavedFile> {
      const wanted = nameToSave(name, ending);
      return within(find, holdOrCreateFolder, async (held) => {
        await removeAbandonedParts(held);
        const part = await writePart(held, content, bytes);
        const saved = await moveToFreeName(held, part, wanted).finally(() =>
          rm(held.at(part.name), { force: true }).catch(() => undefined),
        );
        harmless.delete(saved);
        if (!personal) await rememberHarmless(held, saved);
        return { name: saved, path: join(held.path, saved), bytes: part.bytes, uri: fileUri(saved) };
      });
    },
    async open(name): Promise<OpenedFile> {
      const wanted = nameToOpen(name);
      return within(find, holdExistingFolder, async (held) => {
        const found = held === undefined ? undefined : await findName(held, wanted);
        if (held === undefined || found === undefined) throw await missingFile(wanted, held, await find());
        const id = await readFileId(held, found);
        const known = harmless.get(found);
        return {
          name: found,
          isText: isTextName(found),
          path: join(held.path, found),
          bytes: Number(id.size),
          modified: Number(id.mtimeNs / 1_000_000n),
          personal: known === undefined || !isSameFile(known, id),
          read: () => readAgain(find, found, id),
        };
      });
    },
    async list() {
      return within(find, holdExistingFolder, async (held) => {
        if (held === undefined) return [];
        await removeAbandonedParts(held).catch(() => undefined);
        return listFiles(held);
      });
    },
  };
}

/**
 * Runs work in the folder.
 * @throws the system's error about the folder, explained; the unchanged error of saved content
 */
async function within<P extends HeldFolder | undefined, T>(
  find: () => Promise<string>,
  open: (path: string) => Promise<P>,
  work: (held: P) => Promise<T>,
): Promise<T> {
  const path = await find();
  let held: P | undefined;
  try {
    held = await open(path);
    return await work(held);
  } catch (error) {
    throw error instanceof ContentError ? error.cause : explainFailure(error, path);
  } finally {
    await held?.close();
  }
}

async function* readAgain(find: () => Promise<string>, name: string, id: FileId): AsyncGenerator<Uint8Array> {
  const path = await find();
  let held: HeldFolder | undefined;
  try {
    held = await holdExistingFolder(path);
    if (held === undefined) throw await missingFile(name, held, path);
    yield* readChunks(held, name, id);
  } catch (error) {
    throw explainFailure(error, path);
  } finally {
    await held?.close();
  }
}

async function missingFile(name: string, held: HeldFolder | undefined, path: string): Promise<InputError> {
  const files = held === undefined ? [] : await listFiles(held);
  const names = files.slice(0, MAX_NAMED_FILES).map((file) => quoteText(file.name));
  return new InputError(
    `There is no file ${quoteText(name)} in the folder of files, ${quoteText(path)}.`,
    names.length === 0
      ? 'Put it there first; the folder is empty.'
      : `The newest there: ${names.join(', ')}.`,
  );
}

// System errors about the folder of files are explained with the next step.

const ANOTHER = 'name another folder with --files-dir (SELLER_FILES_DIR).';
const MAKE_ROOM = `Make room there, or ${ANOTHER}`;

/** System error codes, with their meaning for the folder and the next step for the user. */
const MEANINGS: Readonly<Record<string, { what: string; next: string }>> = {
  ENOSPC: { what: 'its disk is full', next: MAKE_ROOM },
  EDQUOT: { what: 'your share of its disk is used up', next: MAKE_ROOM },
  EFBIG: { what: 'no file this large can be written there', next: `Save less at once, or ${ANOTHER}` },
  EACCES: { what: 'this program may not use it', next: `Allow it to, or ${ANOTHER}` },
  EPERM: { what: 'this program may not use it', next: `Allow it to, or ${ANOTHER}` },
  EROFS: { what: 'nothing can be written there', next: `Name another one: ${ANOTHER}` },
  ENOTDIR: { what: 'a file stands in its way', next: `Remove it, or ${ANOTHER}` },
  EEXIST: { what: 'something else stands in its way', next: `Remove it, or ${ANOTHER}` },
};

/** Any other error is returned unchanged, because it comes from the content that was to be saved. */
function explainFailure(error: unknown, folder: string): unknown {
  if (error instanceof AppError) return error;
  if (error instanceof NotAFileError)
    return failed(folder, `${error.kind} stands in its way`, `Remove it, or ${ANOTHER}`, error);
  const code =
    error instanceof Error && 'code' in error && 'syscall' in error ? String(error.code) : undefined;
  if (code === undefined) return error;
  const { what, next } = MEANINGS[code] ?? {
    what: `the system says ${code}`,
    next: `Look at it, or ${ANOTHER}`,
  };
  return failed(folder, what, next, error);
}

function failed(folder: string, what: string, next: string, cause: unknown): ConfigError {
  return new ConfigError(`The folder of files, ${quoteText(folder)}, cannot be used: ${what}.`, next, {
    cause,
  });
}

// The list has the files of the folder that can be opened, newest first.

/** The number of files that are inspected concurrently. */
const AT_ONCE = 64;

async function listFiles(held: HeldFolder): Promise<ListedFile[]> {
  const entries = await readdir(held.at('.'), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && isPlainName(entry.name)).map(({ name }) => name);
  const files: ListedFile[] = [];
  for (let from = 0; from < names.length; from += AT_ONCE) {
    const looked = await Promise.all(names.slice(from, from + AT_ONCE).map((name) => listed(held, name)));
    files.push(...looked.filter((file) => file !== undefined));
  }
  return files
    .sort((one, other) => other.modified - one.modified || one.name.localeCompare(other.name))
    .slice(0, MAX_LISTED);
}

async function listed(held: HeldFolder, name: string): Promise<ListedFile | undefined> {
  const found = await lstat(held.at(name)).catch(() => undefined);
  return found?.isFile() === true
    ? { name, uri: fileUri(name), bytes: found.size, modified: found.mtimeMs }
    : undefined;
}

const fileUri = (name: string) => `seller://files/${encodeURIComponent(name)}`;

// A complete file gets a free name, even when several processes choose names at the same time.

/** Error codes of file systems without hard links: FAT and some network shares; Windows returns the first. */
const NO_LINKS = new Set(['EISDIR', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/**
 * Moves `part` to `wanted`, or to the first free `wanted (2)`.
 * @returns its new name
 * @throws InputError when all numbers are taken, ConfigError when the folder was replaced
 */
async function moveToFreeName(held: HeldFolder, part: TempFile, wanted: string): Promise<string> {
  await held.verify();
  const taken = new Set((await readdir(held.at('.'))).map(normalizeName));
  for (let number = 1; number <= MAX_SAME_NAMES; number += 1) {
    const name = numbered(wanted, number);
    if (taken.has(normalizeName(name)) || !(await claimName(held, part.name, name))) continue;
    try {
      const put = await lstat(held.at(name));
      if (put.ino !== part.ino || !put.isFile()) throw disturbed(held, name);
      await held.verify();
      return name;
    } catch (error) {
      await rm(held.at(name), { force: true });
      throw error;
    }
  }
  throw new InputError(
    `${MAX_SAME_NAMES} files are called ${quoteText(wanted)}, or that with a number; nothing was saved.`,
    'Give another name.',
  );
}

function numbered(name: string, number: number): string {
  const { base, ending } = splitEnding(name);
  return number === 1 ? name : `${base} (${number})${ending}`;
}

/** Returns false when the name is taken. No existing file is ever replaced. */
async function claimName(held: HeldFolder, part: string, name: string): Promise<boolean> {
  try {
    await link(held.at(part), held.at(name));
    await rm(held.at(part));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!NO_LINKS.has(codeOf(error))) throw error;
    return claimByRename(held, part, name);
  }
}

/** Creates the name as an empty file first, which only one process can do. */
async function claimByRename(held: HeldFolder, part: string, name: string): Promise<boolean> {
  try {
    await (await open(held.at(name), 'wx', 0o600)).close();
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    await rename(held.at(part), held.at(name));
  } catch (error) {
    await rm(held.at(name), { force: true });
    throw error;
  }
  return true;
}

/** Builds the error for a file that someone else with write access to the folder replaced. */
function disturbed(held: HeldFolder, name: string): ConfigError {
  return new ConfigError(
    `In the folder of files, ${quoteText(held.path)}, something else took the place of ${quoteText(name)} while it was saved.`,
    'Let nobody else write to that folder, or name another one with --files-dir (SELLER_FILES_DIR).',
  );
}

// A file is read for an upload only if it is a plain file within the limit and stays unchanged while it is
// read.

const CHUNK_BYTES = 262_144;

/** The identity of an unchanged file: the file itself, its size and its last write. */
type FileId = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs'>;

/**
 * Returns the identity of a file.
 * @param name as it is in the folder
 * @throws InputError for a link, folder or anything else that is no file, for one that is missing or too
 * large
 */
async function readFileId(held: HeldFolder, name: string): Promise<FileId> {
  const handle = await openIn(held, name);
  try {
    return await fileIdOf(handle, name);
  } finally {
    await handle.close();
  }
}

/**
 * Reads the file in chunks.
 * @throws InputError when it is not, or no longer, the file of `before`
 */
async function* readChunks(held: HeldFolder, name: string, before: FileId): AsyncGenerator<Uint8Array> {
  const handle = await openIn(held, name);
  try {
    refuseChanged(name, before, await fileIdOf(handle, name));
    let read = 0n;
    for (;;) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES);
      if (bytesRead === 0) break;
      read += BigInt(bytesRead);
      if (read > before.size) throw changed(name);
      yield buffer.subarray(0, bytesRead);
    }
    refuseChanged(name, { ...before, size: read }, await fileIdOf(handle, name));
  } finally {
    await handle.close();
  }
}

/** Returns the name in the folder's own Unicode form; undefined when there is no such file. */
async function findName(held: HeldFolder, name: string): Promise<string | undefined> {
  const names = await readdir(held.at('.'));
  return names.includes(name) ? name : names.find((one) => one.normalize('NFC') === name);
}

async function openIn(held: HeldFolder, name: string): Promise<FileHandle> {
  const handle = await openFile(held.at(name), constants.O_RDONLY).catch((error: unknown) => {
    if (['EACCES', 'EPERM'].includes(codeOf(error))) {
      throw new InputError(`This program may not read ${quoteText(name)}.`, 'Allow it to read the file.');
    }
    if (!(error instanceof NotAFileError)) throw error;
    throw new InputError(
      `${quoteText(name)} is ${error.kind}, not a file. Nothing was read.`,
      'Put the file itself into the folder.',
    );
  });
  try {
    await held.verify();
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function fileIdOf(handle: FileHandle, name: string): Promise<FileId> {
  const { dev, ino, size, mtimeNs } = await handle.stat({ bigint: true });
  if (size <= BigInt(MAX_FILE_BYTES)) return { dev, ino, size, mtimeNs };
  throw new InputError(
    `${quoteText(name)} has ${size} bytes, and at most ${MAX_FILE_BYTES} are read. Nothing was read.`,
    'Split it into smaller files.',
  );
}

function isSameFile(one: FileId, other: FileId): boolean {
  return (
    one.dev === other.dev && one.ino === other.ino && one.size === other.size && one.mtimeNs === other.mtimeNs
  );
}

function refuseChanged(name: string, before: FileId, after: FileId): void {
  if (!isSameFile(before, after)) throw changed(name);
}

function changed(name: string): InputError {
  return new InputError(
    `${quoteText(name)} was changed or replaced while it was read.`,
    'Wait until nothing writes to it, then try again.',
  );
}

// Content is written to a temporary file, whole or not at all: within the limit, and only if the disk has
// room.

const FILE_MODE = 0o600;

/** The disk space that is left for everything else. */
const RESERVE_BYTES = 50_000_000;

interface TempFile {
  /** The name within the folder. */
  name: string;
  bytes: number;
  /** The inode, which distinguishes the file from a replacement. */
  ino: number;
}

// Names of temporary files are never shown; the files are removed when their writer is gone.

/** The name begins with a dot, which no saved or opened name does. */
const PART = /^\.seller-commerce-[0-9a-f]{16}\.part$/;

/** The age after which an unchanged part is abandoned; a download ends after 30 seconds without a byte. */
const ABANDONED_MS = 600_000;

function newPartName(): string {
  return `.seller-commerce-${randomBytes(8).toString('hex')}.part`;
}

/**
 * Removes abandoned parts by the computer's own clock, which also stamps the files. Parts that cannot be
 * removed stay.
 */
async function removeAbandonedParts(held: HeldFolder): Promise<void> {
  const names = await readdir(held.at('.'));
  for (const name of names.filter((one) => PART.test(one))) {
    const found = await lstat(held.at(name)).catch(() => undefined);
    if (found === undefined || Date.now() - found.mtimeMs < ABANDONED_MS) continue;
    await rm(held.at(name), { force: true }).catch(() => undefined);
  }
}

/** Wraps an error of the content, which may look like one of the folder. */
class ContentError extends Error {
  override readonly name = 'ContentError';
}

/**
 * Writes the content to a temporary file.
 * @param expected bytes, if known
 * @throws InputError for too much, ConfigError for a full disk, ContentError for an error of the content
 */
async function writePart(
  held: HeldFolder,
  content: AsyncIterable<Uint8Array>,
  expected = 0,
): Promise<TempFile> {
  refuseTooMuch(expected);
  await refuseWithoutRoom(held, expected);
  const name = newPartName();
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const handle = await openFile(held.at(name), O_WRONLY | O_CREAT | O_EXCL, FILE_MODE);
  try {
    return { name, ...(await copyAll(handle, content)) };
  } catch (error) {
    await rm(held.at(name), { force: true }).catch(() => undefined);
    throw error;
  }
}

async function copyAll(file: FileHandle, data: AsyncIterable<Uint8Array>): Promise<Omit<TempFile, 'name'>> {
  let bytes = 0;
  try {
    for await (const chunk of wrapErrors(data)) {
      bytes += chunk.byteLength;
      refuseTooMuch(bytes);
      await file.writeFile(chunk);
    }
    // The data is flushed to the disk, because a full disk may report the error only then.
    await file.sync();
    return { bytes, ino: (await file.stat()).ino };
  } finally {
    await file.close();
  }
}

async function* wrapErrors(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    throw new ContentError('The content could not be read.', { cause: error });
  }
}

function refuseTooMuch(bytes: number): void {
  if (bytes <= MAX_FILE_BYTES) return;
  throw new InputError(
    `This is more than the ${MAX_FILE_BYTES} bytes that a saved file may have; nothing was saved.`,
    'Save less at once: a shorter time, fewer columns or fewer rows.',
  );
}

async function refuseWithoutRoom({ path, at }: HeldFolder, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(at('.'));
  const free = bavail * bsize;
  if (free >= bytes + RESERVE_BYTES) return;
  throw new ConfigError(
    `The disk of the folder of files, ${quoteText(path)}, has ${free} bytes left: not enough for ${bytes === 0 ? 'another file' : `a file of ${bytes} bytes`} beside the ${RESERVE_BYTES} that are kept free. Nothing was saved.`,
    'Make room there, or name another folder with --files-dir (SELLER_FILES_DIR).',
  );
}
