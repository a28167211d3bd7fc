/** The store of a state folder: one SQLite file that every process of a person writes to, and that any kill may interrupt. */

import { chmodSync, closeSync, existsSync, lstatSync, openSync, statSync } from 'node:fs';
import { realpath, rename, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { ConfigError, codeOf } from '../base/errors.ts';
import { makeFolder } from './make-folder.ts';
import { isStranger, kindOf, NotAFileError } from './open-file.ts';
import { isRunning, processPlace } from './process-place.ts';
import { type Statement, type Step, select, sql } from './statement.ts';

export interface Store {
  folder: string;
  /**
   * Runs a step in one transaction. When it resolves, all that the step wrote is on the disk; where it throws, nothing is.
   * @param waitMs for another process that writes @throws ConfigError where the store cannot be used; SQLite's error (disk full ...); what the step throws
   */
  run<T>(step: () => Step<T>, waitMs?: number): Promise<T>;
  /** Takes what was removed out of the files too, once nobody reads it any more. Never throws. */
  wipe(): Promise<void>;
  /** The same for a step that only reads: nothing is made for it, and a store that is not there reads as an empty one. */
  read<T>(step: () => Step<T>): Promise<T>;
  close(): Promise<void>;
}

export interface StoreOptions {
  /** The user that this process runs as; undefined where the system has no such numbers. */
  userId?: number | undefined;
  /** Statements that make its tables: a text for each version, run after the one before. */
  tables: readonly string[];
  /** Finds and takes over the state that earlier versions of the program left in the folder. */
  old?: {
    isThere(folder: string): Promise<boolean>;
    take(folder: string, userId: number | undefined): Promise<OldState | undefined>;
  };
}

export interface OldState {
  /** Brings it into the store. */
  step(): Step<void>;
  /** Is called once it is in the store. */
  done(): Promise<void>;
}

const FILE = 'store.db';
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Another process holds the lock for milliseconds, with a long list for a second; longer where it was stopped within. */
const MOST_WAIT_MS = 2_000;
/** An outcome waits this long, because it has happened already and would be lost. */
export const LONG_WAIT_MS = 30_000;
/** The file beside it shrinks to this size when nobody needs more. */
const MOST_WAL_BYTES = 16 * 1024 * 1024;
/** A wait within SQLite would hold everything else up. */
const MOST_PAUSE_MS = 20;

/** The lower eight bits of SQLite's result codes. */
const BUSY = 5;
const DAMAGED = [11, 26];
const READ_ONLY = [8, 14];

/** Opens nothing before the first step. */
export function openStore(folder: string, options: StoreOptions): Store {
  const file = join(folder, FILE);
  let opened: Promise<Connection> | undefined;
  const connect = async (): Promise<Connection> => {
    opened ??= connectTo(file, folder, options);
    const mine = opened;
    try {
      const connection = await mine;
      if (connection.isStill(file)) return connection;
      // Somebody removed or replaced the file: nobody would see what is written to this one.
      connection.close();
    } catch (error) {
      if (opened === mine) opened = undefined;
      throw error;
    }
    if (opened === mine) opened = undefined;
    return connect();
  };
  const within = async <T>(begin: string, step: () => Step<T>, waitMs = MOST_WAIT_MS): Promise<T> => {
    const until = performance.now() + waitMs;
    for (;;) {
      let connection: Connection | undefined;
      try {
        connection = await connect();
        return connection.run(begin, step());
      } catch (error) {
        if (isDamage(error) && connection !== undefined) throw await connection.setAside(file, error);
        // A neighbor in this process may have closed it meanwhile.
        const isClosed = connection !== undefined && !connection.isOpen();
        if (resultCode(error) !== BUSY && !isClosed) throw error;
        if (performance.now() > until)
          throw busyError(file, waitMs, isClosed ? [] : (connection?.others() ?? []));
      }
      await sleep(Math.random() * MOST_PAUSE_MS);
    }
  };
  return {
    folder,
    run: (step, waitMs) => within('BEGIN IMMEDIATE', step, waitMs),
    async wipe() {
      await opened?.then((connection) => connection.checkpoint()).catch(() => undefined);
    },
    async read(step) {
      if (!isThere(file) && (await options.old?.isThere(folder)) !== true)
        return readPassing(':memory:', options, step);
      try {
        return await within('BEGIN', step);
      } catch (error) {
        const isLocked =
          ['EACCES', 'EROFS', 'EPERM'].includes(codeOf(error)) || READ_ONLY.includes(resultCode(error));
        if (!isLocked || !isThere(file)) throw error;
        return readOnly(file, options, step);
      }
    },
    async close() {
      const connection = await opened?.catch(() => undefined);
      opened = undefined;
      connection?.close();
    },
  };
}

const openerSchema = z.object({ pid: z.int() });

class Connection {
  readonly #database: DatabaseSync;
  readonly #inode: bigint | undefined;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, inode?: bigint) {
    this.#database = database;
    this.#inode = inode;
  }

  isOpen(): boolean {
    return this.#database.isOpen;
  }

  checkpoint(): void {
    if (this.isOpen()) this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  }

  isStill(file: string): boolean {
    return this.#database.isOpen && inodeOf(file) === this.#inode;
  }

  run<T>(begin: string, step: Step<T>): T {
    this.#database.exec(begin);
    try {
      let next = step.next([]);
      while (next.done !== true) next = step.next(this.#rowsOf(next.value));
      this.#database.exec('COMMIT');
      return next.value;
    } finally {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    }
  }

  #rowsOf({ text, values }: Statement): readonly unknown[] {
    let prepared = this.#prepared.get(text);
    if (prepared === undefined) {
      prepared = this.#database.prepare(text);
      this.#prepared.set(text, prepared);
    }
    return prepared.all(...values);
  }

  /** Numbers of the processes of this machine that have the store open too. */
  others(): number[] {
    const opener = select(sql`SELECT pid FROM openers WHERE place = ${processPlace()}`, openerSchema);
    const pids = this.run('BEGIN', opener).map(({ pid }) => pid);
    return pids.filter((pid) => pid !== process.pid && isRunning(pid));
  }

  /** Moves the file away, because its content cannot be trusted: the next step finds an empty store. */
  async setAside(file: string, cause: unknown): Promise<ConfigError> {
    this.close();
    let isAside = false;
    const aside = `${file}.damaged-${new Date().toISOString().replace(/[:.]/g, '-')}`;
    // Another process may have been faster, and the file that is there now be a new one.
    if (inodeOf(file) === this.#inode) {
      for (const end of ['-wal', '-shm', '']) {
        isAside = await rename(file + end, aside + end).then(
          () => true,
          () => false,
        );
      }
    }
    return isAside || inodeOf(file) !== this.#inode
      ? new ConfigError(
          `${file} was damaged and set aside as ${aside}: what was written before is not known here any more.`,
          'Look at the shop before you write again; the next call begins with an empty store.',
          { cause },
        )
      : new ConfigError(
          `${file} is damaged, and cannot be set aside.`,
          'End every program that has it open, and move it away.',
          { cause },
        );
  }

  close(): void {
    this.#prepared.clear();
    if (this.#database.isOpen) this.#database.close();
  }
}

/** @throws ConfigError for a place that no store may be in; the system's error */
async function connectTo(file: string, folder: string, options: StoreOptions): Promise<Connection> {
  await makeFolder(folder, FOLDER_MODE);
  await refuseShared(folder);
  makeOwn(file, options.userId);
  // Another process has it open, or one was ended without closing it.
  const mayBeCut = existsSync(`${file}-wal`);
  const database = new DatabaseSync(file, { timeout: 0 });
  const connection = new Connection(database, inodeOf(file));
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
    // On macOS, what fsync has written may still be lost with the power.
    database.exec('PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
    database.exec(`PRAGMA journal_size_limit = ${MOST_WAL_BYTES}`);
    if (mayBeCut) connection.run('BEGIN', refuseDamaged());
    connection.run('BEGIN IMMEDIATE', makeTables(options.tables, file));
    connection.run('BEGIN IMMEDIATE', noteOpener());
    const old = await options.old?.take(folder, options.userId);
    if (old !== undefined) {
      connection.run('BEGIN IMMEDIATE', old.step());
      await old.done();
    }
    return connection;
  } catch (error) {
    connection.close();
    throw isDamage(error) ? await connection.setAside(file, error) : error;
  }
}

/** Opens a store of this version for one read. */
function readPassing<T>(place: string | URL, { tables }: StoreOptions, step: () => Step<T>): T {
  const isNew = place === ':memory:';
  const connection = new Connection(new DatabaseSync(place, { readOnly: !isNew }));
  try {
    if (isNew) connection.run('BEGIN', makeTables(tables, ''));
    return connection.run('BEGIN', step());
  } finally {
    connection.close();
  }
}

/** Reads a store in a place where nothing may be written, not even beside it. */
async function readOnly<T>(file: string, options: StoreOptions, step: () => Step<T>): Promise<T> {
  try {
    return readPassing(file, options, step);
  } catch (error) {
    // The file beside it holds the newest writes, and cannot be read then.
    if (isThere(`${file}-wal`)) throw error;
    return readPassing(new URL('?immutable=1', pathToFileURL(file)), options, step);
  }
}

const OPENERS = 'CREATE TABLE openers (pid INTEGER NOT NULL, place TEXT NOT NULL, PRIMARY KEY (pid, place))';

function* makeTables(tables: readonly string[], file: string): Step<void> {
  const all = [OPENERS, ...tables];
  const [{ user_version: version } = { user_version: 0 }] = yield* select(
    sql`PRAGMA user_version`,
    z.object({ user_version: z.int() }),
  );
  if (version > all.length) {
    throw new ConfigError(
      `${file} was written by a newer version of this program.`,
      'Update this one, or choose another folder with --state-dir (SELLER_STATE_DIR).',
    );
  }
  for (const text of all.slice(version).flatMap((one) => one.split(';'))) {
    if (text.trim() !== '') yield { text, values: [] };
  }
  yield { text: `PRAGMA user_version = ${all.length}`, values: [] };
}

function* noteOpener(): Step<void> {
  const place = processPlace();
  const known = yield* select(sql`SELECT pid FROM openers WHERE place = ${place}`, openerSchema);
  yield sql`DELETE FROM openers WHERE place <> ${place}`;
  for (const { pid } of known) {
    if (!isRunning(pid)) yield sql`DELETE FROM openers WHERE pid = ${pid}`;
  }
  yield sql`INSERT OR IGNORE INTO openers (pid, place) VALUES (${process.pid}, ${place})`;
}

class DamagedError extends Error {
  readonly errcode = DAMAGED[0];
}

function* refuseDamaged(): Step<void> {
  const [found] = yield sql`PRAGMA quick_check(1)`;
  if (JSON.stringify(found) !== '{"quick_check":"ok"}') throw new DamagedError(JSON.stringify(found));
}

/**
 * Made with its mode before SQLite opens it, which gives new files beside it the same. Nothing that is there is opened:
 * to close a file would end the locks that other connections of this process hold on it, and damage it.
 * @throws NotAFileError for a link, a folder, a pipe ... in its place
 */
function makeOwn(file: string, userId: number | undefined): void {
  for (const path of ['', '-wal', '-shm'].map((end) => file + end)) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) continue;
    if (!found.isFile()) throw new NotAFileError(path, kindOf(found));
    // Made by somebody else, in a folder that several can write to: they would read along.
    if (isStranger(found.uid, userId)) throw new Error(`${path} belongs to another user`);
    if ((found.mode & 0o077) !== 0) chmodSync(path, FILE_MODE);
  }
  if (!isThere(file)) closeSync(openSync(file, 'wx', FILE_MODE));
}

