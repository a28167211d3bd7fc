/** The folder of one account's collections: whole ones, those that are being built, and the readers' own links. */

import { randomBytes } from 'node:crypto';
import { copyFile, link, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { parseInfo, writeInfo } from './collection-file.ts';
import type { CollectionInfo } from './types.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Folders of processes that may be gone: of collections that are being built, and of readers. */
export const LOADING = 'loading';
export const READERS = 'readers';

/** A description whose database has not come by now belongs to a process that was stopped between the two. */
const STRAY_MS = 60_000;

/** Looks at a folder in which something is replaced meanwhile. */
const MOST_LOOKS = 10;

const HOUR_MS = 3_600_000;

export interface CollectionFolder {
  path: string;
  /** Whole and not expired, newest first. Expired ones are removed. */
  list(): Promise<CollectionInfo[]>;
  databaseOf(id: string): string;
  remove(id: string): Promise<void>;
  /** A new folder below `loading` or `readers` for this process alone. */
  makeOwn(kind: typeof LOADING | typeof READERS): Promise<string>;
  /** Moves a database that is closed into its place. */
  add(info: CollectionInfo, database: string): Promise<void>;
  /** What processes that are gone have left is removed. */
  removeLeftovers(): Promise<void>;
}

export interface FolderOptions {
  path: string;
  /** Milliseconds since the epoch. */
  now(): number;
  keepHours: number;
}

/** Nothing is created before something is added. */
export function openFolder({ path, now, keepHours }: FolderOptions): CollectionFolder {
  const file = (id: string, end: 'db' | 'json') => join(path, `${id}.${end}`);

  const remove = async (id: string) => {
    // The description first: what has none is not a collection any more.
    for (const end of ['json', 'db'] as const) await rm(file(id, end), { force: true });
  };

  const read = async (id: string): Promise<CollectionInfo | 'gone' | undefined> => {
    const text = await readFile(file(id, 'json'), 'utf8').catch(() => undefined);
    const found = await stat(file(id, 'db')).catch(() => undefined);
    if (text === undefined || (found === undefined && !(await exists(file(id, 'json'))))) return 'gone';
    const info = parseInfo(text);
    if (info?.id === id && found !== undefined) {
      if (Date.parse(info.collectedAt) + keepHours * HOUR_MS > now()) return { ...info, bytes: found.size };
      await remove(id);
    } else if (found === undefined) await removeStray(file(id, 'json'), now());
    return undefined;
  };

  return {
    path,
    remove,
    databaseOf: (id) => file(id, 'db'),
    async list() {
      let infos: (CollectionInfo | 'gone' | undefined)[] = [];
      for (let look = 1; look <= MOST_LOOKS; look++) {
        const names = await readdir(path).catch(() => []);
        const ids = names
          .filter((name) => name.endsWith('.json'))
          .map((name) => name.slice(0, -'.json'.length));
        infos = await Promise.all(ids.map(read));
        // What has replaced it came after the look at the names.
        if (!infos.includes('gone')) break;
      }
      return infos
        .filter((info) => info !== undefined && info !== 'gone')
        .sort((one, other) => other.collectedAt.localeCompare(one.collectedAt));
    },
    async makeOwn(kind) {
      const own = join(path, kind, ownName());
      await makeFolder(own, FOLDER_MODE);
      return own;
    },
    async add(info, database) {
      const draft = `${database}.json`;
      await writeFile(draft, writeInfo(info), { mode: FILE_MODE });
      await rename(draft, file(info.id, 'json'));
      await rename(database, file(info.id, 'db'));
    },
    async removeLeftovers() {
      for (const kind of [LOADING, READERS]) {
        const names = await readdir(join(path, kind)).catch(() => []);
        const gone = names.filter((name) => !isInUse(name));
        for (const name of gone) await rm(join(path, kind, name), { recursive: true, force: true });
      }
    },
  };
}

/** Under a new name, since the library locks by name, for readers too. A copy where links are impossible. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw error;
    await copyFile(from, to);
  }
}

const exists = async (path: string) => (await stat(path).catch(() => undefined)) !== undefined;

async function removeStray(description: string, now: number): Promise<void> {
  const found = await stat(description).catch(() => undefined);
  if (found !== undefined && now - found.mtimeMs > STRAY_MS) await rm(description, { force: true });
}

/** When this process began: another one may have had its number before, in a container always. */
const BEGAN = Math.floor(performance.timeOrigin).toString(36);

function ownName(): string {
  return `${process.pid}-${BEGAN}-${randomBytes(4).toString('hex')}`;
}

/** True while the process of that name may live; for anything that is no such name. */
function isInUse(name: string): boolean {
  const [, pid, began] = /^(\d+)-([0-9a-z]+)-[0-9a-f]{8}$/.exec(name) ?? [];
  if (pid === undefined) return true;
  if (Number(pid) === process.pid) return began === BEGAN;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
