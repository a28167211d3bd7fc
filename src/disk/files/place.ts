/** The folder itself, held while something is done in it, so that no link that takes its place meanwhile leads elsewhere. */

import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, codeOf } from '../../base/errors.ts';
import { quoteText } from '../../base/text/escape-text.ts';
import { makeFolder } from '../make-folder.ts';

const FOLDER_MODE = 0o700;

export interface Place {
  /** As the person knows it. */
  path: string;
  /** By which path a name of this folder is reached, whatever stands under the folder's own path by now. */
  at(name: string): string;
  /** @throws ConfigError when something else stands where the folder was */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/** Undefined where no folder is. @throws ConfigError for a link, a file or anything else there; the system's error */
export async function findPlace(path: string): Promise<Place | undefined> {
  const found = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  return found === undefined ? undefined : hold(path, found);
}

/** Made where it is not there, for its owner alone. @throws ConfigError as above; the system's error */
export async function makePlace(path: string): Promise<Place> {
  const found = await findPlace(path);
  if (found !== undefined) return found;
  await makeFolder(path, FOLDER_MODE);
  return hold(path, await lstat(path));
}

async function hold(path: string, found: Stats): Promise<Place> {
  refuseOthers(path, found);
  const handle = await openHandle(path);
  try {
    const held = handle === undefined ? found : await handle.stat();
    if (!isSame(held, found)) throw replaced(path);
    const base = (await pathOfHandle(handle, held)) ?? path;
    return {
      path,
      at: (name) => join(base, name),
      // A link that stands there now is another thing than the folder, whatever it leads to.
      async verify() {
        const now = await lstat(path).catch(() => undefined);
        if (now === undefined || !isSame(now, held)) throw replaced(path);
      },
      close: async () => handle?.close(),
    };
  } catch (error) {
    await handle?.close();
    throw error;
  }
}

/** Windows opens no folders. */
async function openHandle(path: string): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  if (O_DIRECTORY === undefined || O_NOFOLLOW === undefined) return undefined;
  return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch((error: unknown) => {
    throw ['ELOOP', 'ENOTDIR', 'EMLINK'].includes(codeOf(error)) ? replaced(path) : error;
  });
}

/** Linux reaches what is in an open folder through /proc; elsewhere the path is looked at before and after. */
async function pathOfHandle(handle: FileHandle | undefined, held: Stats): Promise<string | undefined> {
  if (handle === undefined) return undefined;
  const path = `/proc/self/fd/${handle.fd}`;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && isSame(found, held) ? path : undefined;
}

const isSame = (one: Stats, other: Stats) => one.dev === other.dev && one.ino === other.ino;

/** Folders above may be links, as systems make them (to a synchronized place, say); this one is ours and is none. */
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