/** File systems that another host, or another program, may write to as well: the locks hold nobody back there. */
const SHARED_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x65735546, 'FUSE'],
]);
const SYNCED = /[\\/](OneDrive[^\\/]*|Dropbox|CloudStorage|Mobile Documents)(?:[\\/]|$)/;

/** @throws ConfigError for a folder of the network, or one that a program synchronizes */
async function refuseShared(folder: string): Promise<void> {
  // The numbers are those of Linux.
  const type = process.platform === 'linux' ? (await statfs(folder)).type : 0;
  const kind = SHARED_SYSTEMS.get(type) ?? SYNCED.exec(await realpath(folder))?.[1];
  if (kind === undefined) return;
  throw new ConfigError(
    `${folder} is on ${kind}, where two computers can write the store at once and damage it.`,
    'Choose a folder of this computer with --state-dir (SELLER_STATE_DIR).',
  );
}

const busyError = (file: string, waitMs: number, pids: readonly number[]) =>
  new ConfigError(
    `Another process has held ${file} for more than ${waitMs / 1_000} seconds${pids.length === 0 ? '' : ` (of those that have it open: ${pids.join(', ')})`}.`,
    'Try again; where that does not help, end that process.',
  );

/** Returns true for a link that leads nowhere too. */
const isThere = (file: string) => lstatSync(file, { throwIfNoEntry: false }) !== undefined;

function inodeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
}

const resultCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : 0;

const isDamage = (error: unknown) => DAMAGED.includes(resultCode(error));
