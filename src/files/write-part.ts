/** Writes a content beside its place, whole or not at all: within the limit, and as far as the disk has room. */

import { constants } from 'node:fs';
import { type FileHandle, rm, statfs } from 'node:fs/promises';
import { ConfigError, InputError } from '../errors.ts';
import { openFile } from '../open-file.ts';
import { quoteText } from '../text/escape-text.ts';
import { MAX_FILE_BYTES } from './limits.ts';
import { newPartName } from './parts.ts';
import type { Place } from './place.ts';

const FILE_MODE = 0o600;

/** What is left on the disk for everything else. */
const RESERVE_BYTES = 50_000_000;

export interface Part {
  /** Name within the folder. */
  name: string;
  bytes: number;
  /** Tells it from whatever somebody puts in its place. */
  ino: number;
}

/** What the content threw is no matter of the folder, though it may look the same. */
export class ContentError extends Error {
  override readonly name = 'ContentError';
}

/**
 * @param expected bytes, where that is known
 * @throws InputError for too much, ConfigError for a disk that is full already, ContentError for what the content throws
 */
export async function writePart(
  place: Place,
  content: AsyncIterable<Uint8Array>,
  expected = 0,
): Promise<Part> {
  refuseTooMuch(expected);
  await refuseWithoutRoom(place, expected);
  const name = newPartName();
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const handle = await openFile(place.at(name), O_WRONLY | O_CREAT | O_EXCL, FILE_MODE);
  try {
    return { name, ...(await writeAll(handle, content)) };
  } catch (error) {
    await rm(place.at(name), { force: true }).catch(() => undefined);
    throw error;
  }
}

async function writeAll(handle: FileHandle, content: AsyncIterable<Uint8Array>): Promise<Omit<Part, 'name'>> {
  let bytes = 0;
  try {
    for await (const chunk of marked(content)) {
      bytes += chunk.byteLength;
      refuseTooMuch(bytes);
      await handle.writeFile(chunk);
    }
    // On the disk itself: a full one may say so only now.
    await handle.sync();
    return { bytes, ino: (await handle.stat()).ino };
  } finally {
    await handle.close();
  }
}

async function* marked(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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

async function refuseWithoutRoom({ path, at }: Place, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(at('.'));
  const free = bavail * bsize;
  if (free >= bytes + RESERVE_BYTES) return;
  throw new ConfigError(
    `The disk of the folder of files, ${quoteText(path)}, has ${free} bytes left: not enough for ${bytes === 0 ? 'another file' : `a file of ${bytes} bytes`} beside the ${RESERVE_BYTES} that are kept free. Nothing was saved.`,
    'Make room there, or name another folder with --files-dir (SELLER_FILES_DIR).',
  );
}
