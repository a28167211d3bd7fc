/**
 * Stores the changes of a world beyond its process: a file for each thing, in a folder of this world alone.
 * All else is made anew from the same seed, with dates that are counted from each start. Several processes can have one
 * world open: nothing is held back, so that each sees at once what another has changed, and a change that begins with
 * what is there is made by one of them at a time.
 */

import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json';
import * as z from 'zod';
import { codeOf } from '../../src/base/errors.ts';
import { DAY_MS } from './plain-values.ts';

/** Raised when what was kept before means something else now: such a world is made anew. */
const VERSION = 1;
const MARKER = 'world.json';
const KEY_BYTES = 32;
/** Matches the files of a world; no other file in the folder is ever removed. */
const OURS = /^(?:world\.json|(?:listing|store)-[0-9a-f]{32}\.json)(?:\.[0-9a-f]{16})?$/;

const markerSchema = z.object({
  version: z.literal(VERSION),
  /** The id of the seller, which changes with each reset. */
  id: z.string().regex(/^[0-9a-f]{16}$/),
  /** The key that seals its history, base64. It opens only values of a demo seller. */
  key: z.string().min(1),
});

/** Things of one kind that were changed, by their ids. */
export interface Shelf<Thing> {
  get(id: string): Thing | undefined;
  set(id: string, thing: Thing): void;
  ids(): string[];
  /** Runs the work while no other process changes this thing. */
  alone<Result>(id: string, work: () => Result): Result;
}

/** The store of the changes of a world. */
export interface Keeping {
  /** The moment at which the world was made, in milliseconds. */
  madeAt?: number;
  shelf<Thing>(kind: 'listing' | 'store', schema: z.ZodType<Thing>): Shelf<Thing>;
}

export type KeptWorld = ReturnType<typeof openKeptWorld>;

/** Figures of a kept world stay for a day: its time goes on by whole days since it was made. @returns milliseconds */
export const momentOf = ({ madeAt }: Keeping, now: number): number =>
  madeAt === undefined ? now : now - (Math.max(0, now - madeAt) % DAY_MS);

/** Changes end with the process. */
export const IN_MEMORY: Keeping = { shelf: () => createShelf() };

function createShelf<Thing>(): Shelf<Thing> {
  const things = new Map<string, Thing>();
  return {
    get: (id) => things.get(id),
    set: (id, thing) => void things.set(id, thing),
    ids: () => [...things.keys()],
    alone: (_id, work) => work(),
  };
}

/**
 * The world that lies in this folder, or a new one there.
 * @throws the system's error where nothing can be kept there (EACCES, EROFS, ENOSPC ...)
 */
export function openKeptWorld(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, MARKER);
  const there = readMarker(path);
  const isAnew = there === undefined && statSync(path, { throwIfNoEntry: false }) !== undefined;
  const marker = there ?? makeMarker(folder, path);
  // After a reset it is another file, and another world.
  const mark = markOf(path);
  const isOurs = () => markOf(path) === mark;
  return {
    id: marker.id,
    key: Buffer.from(marker.key, 'base64'),
    madeAt: statSync(path).mtimeMs,
    /** True if the stored world could not be used, and was set aside for a new one. */
    isAnew,
    shelf<Thing>(kind: 'listing' | 'store', schema: z.ZodType<Thing>): Shelf<Thing> {
      return openShelf(folder, kind, schema, isOurs);
    },
  };
}

/** Another one for another file, also where the system gives the number of a removed one again; undefined for none. */
function markOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && [stats.ino, stats.mtimeMs, stats.size].join();
}

/** True where there was one. */
export function removeKeptWorld(folder: string): boolean {
  const names = listNames(folder);
  removeFiles(folder, names);
  return names.length > 0;
}

/** The mark of the world goes first: what another process still writes belongs to nothing then. */
function removeFiles(folder: string, names: readonly string[]): void {
  for (const name of [...names].sort((a, b) => Number(b === MARKER) - Number(a === MARKER))) {
    rmSync(join(folder, name), { force: true });
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => OURS.test(name));
  } catch {
    return [];
  }
}

