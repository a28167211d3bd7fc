/**
 * Opens only plain files in a folder that others may write to: links are not followed, and opening never
 * blocks.
 */

import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { codeOf } from '../base/errors.ts';

/** The path is no plain file; the message names it and its kind. */
export class NotAFileError extends Error {
  override readonly name = 'NotAFileError';
  /** The kind that was found: `a folder`. */
  readonly kind: string;

  constructor(path: string, kind: string, options?: ErrorOptions) {
    super(`${path} is ${kind}, not a file`, options);
    this.kind = kind;
  }
}

/**
 * Opens a file. Without the added flags, a named pipe would wait forever, and a symbolic link would redirect
 * the write.
 * @param flags as of open(2), from `constants` of node:fs; systems without the two added flags ignore them.
 * @param mode of a new file.
 * @throws NotAFileError for a link, folder, pipe, socket or device; the system's error for what cannot be
 * opened
 */
export async function openFile(path: string, flags: number, mode?: number): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    handle = await open(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode);
  } catch (error) {
    throw explain(error, path);
  }
  try {
    const stats = await handle.stat();
    if (stats.isFile()) return handle;
    throw new NotAFileError(path, kindOf(stats));
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * The system's error codes for a path that cannot be opened as a file. FreeBSD has a separate code for links.
 */
const KINDS: Readonly<Record<string, string>> = {
  ELOOP: 'a symbolic link',
  EMLINK: 'a symbolic link',
  EISDIR: 'a folder',
  ENXIO: 'a named pipe, socket or device',
  EOPNOTSUPP: 'a socket',
};

function explain(error: unknown, path: string): unknown {
  const kind = KINDS[codeOf(error)];
  return kind === undefined ? error : new NotAFileError(path, kind, { cause: error });
}

/** Names the kind of thing found instead of a file: `a folder`. */
export function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** Files of the administrator are trusted. */
const ROOT = 0;

/** Returns true for a file of another user, who may have created it in a shared folder to read along. */
export function isOtherUser(owner: number, userId: number | undefined): boolean {
  return userId !== undefined && userId !== ROOT && owner !== userId && owner !== ROOT;
}
