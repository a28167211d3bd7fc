/** One statement over the collected tables: checked, run in a worker that can be ended, its failures explained. */

import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CancelledError, InputError, TimeoutError } from '../errors.ts';
import { inWords } from '../text/duration.ts';
import { buildBuiltIn, CHANGE_COLUMNS } from './built-in.ts';
import { checkCurrencies } from './currency-guard.ts';
import { explainDisk } from './disk-failure.ts';
import { type CollectionFolder, linkOrCopy, READERS } from './folder.ts';
import { noteOnMoments } from './moment-note.ts';
import { explainSqlFailure } from './sql-failure.ts';
import { readStatement, type Statement } from './statement.ts';
import type { Changes, CollectionInfo, QueryOptions, QueryResult, TableInfo } from './types.ts';
import type { QueryAnswer, QueryRequest } from './worker/protocol.ts';
import { SqlError, startWorker, type WorkerThread } from './worker-thread.ts';

/** Collections that one statement can name: SQLite attaches no more. */
export const MAX_COLLECTIONS = 10;

/** What the process may grow by while a query runs. */
export const MAX_GROWTH_BYTES = 512 * 1024 * 1024;

const WATCH_MS = 20;

/** A worker that nothing was asked of for this long is ended, and its memory given back. */
const IDLE_MS = 60_000;

export interface QueryParts {
  folder: CollectionFolder;
  workerFile: string;
  changes(): Promise<Changes>;
  /** Bytes that the process holds. */
  residentBytes(): number;
}

export interface Querier {
  /** @throws InputError, TimeoutError, CancelledError */
  query(sql: string, options: QueryOptions): Promise<QueryResult>;
  /** Starts the worker for a query that is likely to come. */
  warmUp(): void;
  close(): Promise<void>;
}

export function createQuerier({ folder, workerFile, changes, residentBytes }: QueryParts): Querier {
  let worker: WorkerThread | undefined;
  let own: Promise<string> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  const readyWorker = (): WorkerThread => {
    if (worker === undefined || worker.isEnded()) worker = startWorker(workerFile, { work: 'query' });
    return worker;
  };

  const endWhenIdle = () => {
    clearTimeout(idle);
    idle = setTimeout(() => void endWorker(), IDLE_MS).unref();
  };

  const ownLinks = () => {
    if (own !== undefined) return own;
    const made = folder.makeOwn(READERS);
    own = made;
    // A disk that fails once is asked again by the next query.
    made.catch(() => {
      if (own === made) own = undefined;
    });
    return made;
  };

  const removeLinks = async () => {
    const links = own;
    own = undefined;
    const path = await links?.catch(() => undefined);
    if (path !== undefined) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  };

  const endWorker = async () => {
    const ending = worker;
    worker = undefined;
    await ending?.end();
    // The library leaves its lock where it was ended.
    await removeLinks();
  };

  const run = async (
    statement: Statement,
    collections: readonly CollectionInfo[],
    options: QueryOptions,
  ): Promise<QueryAnswer & { leftOut: number }> => {
    clearTimeout(idle);
    const files = collections.length === 0 ? [] : await linkAll(folder, await ownLinks(), collections);
    const request: Omit<QueryRequest, 'builtIn'> = {
      sql: statement.sql,
      countSql: statement.countSql,
      maxRows: options.maxRows,
      maxBytes: options.maxBytes,
      files,
    };
    let leftOut = 0;
    const builtIn = await buildBuiltIn(statement.tokens, await folder.list(), async () => {
      const found = await changes();
      leftOut = found.leftOut;
      return found.rows;
    });
    const asked = readyWorker();
    const watched = watch(asked, endWorker, options, residentBytes);
    try {
      const answer = await watched.race(asked.ask<QueryAnswer>({ ...request, builtIn }));
      return { ...answer, leftOut };
    } finally {
      watched.stop();
      for (const file of files) await rm(file, { force: true }).catch(() => undefined);
      endWhenIdle();
    }
  };

  const query = async (sql: string, options: QueryOptions): Promise<QueryResult> => {
    const statement = readStatement(sql);
    for (let attempt = 1; ; attempt++) {
      const all = await folder.list();
      const named = namedCollections(statement, all);
      checkCurrencies(statement.tokens, namedTables(statement, named));
      try {
        return describeResult(await run(statement, named, options), statement, named);
      } catch (error) {
        // Replaced or expired between the look and the link, or the folder for the links was taken away.
        if (isGone(error)) {
          await removeLinks();
          if (attempt < 3) continue;
        }
        throw error instanceof SqlError ? explain(error, statement, all) : explainDisk(error);
      }
    }
  };

  return {
    // One at a time: the memory that a query takes can be told from that of another only so.
    query(sql, options) {
      const endsAt = performance.now() + options.timeoutMs;
      const next = waitFor(last, options).then(() =>
        query(sql, { ...options, timeoutMs: Math.max(1, Math.ceil(endsAt - performance.now())) }),
      );
      last = Promise.allSettled([last, next]);
      return next;
    },
    warmUp() {
      if (isClosed || worker?.isEnded() === false) return;
      readyWorker();
      endWhenIdle();
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      await endWorker();
    },
  };
}

