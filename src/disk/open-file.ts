/** Opens what must be a plain file in a place that others may reach: no link is followed, nothing else is waited for. */

import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { codeOf } from '../base/errors.ts';

/** What stands under the name is no plain file; the message names it and says what it is. */
export class NotAFileError extends Error {
  override readonly name = 'NotAFileError';
  /** What it is instead: `a folder`. */
  readonly kind: string;

  constructor(path: string, kind: string, options?: ErrorOptions) {
    super(`${path} is ${kind}, not a file`, options);
    this.kind = kind;
  }
}

/**
 * The file, open. A named pipe would otherwise wait for its other end, for ever and deaf to signals; a symbolic link
 * would have another file written to.
 * @param flags as of open(2), from `constants` of node:fs; systems without the two that are added ignore them.
 * @param mode of a file that is made.
 * @throws NotAFileError for a link, folder, pipe, socket or device; the system's error for what cannot be opened
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

/** What the system says to a name that cannot be opened as a file. FreeBSD has a code of its own for links. */
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

/** Names the kind of thing that stands in the place of a file: `a folder`. */
export function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** Files of the administrator may hold anything anyhow. */
const ROOT = 0;

/** Returns true for what belongs to another user: made in a folder that several can write to, and read along. */
export function isStranger(owner: number, userId: number | undefined): boolean {
  return userId !== undefined && userId !== ROOT && owner !== userId && owner !== ROOT;
}
