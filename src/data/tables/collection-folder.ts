/** The folder of one account's collections: whole ones, those that are being built, the readers' own links. A look at them removes what has expired. */

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
import { makeFolder } from '../../disk/make-folder.ts';
import { isRunning, processPlace } from '../../disk/process-place.ts';
import { type CollectionInfo, infoSchema } from './table-types.ts';

export const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Folders of processes that may be gone: of collections that are being built, of readers. */
export const LOADING = 'loading';
export const READERS = 'readers';
/** Of processes whose tables with personal data end with them; in each, by their ids, those of others that it has found. */
export const HOLDERS = 'holders';
const OWN_KINDS = [LOADING, READERS, HOLDERS] as const;

/** Of collections, and of processes that collect one (src/data/collections/collect-once.ts). */
const OURS = /^(.+)\.(?:db|json|run(?:\.[0-9a-f]+)?)$/;

/** Looks at a folder in which something is replaced meanwhile. */
const MOST_LOOKS = 10;

const HOUR_MS = 3_600_000;

/** How long collections are kept where the person set nothing. */
const KEEP_HOURS = 24;

export type CollectionFolder = ReturnType<typeof openFolder>;

export interface FolderOptions {
  path: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Undefined where the person set nothing. */
  keepHours: number | undefined;
}

/** Nothing is created before something is added. */
export function openFolder({ path, now, keepHours }: FolderOptions) {
  const file = (id: string, end: 'db' | 'json') => join(path, `${id}.${end}`);

  const remove = async (id: string) => {
    // The description first: what has none is not a collection any more.
    for (const end of ['json', 'db'] as const) await rm(file(id, end), { force: true });
  };

  const beat = createBeat();

  const read = async (id: string): Promise<CollectionInfo | 'gone' | undefined> => {
    const text = await readFile(file(id, 'json'), 'utf8').catch(() => undefined);
    const found = await stat(file(id, 'db')).catch(() => undefined);
    if (text === undefined || (found === undefined && !(await exists(file(id, 'json'))))) return 'gone';
    const info = parseInfo(text);
    if (isWhole(id, info, found)) {
      if (endsAt(info, keepHours) > now() && (await isHeld(info))) return info;
      await remove(id);
    }
    return undefined;
  };

  /** False for one that ended with its process, and with those that have found it since. */
  const isHeld = async ({ id, ends }: CollectionInfo) => {
    if (ends === undefined || !('process' in ends)) return true;
    for (const name of await readdir(join(path, HOLDERS)).catch(() => [])) {
      const holder = join(path, HOLDERS, name);
      const isHolder = name === ends.process || (await exists(join(holder, id)));
      if (isHolder && (await isInUse(holder, name))) return true;
    }
    return false;
  };

  /** One that cannot be read just now, or that a later version wrote, is somebody's. */
  const isNobodys = async (id: string) => {
    try {
      const text = await readFile(file(id, 'json'), 'utf8');
      return !isOfLaterVersion(text) && !isWhole(id, parseInfo(text), await stat(file(id, 'db')));
    } catch (error) {
      return codeOf(error) === 'ENOENT';
    }
  };

  /** Whole and not expired, newest first. Expired ones are removed. */
  const list = async () => {
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
  };

  return {
    path,
    remove,
    databaseOf: (id: string) => file(id, 'db'),
    list,
    /** A new folder below one of these for this process alone; it counts as in use until it is removed. */
    async makeOwn(kind: (typeof OWN_KINDS)[number]): Promise<string> {
      const made = join(path, kind, ownName());
      await makeFolder(made, FOLDER_MODE);
      beat(made);
      return made;
    },
    /** Moves a database that is closed into its place. */
    async add(info: CollectionInfo, database: string) {
      const draft = `${database}.json`;
      await writeFile(draft, writeInfo(info), { mode: FILE_MODE, flush: true });
      await sync(database);
      await rename(draft, file(info.id, 'json'));
      await rename(database, file(info.id, 'db'));
    },
    /** What processes that are gone have left is removed, and what is damaged, where nobody can be at it any more. */
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
        const id = OURS.exec(name)?.[1];
        if (id !== undefined && (await isNobodys(id))) await removeStray(join(path, name));
      }
    },
  };
}