/** Until the queries before it have ended; the wait counts as its time. @throws TimeoutError, CancelledError */
async function waitFor(others: Promise<unknown>, { timeoutMs, signal }: QueryOptions): Promise<void> {
  let stop = () => {};
  const ended = new Promise<never>((_, reject) => {
    const cancel = () => reject(new CancelledError('The query was cancelled.'));
    const timer = setTimeout(() => reject(tooBusy(timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted === true) cancel();
    stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    };
  });
  try {
    await Promise.race([others, ended]);
  } finally {
    stop();
  }
}

function watch(
  worker: WorkerThread,
  end: () => Promise<void>,
  { timeoutMs, signal }: QueryOptions,
  residentBytes: () => number,
) {
  const before = residentBytes();
  let stop = () => {};
  const ended = new Promise<never>((_, reject) => {
    const fail = (error: Error) => void end().finally(() => reject(error));
    const cancel = () => fail(new CancelledError('The query was cancelled.'));
    const timer = setTimeout(() => fail(tooLong(timeoutMs)), timeoutMs);
    const watcher = setInterval(() => {
      if (residentBytes() - before > MAX_GROWTH_BYTES) fail(tooLarge());
    }, WATCH_MS);
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted === true) cancel();
    stop = () => {
      clearTimeout(timer);
      clearInterval(watcher);
      signal?.removeEventListener('abort', cancel);
    };
  });
  void worker;
  return {
    stop: () => stop(),
    /** What ended it is the reason, not that the worker is gone. */
    race(work: Promise<QueryAnswer>): Promise<QueryAnswer> {
      return Promise.race([ended, work.catch((error: unknown) => failOrWait(error, ended))]);
    },
  };
}

async function failOrWait(error: unknown, ended: Promise<never>): Promise<never> {
  if (error instanceof Error && error.name === 'WorkerEndedError') {
    const grace = new Promise<never>((_, reject) => setTimeout(() => reject(error), 1_000).unref());
    return Promise.race([ended, grace]);
  }
  throw error;
}

function tooLong(timeoutMs: number): TimeoutError {
  return new TimeoutError(
    timeoutMs,
    'not-sent',
    `The query took longer than ${inWords(timeoutMs)} and was ended.`,
    'Ask for less at once: filter before joining, join on item, leave out ORDER BY over all rows.',
  );
}

function tooBusy(timeoutMs: number): TimeoutError {
  return new TimeoutError(
    timeoutMs,
    'not-sent',
    `The query was not run: others of this session took longer than ${inWords(timeoutMs)}.`,
    'Ask one after the other, or for less at once.',
  );
}

function tooLarge(): InputError {
  return new InputError(
    `The query was ended: it took more than ${MAX_GROWTH_BYTES / 1024 / 1024} MB of memory.`,
    'Select fewer columns or rows: sorting, grouping and joining keep what they work on in memory.',
  );
}

async function linkAll(
  folder: CollectionFolder,
  own: string,
  collections: readonly CollectionInfo[],
): Promise<string[]> {
  const links: string[] = [];
  for (const { id } of collections) {
    const to = join(own, `${randomBytes(6).toString('hex')}.db`);
    await linkOrCopy(folder.databaseOf(id), to);
    links.push(to);
  }
  return links;
}

const isGone = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

function mentions({ tokens }: Statement): Set<string> {
  return new Set(tokens.filter(({ kind }) => kind === 'word' || kind === 'name').map(({ text }) => text));
}

/** @throws InputError for more than SQLite attaches */
function namedCollections(statement: Statement, all: readonly CollectionInfo[]): CollectionInfo[] {
  const names = mentions(statement);
  const named = all.filter(({ tables }) => tables.some(({ name }) => names.has(name)));
  if (named.length <= MAX_COLLECTIONS) return named;
  throw new InputError(
    `The statement names tables of ${named.length} collections; at most ${MAX_COLLECTIONS} can be read at once.`,
    'Ask in two steps, or collect what belongs together at once.',
  );
}

function namedTables(statement: Statement, collections: readonly CollectionInfo[]): TableInfo[] {
  const names = mentions(statement);
  return collections.flatMap(({ tables }) => tables.filter(({ name }) => names.has(name)));
}

const CHANGES: TableInfo = {
  name: 'changes',
  rows: 0,
  columns: CHANGE_COLUMNS.map((name) => ({ name, type: 'text' as const })),
  notes: [],
};

function explain({ message }: SqlError, statement: Statement, all: readonly CollectionInfo[]): InputError {
  // More than SQLite can get at all.
  if (message === 'out of memory') return tooLarge();
  const tables = all.flatMap((collection) => collection.tables);
  const named = namedTables(statement, all);
  const withChanges = mentions(statement).has('changes') ? [...named, CHANGES] : named;
  return explainSqlFailure(message, { named: withChanges, all: tables });
}

function describeResult(
  { columns, rows, total, leftOut }: QueryAnswer & { leftOut: number },
  statement: Statement,
  collections: readonly CollectionInfo[],
): QueryResult {
  const names = mentions(statement);
  const tables = collections.flatMap(({ tables: all, collectedAt, complete }) =>
    all.filter(({ name }) => names.has(name)).map(({ name }) => ({ name, collectedAt, complete })),
  );
  const note = noteOnMoments(statement.tokens, namedTables(statement, collections));
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...(leftOut === 0
      ? []
      : [
          `${leftOut} ${leftOut === 1 ? 'write of this account name is' : 'writes of this account name are'} left out of changes: not known to be of the seller, credentials and address that it has now.`,
        ]),
  ];
  return { columns, rows, total, tables, notes };
}
