/**
 * The store of a state folder: one SQLite file that all processes of a user write to, and that any process
 * kill may interrupt.
 */

import { chmodSync, closeSync, existsSync, lstatSync, openSync, statSync } from 'node:fs';
import { realpath, rename, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { ConfigError, codeOf } from '../base/errors.ts';
import { makeFolder } from './make-folder.ts';
import { isOtherUser, kindOf, NotAFileError } from './open-file.ts';
import { isRunning, processNamespace } from './process-namespace.ts';
import { type StoreStatement, type StoreStep, select, sql } from './statement.ts';

export interface Store {
  folder: string;
  /**
   * Runs a step in one transaction. When it resolves, all its writes are on the disk; when it throws, none
   * is.
   * @param waitMs for another process that writes
   * @throws ConfigError where the store cannot be used; SQLite's error (disk full ...); the step's own error
   */
  run<T>(step: () => StoreStep<T>, waitMs?: number): Promise<T>;
  /** Removes deleted content from the files too, once nobody reads it. Never throws. */
  wipe(): Promise<void>;
  /** Runs a step that only reads. It creates nothing, and a missing store reads as an empty one. */
  read<T>(step: () => StoreStep<T>): Promise<T>;
  close(): Promise<void>;
}

export interface StoreOptions {
  /** The user that this process runs as; undefined where the system has no user IDs. */
  userId?: number | undefined;
  /** Statements that create its tables: one text per version, run in order. */
  tables: readonly string[];
  /** Finds and imports the state that earlier versions of the program left in the folder. */
  old?: {
    isThere(folder: string): Promise<boolean>;
    take(folder: string, userId: number | undefined): Promise<ImportedState | undefined>;
  };
}

export interface ImportedState {
  /** Writes it to the store. */
  step(): StoreStep<void>;
  /** Called once it is stored. */
  done(): Promise<void>;
}

const FILE = 'store.db';
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/**
 * The default wait for the lock. Another process holds it for milliseconds, with a large batch for a second,
 * and longer only if it was suspended.
 */
const DEFAULT_WAIT_MS = 2_000;
/** The wait for recording an outcome, which has already happened and would be lost. */
export const LONG_WAIT_MS = 30_000;
/** The maximum size of the idle write-ahead log. */
const MAX_WAL_BYTES = 16 * 1024 * 1024;
/**
 * The maximum pause between attempts. SQLite itself does not wait, because that would block the event loop.
 */
const MAX_PAUSE_MS = 20;

/** The lower eight bits of SQLite's result codes. */
const BUSY = 5;
const DAMAGED = [11, 26];
const READ_ONLY = [8, 14];

/** Creates the store, and opens nothing before the first step. */
export function openStore(folder: string, options: StoreOptions): Store {
  const file = join(folder, FILE);
  let opened: Promise<SqliteConnection> | undefined;
  const connect = async (): Promise<SqliteConnection> => {
    opened ??= connectTo(file, folder, options);
    const current = opened;
    try {
      const connection = await current;
      if (connection.isStill(file)) return connection;
      // The file was removed or replaced, so writes to this one would be invisible to others.
      connection.close();
    } catch (error) {
      if (opened === current) opened = undefined;
      throw error;
    }
    if (opened === current) opened = undefined;
    return connect();
  };
  const within = async <T>(begin: string, step: () => StoreStep<T>, waitMs = DEFAULT_WAIT_MS): Promise<T> => {
    const until = performance.now() + waitMs;
    for (;;) {
      let connection: SqliteConnection | undefined;
      try {
        connection = await connect();
        return connection.run(begin, step());
      } catch (error) {
        if (isDamage(error) && connection !== undefined) throw await connection.setAside(file, error);
        // Concurrent work in this process may have closed it meanwhile.
        const isClosed = connection !== undefined && !connection.isOpen();
        if (resultCode(error) !== BUSY && !isClosed) throw error;
        if (performance.now() > until)
          throw busyError(file, waitMs, isClosed ? [] : (connection?.others() ?? []));
      }
      await sleep(Math.random() * MAX_PAUSE_MS);
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
        return readOnce(':memory:', options, step);
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

class SqliteConnection {
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

  run<T>(begin: string, step: StoreStep<T>): T {
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

  #rowsOf({ text, values }: StoreStatement): readonly unknown[] {
    let prepared = this.#prepared.get(text);
    if (prepared === undefined) {
      prepared = this.#database.prepare(text);
      this.#prepared.set(text, prepared);
    }
    return prepared.all(...values);
  }

  /** Returns the IDs of other running processes on this machine that have the store open. */
  others(): number[] {
    const opener = select(sql`SELECT pid FROM openers WHERE place = ${processNamespace()}`, openerSchema);
    const pids = this.run('BEGIN', opener).map(({ pid }) => pid);
    return pids.filter((pid) => pid !== process.pid && isRunning(pid));
  }

  /** Moves the damaged file away, so that the next step creates an empty store. */
  async setAside(file: string, cause: unknown): Promise<ConfigError> {
    this.close();
    let isAside = false;
    const aside = `${file}.damaged-${new Date().toISOString().replace(/[:.]/g, '-')}`;
    // Another process may already have moved it and created a new file.
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

/**
 * Opens the store.
 * @throws ConfigError for a folder that is unsuitable for a store; the system's error
 */
async function connectTo(file: string, folder: string, options: StoreOptions): Promise<SqliteConnection> {
  await makeFolder(folder, FOLDER_MODE);
  await refuseShared(folder);
  makeOwn(file, options.userId);
  // A write-ahead log means that another process has the store open, or that one ended without closing it.
  const mayBeCut = existsSync(`${file}-wal`);
  const database = new DatabaseSync(file, { timeout: 0 });
  const connection = new SqliteConnection(database, inodeOf(file));
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
    // Data on macOS may be lost at a power failure even after fsync.
    database.exec('PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
    database.exec(`PRAGMA journal_size_limit = ${MAX_WAL_BYTES}`);
    if (mayBeCut) connection.run('BEGIN', refuseDamaged());
    connection.run('BEGIN IMMEDIATE', makeTables(options.tables, file));
    connection.run('BEGIN IMMEDIATE', recordOpener());
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
function readOnce<T>(namespace: string | URL, { tables }: StoreOptions, step: () => StoreStep<T>): T {
  const isNew = namespace === ':memory:';
  const connection = new SqliteConnection(new DatabaseSync(namespace, { readOnly: !isNew }));
  try {
    if (isNew) connection.run('BEGIN', makeTables(tables, ''));
    return connection.run('BEGIN', step());
  } finally {
    connection.close();
  }
}

/** Reads a store in a folder where nothing may be written, not even a file beside it. */
async function readOnly<T>(file: string, options: StoreOptions, step: () => StoreStep<T>): Promise<T> {
  try {
    return readOnce(file, options, step);
  } catch (error) {
    // The write-ahead log has the newest writes, and cannot be read then.
    if (isThere(`${file}-wal`)) throw error;
    return readOnce(new URL('?immutable=1', pathToFileURL(file)), options, step);
  }
}

const OPENERS = 'CREATE TABLE openers (pid INTEGER NOT NULL, place TEXT NOT NULL, PRIMARY KEY (pid, place))';

function* makeTables(tables: readonly string[], file: string): StoreStep<void> {
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

function* recordOpener(): StoreStep<void> {
  const namespace = processNamespace();
  const known = yield* select(sql`SELECT pid FROM openers WHERE place = ${namespace}`, openerSchema);
  yield sql`DELETE FROM openers WHERE place <> ${namespace}`;
  for (const { pid } of known) {
    if (!isRunning(pid)) yield sql`DELETE FROM openers WHERE pid = ${pid}`;
  }
  yield sql`INSERT OR IGNORE INTO openers (pid, place) VALUES (${process.pid}, ${namespace})`;
}

class DamagedError extends Error {
  readonly errcode = DAMAGED[0];
}

function* refuseDamaged(): StoreStep<void> {
  const [found] = yield sql`PRAGMA quick_check(1)`;
  if (JSON.stringify(found) !== '{"quick_check":"ok"}') throw new DamagedError(JSON.stringify(found));
}

/**
 * Creates the file with its mode before SQLite opens it, which creates its other files with the same mode. An
 * existing file is not opened, because closing it would release this process's other locks on it and risk
 * damage.
 * @throws NotAFileError for a link, a folder or a pipe at its path
 */
function makeOwn(file: string, userId: number | undefined): void {
  for (const path of ['', '-wal', '-shm'].map((end) => file + end)) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) continue;
    if (!found.isFile()) throw new NotAFileError(path, kindOf(found));
    // Another user of a shared folder may have created the file to read along.
    if (isOtherUser(found.uid, userId)) throw new Error(`${path} belongs to another user`);
    if ((found.mode & 0o077) !== 0) chmodSync(path, FILE_MODE);
  }
  if (!isThere(file)) closeSync(openSync(file, 'wx', FILE_MODE));
}

/** File systems that another host or program may write to as well, where locks do not work. */
const SHARED_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x65735546, 'FUSE'],
]);
const SYNCED = /[\\/](OneDrive[^\\/]*|Dropbox|CloudStorage|Mobile Documents)(?:[\\/]|$)/;

/**
 * Refuses an unsuitable folder.
 * @throws ConfigError for a network folder, or one that a program synchronizes
 */
async function refuseShared(folder: string): Promise<void> {
  // The type numbers are those of Linux.
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

/** Returns true also for a dangling link. */
const isThere = (file: string) => lstatSync(file, { throwIfNoEntry: false }) !== undefined;

function inodeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
}

const resultCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : 0;

const isDamage = (error: unknown) => DAMAGED.includes(resultCode(error));