/** Amazon's Data Protection Policy lets buyers' data be kept 30 days after delivery; see docs/amazon-rules.md. */
const MAX_PERSONAL_HOURS = 30 * 24;

/** In milliseconds since the epoch, unless its process ends before. @param keepHours as the person set it */
function endsAt({ collectedAt, ends }: CollectionInfo, keepHours: number | undefined): number {
  if (ends === undefined) return Date.parse(collectedAt) + (keepHours ?? KEEP_HOURS) * HOUR_MS;
  const hours = 'process' in ends ? KEEP_HOURS : Math.min(keepHours ?? ends.hours, MAX_PERSONAL_HOURS);
  return Date.parse(collectedAt) + hours * HOUR_MS;
}

/** As `CollectionInfo.until` says it. */
export function endOf(info: CollectionInfo, keepHours: number | undefined): string {
  const isOfProcess = info.ends !== undefined && 'process' in info.ends;
  return isOfProcess ? 'process' : new Date(endsAt(info, keepHours)).toISOString();
}

/** One that was cut short, by a machine that stopped say, is no collection. */
function isWhole(
  id: string,
  info: CollectionInfo | undefined,
  database: { size: number } | undefined,
): info is CollectionInfo {
  return info?.id === id && database?.size === info.bytes;
}

/** Under a new name, since the library locks by name, for readers too. A copy where links are impossible. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw error;
    await copyFile(from, to);
  }
}

const exists = async (path: string) => (await stat(path).catch(() => undefined)) !== undefined;

/** On the disk itself: a machine that stops must not leave a file of the right size with nothing in it. */
async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}

// What processes leave behind in an account's folder: told from what is in use, and removed.

/** A file that belongs to no whole collection, and that nobody has touched for this long, is nobody's. */
const STRAY_MS = 300_000;

/** How often a process says that its own folders are in use. */
const BEAT_MS = 60_000;

/** One of another machine or container that was not touched for this long was left by a process that is gone. */
const STALE_MS = 600_000;

/** When this process began: another one may have had its number before, in a container always. */
const BEGAN = Math.floor(performance.timeOrigin).toString(36);

/** Of a folder that is this process's alone. */
function ownName(): string {
  return `${processPlace()}-${process.pid}-${BEGAN}-${randomBytes(4).toString('hex')}`;
}

/** By the number of its process where that says something, else by whether somebody touches it. */
async function isInUse(path: string, name: string): Promise<boolean> {
  const [, place, pid, began] = /^([0-9a-f]{8})-(\d+)-([0-9a-z]+)-[0-9a-f]{8}$/.exec(name) ?? [];
  if (place === processPlace()) {
    return Number(pid) === process.pid ? began === BEGAN : isRunning(Number(pid));
  }
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs < STALE_MS;
}

/** Where nobody can be at it any more; by the computer's own clock, as the file's time is. */
async function removeStray(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true && Date.now() - found.mtimeMs > STRAY_MS) await rm(path, { force: true });
}

/** Touches each folder that it is given, for as long as it is there; nothing waits for it. */
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

// What is written beside each collection's database, and read back without trust.

/** The first one did not say what is personal. */
const VERSION = 2;

const fileSchema = infoSchema.extend({ v: z.literal(VERSION) });

function writeInfo(info: CollectionInfo): string {
  return `${jsonText({ v: VERSION, ...info })}\n`;
}

/** Undefined for a file that is damaged, or not ours. */
function parseInfo(text: string): CollectionInfo | undefined {
  const parsed = fileSchema.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const { v: _version, ...info } = parsed.data;
  return info;
}

/** True for what a later version of this program wrote: not damaged, but not to be understood here. */
function isOfLaterVersion(text: string): boolean {
  const value = parseJson(text);
  return isJsonObject(value) && typeof value.v === 'number' && value.v > VERSION;
}