function readMarker(path: string): z.output<typeof markerSchema> | undefined {
  return markerSchema.safeParse(readJson(path)).data;
}

/** The second of two processes that make a world at the same moment takes the first one's. */
function makeMarker(folder: string, path: string): z.output<typeof markerSchema> {
  return withLock(path, () => {
    const other = readMarker(path);
    if (other !== undefined) return other;
    removeFiles(
      folder,
      listNames(folder).filter((name) => name !== `${MARKER}${LOCK}`),
    );
    const marker = {
      version: VERSION,
      id: randomBytes(8).toString('hex'),
      key: randomBytes(KEY_BYTES).toString('base64'),
    } as const;
    renameSync(writeDraft(path, marker), path);
    return marker;
  });
}

function openShelf<Thing>(
  folder: string,
  kind: string,
  schema: z.ZodType<Thing>,
  isOurs: () => boolean,
): Shelf<Thing> {
  const fileSchema = z.object({ id: z.string(), thing: schema });
  const seen = new Map<string, { mark: string; file: z.output<typeof fileSchema> | undefined }>();
  const look = (name: string) => {
    const mark = markOf(join(folder, name));
    if (mark === undefined) return undefined;
    const known = seen.get(name);
    if (known?.mark === mark) return known.file;
    const file = fileSchema.safeParse(readJson(join(folder, name))).data;
    seen.set(name, { mark, file });
    return file;
  };
  const nameOf = (id: string) => `${kind}-${createHash('sha256').update(id).digest('hex').slice(0, 32)}.json`;
  const kept: Shelf<Thing> = {
    get: (id) => look(nameOf(id))?.thing,
    set: (id, thing) => {
      const path = join(folder, nameOf(id));
      renameSync(writeDraft(path, { id, thing }), path);
    },
    ids: () =>
      listNames(folder)
        .filter((name) => name.startsWith(`${kind}-`) && name.endsWith('.json'))
        .flatMap((name) => look(name)?.id ?? []),
    alone: (id, work) => withLock(join(folder, nameOf(id)), work),
  };
  // A process that still has a world open that was reset goes on with its own copy.
  const alone = createShelf<Thing>();
  const now = () => (isOurs() ? kept : alone);
  return {
    get: (id) => now().get(id),
    set: (id, thing) => now().set(id, thing),
    ids: () => now().ids(),
    alone: (id, work) => now().alone(id, work),
  };
}

/** Named as a draft, so that a reset takes one that was left. */
const LOCK = `.${'0'.repeat(16)}`;
/** Much longer than any change takes, also on a machine that is busy. */
const MAX_WAIT_MS = 5_000;
const AGAIN_MS = 1;

/** Between processes; what is done within one is never interrupted. */
function withLock<Result>(path: string, work: () => Result): Result {
  const lock = `${path}${LOCK}`;
  const until = performance.now() + MAX_WAIT_MS;
  while (!takeLock(lock) && performance.now() < until) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS);
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** False while another has it. */
function takeLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    // If no lock file can be made, the change itself fails with the reason.
    if (codeOf(error) !== 'EEXIST') return true;
    const holder = readJson(lock);
    // Killed in the midst of a change.
    if (typeof holder === 'number' && !isAlive(holder)) rmSync(lock, { force: true });
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/** Writes the file under another name first, so that half of it is never read. @returns its path */
function writeDraft(path: string, value: unknown): string {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  writeFileSync(draft, stringify(value) ?? '', { mode: 0o600, flag: 'wx' });
  return draft;
}

/** Undefined for what is not there, and for what is damaged. */
function readJson(path: string): unknown {
  try {
    // Digits that a double does not hold stay as they were written.
    return parse(readFileSync(path, 'utf8'), undefined, (digits) =>
      isSafeNumber(digits) ? Number(digits) : new LosslessNumber(digits),
    );
  } catch {
    return undefined;
  }
}
