/**
 * The folder of one account's collections: complete ones, unfinished ones and links for readers. Listing it
 * removes expired ones.
 */

import { randomBytes } from 'node:crypto';
import {
  copyFile,
  link,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { codeOf } from '../../base/errors.ts';
import { isJsonObject, jsonText, parseJson } from '../../base/json.ts';
import { makeFolder } from '../../store/make-folder.ts';
import { isRunning, processNamespace } from '../../store/process-namespace.ts';
import { type CollectionInfo, infoSchema } from './table-types.ts';

export const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Folders of processes that may have ended: for unfinished collections and for readers. */
export const LOADING = 'loading';
export const READERS = 'readers';
/**
 * The folder of processes with which tables of personal data end; each lists the ids of other processes'
 * tables that it has found.
 */
export const HOLDERS = 'holders';
const OWN_KINDS = [LOADING, READERS, HOLDERS] as const;

/** Matches files of collections, and of processes that collect one (src/data/collections/collect-once.ts). */
const OWN_FILES = /^(.+)\.(?:db|json|run(?:\.[0-9a-f]+)?)$/;

/** Max reads of a folder in which a collection is replaced meanwhile. */
const MAX_READS = 10;

const HOUR_MS = 3_600_000;

/** The storage time of collections unless the user sets one. */
const KEEP_HOURS = 24;

export type CollectionFolder = ReturnType<typeof openFolder>;

export interface FolderOptions {
  path: string;
  /** Returns the time in milliseconds since the epoch. */
  now(): number;
  /** The storage time; undefined if the user set none. */
  keepHours: number | undefined;
}

/** Opens the folder; nothing is created before something is added. */
export function openFolder({ path, now, keepHours }: FolderOptions) {
  const file = (id: string, end: 'db' | 'json') => join(path, `${id}.${end}`);

  const remove = async (id: string) => {
    // The description is removed first: a database without one no longer counts as a collection.
    for (const end of ['json', 'db'] as const) await rm(file(id, end), { force: true });
  };

  const beat = createBeat();

  const read = async (id: string): Promise<CollectionInfo | 'gone' | undefined> => {
    const text = await readFile(file(id, 'json'), 'utf8').catch(() => undefined);
    const found = await stat(file(id, 'db')).catch(() => undefined);
    if (text === undefined || (found === undefined && !(await exists(file(id, 'json'))))) return 'gone';
    const info = parseInfo(text);
    if (isWhole(id, info, found)) {
      if (endTimeOf(info, keepHours) > now() && (await isHeld(info))) return info;
      await remove(id);
    }
    return undefined;
  };

  /** Returns false for a collection whose process has ended, like all processes that have found it since. */
  const isHeld = async ({ id, ends }: CollectionInfo) => {
    if (ends === undefined || !('process' in ends)) return true;
    for (const name of await readdir(join(path, HOLDERS)).catch(() => [])) {
      const holder = join(path, HOLDERS, name);
      const isHolder = name === ends.process || (await exists(join(holder, id)));
      if (isHolder && (await isInUse(holder, name))) return true;
    }
    return false;
  };

  /**
   * Returns false for a file that cannot be read now, or that a later version wrote, because it may be in
   * use.
   */
  const isNobodys = async (id: string) => {
    try {
      const text = await readFile(file(id, 'json'), 'utf8');
      return !isOfLaterVersion(text) && !isWhole(id, parseInfo(text), await stat(file(id, 'db')));
    } catch (error) {
      return codeOf(error) === 'ENOENT';
    }
  };

  /** Lists complete collections, newest first, and removes expired ones. */
  const list = async () => {
    let infos: (CollectionInfo | 'gone' | undefined)[] = [];
    for (let look = 1; look <= MAX_READS; look++) {
      const names = await readdir(path).catch(() => []);
      const ids = names
        .filter((name) => name.endsWith('.json'))
        .map((name) => name.slice(0, -'.json'.length));
      infos = await Promise.all(ids.map(read));
      // A replacement was added after the names were read, so the loop reads them again.
      if (!infos.includes('gone')) break;
    }
    return infos
      .filter((info) => info !== undefined && info !== 'gone')
      .sort((one, other) => other.collectedAt.localeCompare(one.collectedAt));
  };

  return {
    path,
    remove,
    databaseOf: (id: string) => file(id, 'db'),
    list,
    /** Creates a new folder of this kind for this process alone; it counts as in use until it is removed. */
    async makeOwn(kind: (typeof OWN_KINDS)[number]): Promise<string> {
      const made = join(path, kind, ownName());
      await makeFolder(made, FOLDER_MODE);
      beat(made);
      return made;
    },
    /** Moves a closed database to its final path. */
    async add(info: CollectionInfo, database: string) {
      const draft = `${database}.json`;
      await writeFile(draft, writeInfo(info), { mode: FILE_MODE, flush: true });
      await sync(database);
      await rename(draft, file(info.id, 'json'));
      await rename(database, file(info.id, 'db'));
    },
    /** Removes leftovers of ended processes and damaged files that no process can be using. */
    async removeLeftovers() {
      for (const kind of OWN_KINDS) {
        const names = await readdir(join(path, kind)).catch(() => []);
        for (const name of names) {
          const left = join(path, kind, name);
          if (!(await isInUse(left, name))) await rm(left, { recursive: true, force: true });
        }
      }
      const names = await readdir(path).catch(() => []);
      for (const name of names) {
        const id = OWN_FILES.exec(name)?.[1];
        if (id !== undefined && (await isNobodys(id))) await removeStray(join(path, name));
      }
    },
  };
}

/**
 * Amazon's Data Protection Policy allows buyers' data to be stored for 30 days after delivery; see
 * docs/amazon-rules.md.
 */
const MAX_PERSONAL_HOURS = 30 * 24;

/**
 * Returns the end in milliseconds since the epoch, unless its process ends before.
 * @param keepHours the user's setting
 */
function endTimeOf({ collectedAt, ends }: CollectionInfo, keepHours: number | undefined): number {
  if (ends === undefined) return Date.parse(collectedAt) + (keepHours ?? KEEP_HOURS) * HOUR_MS;
  const hours = 'process' in ends ? KEEP_HOURS : Math.min(keepHours ?? ends.hours, MAX_PERSONAL_HOURS);
  return Date.parse(collectedAt) + hours * HOUR_MS;
}

/** Returns the end in the form of `CollectionInfo.until`. */
export function endOf(info: CollectionInfo, keepHours: number | undefined): string {
  const isOfProcess = info.ends !== undefined && 'process' in info.ends;
  return isOfProcess ? 'process' : new Date(endTimeOf(info, keepHours)).toISOString();
}

/** Returns false for a collection that was cut short, such as by a power failure. */
function isWhole(
  id: string,
  info: CollectionInfo | undefined,
  database: { size: number } | undefined,
): info is CollectionInfo {
  return info?.id === id && database?.size === info.bytes;
}

/**
 * Links under a new name, since the library locks by name, for readers too. Copies if links are impossible.
 */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw error;
    await copyFile(from, to);
  }
}

