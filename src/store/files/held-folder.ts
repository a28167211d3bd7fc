/** Holds the folder open while it is used, so that a link that replaces it meanwhile leads nowhere. */

import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, codeOf } from '../../base/errors.ts';
import { quoteText } from '../../base/text/escape-text.ts';
import { makeFolder } from '../make-folder.ts';

const FOLDER_MODE = 0o700;

export interface HeldFolder {
  /** The path that the user knows. */
  path: string;
  /**
   * Returns the path that reaches a name in this folder, even if the folder's own path now leads elsewhere.
   */
  at(name: string): string;
  /**
   * Checks that the path still leads to the folder.
   * @throws ConfigError when something else has replaced it
   */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens an existing folder; undefined when there is none.
 * @throws ConfigError for a link, a file or anything else there; the system's error
 */
export async function holdExistingFolder(path: string): Promise<HeldFolder | undefined> {
  const found = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  return found === undefined ? undefined : holdFolder(path, found);
}

/**
 * Opens the folder, creating it for its owner only.
 * @throws ConfigError as above; the system's error
 */
export async function holdOrCreateFolder(path: string): Promise<HeldFolder> {
  const found = await holdExistingFolder(path);
  if (found !== undefined) return found;
  await makeFolder(path, FOLDER_MODE);
  return holdFolder(path, await lstat(path));
}

async function holdFolder(path: string, found: Stats): Promise<HeldFolder> {
  refuseOthers(path, found);
  const handle = await openHandle(path);
  try {
    const heldStats = handle === undefined ? found : await handle.stat();
    if (!isSame(heldStats, found)) throw replaced(path);
    const base = (await pathOfHandle(handle, heldStats)) ?? path;
    return {
      path,
      at: (name) => join(base, name),
      // A link at this path has another identity than the folder, whatever its target.
      async verify() {
        const now = await lstat(path).catch(() => undefined);
        if (now === undefined || !isSame(now, heldStats)) throw replaced(path);
      },
      close: async () => handle?.close(),
    };
  } catch (error) {
    await handle?.close();
    throw error;
  }
}

/** Windows cannot open folders. */
async function openHandle(path: string): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  if (O_DIRECTORY === undefined || O_NOFOLLOW === undefined) return undefined;
  return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch((error: unknown) => {
    throw ['ELOOP', 'ENOTDIR', 'EMLINK'].includes(codeOf(error)) ? replaced(path) : error;
  });
}

/**
 * Linux reaches the content of an open folder through /proc; elsewhere the path is checked before and after.
 */
async function pathOfHandle(handle: FileHandle | undefined, heldStats: Stats): Promise<string | undefined> {
  if (handle === undefined) return undefined;
  const path = `/proc/self/fd/${handle.fd}`;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && isSame(found, heldStats) ? path : undefined;
}

const isSame = (one: Stats, other: Stats) => one.dev === other.dev && one.ino === other.ino;

/**
 * Folders above may be links, as systems create them (to a synchronized folder, for example); this one must
 * not be.
 */
function refuseOthers(path: string, found: Stats): void {
  if (found.isDirectory()) return;
  const what = found.isSymbolicLink() ? 'a link, which could lead anywhere' : 'not a folder';
  throw new ConfigError(
    `Where the folder of files should be, ${quoteText(path)}, is ${what}. Nothing was read or written.`,
    'Remove what is there, or name the folder itself with --files-dir (SELLER_FILES_DIR).',
  );
}

function replaced(path: string): ConfigError {
  return new ConfigError(
    `The folder of files, ${quoteText(path)}, was replaced by something else in the meantime. Nothing was saved.`,
    'Look at what is there now, and try again.',
  );
}