const exists = async (path: string) => (await stat(path).catch(() => undefined)) !== undefined;

/** Flushes to the disk: after a power failure there must be no file of the right size without its content. */
async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}

// This part distinguishes folders in use from leftovers of ended processes.

/** A file that belongs to no complete collection and is unchanged for this long is not in use. */
const STRAY_MS = 300_000;

/** The interval at which a process marks its own folders as in use. */
const BEAT_MS = 60_000;

/** A folder of another machine or container that is unchanged for this long belongs to an ended process. */
const STALE_MS = 600_000;

/** The start time of this process, because process ids are reused, always so in containers. */
const STARTED_AT = Math.floor(performance.timeOrigin).toString(36);

/** Returns the name of a folder that belongs to this process alone. */
function ownName(): string {
  return `${processNamespace()}-${process.pid}-${STARTED_AT}-${randomBytes(4).toString('hex')}`;
}

/** Decides by the process id if it belongs to this machine, else by the time of the last change. */
async function isInUse(path: string, name: string): Promise<boolean> {
  const [, place, pid, began] = /^([0-9a-f]{8})-(\d+)-([0-9a-z]+)-[0-9a-f]{8}$/.exec(name) ?? [];
  if (place === processNamespace()) {
    return Number(pid) === process.pid ? began === STARTED_AT : isRunning(Number(pid));
  }
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs < STALE_MS;
}

/**
 * Removes a file that no process can be using; it compares with the computer's own clock, like the file's
 * time.
 */
async function removeStray(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true && Date.now() - found.mtimeMs > STRAY_MS) await rm(path, { force: true });
}

/** Touches each given folder while it exists; the timer keeps no process alive. */
function createBeat(): (path: string) => void {
  const paths = new Set<string>();
  let beat: NodeJS.Timeout | undefined;
  const touch = async () => {
    const at = new Date();
    for (const path of paths) await utimes(path, at, at).catch(() => paths.delete(path));
    if (paths.size > 0) return;
    clearInterval(beat);
    beat = undefined;
  };
  return (path) => {
    paths.add(path);
    beat ??= setInterval(() => void touch(), BEAT_MS).unref();
  };
}

// The description beside each collection's database is validated when it is read.

/** Version 1 did not record personal columns. */
const VERSION = 2;

const fileSchema = infoSchema.extend({ v: z.literal(VERSION) });

function writeInfo(info: CollectionInfo): string {
  return `${jsonText({ v: VERSION, ...info })}\n`;
}

/** Returns undefined for a file that is damaged or not ours. */
function parseInfo(text: string): CollectionInfo | undefined {
  const parsed = fileSchema.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const { v: _version, ...info } = parsed.data;
  return info;
}

/**
 * Returns true for a file of a later version of this program, which is not damaged but cannot be read here.
 */
function isOfLaterVersion(text: string): boolean {
  const value = parseJson(text);
  return isJsonObject(value) && typeof value.v === 'number' && value.v > VERSION;
}
