/** One statement over the collected tables: checked, run in a worker that can be ended, its failures explained. */

import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CancelledError, InputError, TimeoutError } from '../../base/errors.ts';
import { inWords } from '../../base/text/duration.ts';
import { buildBuiltIn, CHANGE_COLUMNS } from './built-in.ts';
import { checkCurrencies } from './currency-guard.ts';
import { describeResult } from './describe-result.ts';
import { explainDisk } from './disk-failure.ts';
import { type CollectionFolder, linkOrCopy, READERS } from './folder.ts';
import type { TableMasks } from './masking.ts';
import { mentions, namedCollections, namedTables } from './named-tables.ts';
import { hasMaskable, hasPersonalData } from './personal-tables.ts';
import { explainSqlFailure } from './sql-failure.ts';
import { readStatement, type Statement } from './statement.ts';
import type {
  Changes,
  CollectionInfo,
  Exported,
  ExportFormat,
  ExportOptions,
  QueryOptions,
  QueryResult,
  TableInfo,
} from './types.ts';
import type { ExportEnd, ExportPiece, ExportRequest, QueryAnswer, QueryRequest } from './worker/protocol.ts';
import { SqlError, WorkerFaultError, type WorkerPool, type WorkerThread } from './worker-thread.ts';

export interface QueryParts {
  folder: CollectionFolder;
  workers: WorkerPool;
  changes(): Promise<Changes>;
  masks: TableMasks;
  /** A collection as it may be shown. */
  tell(info: CollectionInfo): CollectionInfo;
  /** Bytes that the process holds. */
  residentBytes(): number;
}

export interface Querier {
  /** @throws InputError, TimeoutError, CancelledError */
  query(sql: string, options: QueryOptions): Promise<QueryResult>;
  /** All rows as a file. @throws as `query`, and what `save` throws */
  export<Saved>(sql: string, options: ExportOptions, save: SaveContent<Saved>): Promise<Exported<Saved>>;
  close(): Promise<void>;
}

/** What a worker is asked, without what it is asked to do. */
type Asked = Omit<QueryRequest, 'do'>;

/** What the worker does for one statement. */
interface Work<Answer> {
  run(worker: WorkerThread, asked: Asked, collections: readonly CollectionInfo[]): Promise<Answer>;
  /** False once it cannot be done again. */
  canRepeat(): boolean;
}

export function createQuerier({ folder, workers, changes, masks, tell, residentBytes }: QueryParts): Querier {
  /** At work on a statement. */
  let worker: WorkerThread | undefined;
  let own: Promise<string> | undefined;
  let last: Promise<unknown> = Promise.resolve();

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

  const run = async <Answer>(
    statement: Statement,
    collections: readonly CollectionInfo[],
    options: QueryOptions & LimitsLeft,
    work: Work<Answer>,
  ): Promise<{ answer: Answer; leftOut: number }> => {
    const files = collections.length === 0 ? [] : await linkAll(folder, await ownLinks(), collections);
    const masking = masks.forQuery(collections);
    let leftOut = 0;
    const all = (await folder.list()).map(tell);
    const builtIn = await buildBuiltIn(statement.tokens, all, masks.source, async () => {
      const found = await changes();
      leftOut = found.leftOut;
      return found.rows;
    });
    const asked: Asked = {
      sql: statement.sql,
      countSql: statement.countSql,
      maxRows: options.maxRows,
      maxBytes: options.maxBytes,
      files,
      builtIn,
      masking,
    };
    const ready = workers.take();
    worker = ready;
    const watched = watch(endWorker, options, residentBytes);
    const working = work.run(ready, asked, collections);
    try {
      return { answer: await watched.race(working), leftOut };
    } catch (error) {
      if (isOfEngine(error)) {
        // Its memory may be overwritten: whatever it said next could be wrong.
        await endWorker();
        throw new InputError(
          'The engine of the tables failed at this statement, and was started anew.',
          'Write it simpler, or in two steps. What is collected is as it was.',
        );
      }
      throw error;
    } finally {
      watched.stop();
      // What it had begun elsewhere is cleared away before anybody hears of its end.
      await Promise.allSettled([working]);
      if (worker === ready) worker = undefined;
      workers.giveBack(ready);
      for (const file of files) await rm(file, { force: true }).catch(() => undefined);
    }
  };

  const attempt = async <Answer>(sql: string, options: QueryOptions & LimitsLeft, work: Work<Answer>) => {
    const statement = readStatement(sql);
    for (let attempt = 1; ; attempt++) {
      const all = await folder.list();
      const named = namedCollections(statement, all);
      checkCurrencies(statement.tokens, namedTables(statement, named));
      try {
        const { answer, leftOut } = await run(statement, named, options, work);
        const describe = (rows: QueryAnswer) => {
          masks.remember(rows.marks);
          return describeResult(rows, statement, named, { leftOut, isMasking: masks.isMasking });
        };
        return { answer, describe };
      } catch (error) {
        // Replaced or expired between the look and the link, or the folder for the links was taken away.
        if (isGone(error) && work.canRepeat()) {
          await removeLinks();
          if (attempt < 3) continue;
        }
        throw error instanceof SqlError ? explain(error, statement, all) : explainDisk(error);
      }
    }
  };

  /** One at a time: the memory that a query takes can be told from that of another only so. */
  const inTurn = <Options extends QueryOptions, Result>(
    options: Options,
    work: (options: Options & LimitsLeft) => Promise<Result>,
  ): Promise<Result> => {
    const endsAt = performance.now() + options.timeoutMs;
    const next = waitFor(last, options).then(() =>
      work({
        ...options,
        timeoutMs: Math.max(1, Math.ceil(endsAt - performance.now())),
        askedMs: options.timeoutMs,
      }),
    );
    last = Promise.allSettled([last, next]);
    return next;
  };

  return {
    query: (sql, options) =>
      inTurn(options, async (left) => {
        const { answer, describe } = await attempt(sql, left, {
          run: (asked, request) => asked.ask<QueryAnswer>({ ...request, do: 'query' }),
          canRepeat: () => true,
        });
        return describe(answer);
      }),
    export: (sql, options, save) =>
      inTurn(options, async (left) => {
        let hasBegun = false;
        let holdsPersonal = false;
        const { answer, describe } = await attempt(sql, left, {
          run: (asked, request, collections) =>
            exportRows(asked, { ...request, format: left.format }, (content) => {
              hasBegun = true;
              holdsPersonal = collections.some(hasPersonalData);
              return save(content, { personal: masks.isMasking || collections.some(hasMaskable) });
            }),
          canRepeat: () => !hasBegun,
        });
        const { saved, end } = answer;
        const { unresolved, guarded, long, digits } = end;
        const isPersonal = end.personal > 0 || (!masks.isMasking && holdsPersonal);
        return { saved, result: describe(end.answer), isPersonal, unresolved, guarded, long, digits };
      }),
    close: endWorker,
  };
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

function isOfEngine(error: unknown): boolean {
  const isUnusable =
    error instanceof SqlError && error.message.includes('Could not open the database ":memory:"');
  return isUnusable || error instanceof WorkerFaultError;
}

const isGone = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

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

// All rows of a statement, from the worker that reads them to whoever saves them: a piece at a time.

/** Rows of a sheet of Excel below the header. */
const MOST_CSV_ROWS = 1_048_575;

type SaveContent<Saved> = (
  content: AsyncIterable<Uint8Array>,
  about: { personal: boolean },
) => Promise<Saved>;

interface ExportedRows<Saved> {
  saved: Saved;
  end: ExportEnd;
}

/** @throws what the worker says about the statement, whatever `save` makes of it; else what `save` throws */
async function exportRows<Saved>(
  worker: Pick<WorkerThread, 'ask'>,
  { format, ...request }: Omit<QueryRequest, 'do'> & { format: ExportFormat },
  save: (content: AsyncIterable<Uint8Array>) => Promise<Saved>,
): Promise<ExportedRows<Saved>> {
  const mostRows = format === 'csv' ? MOST_CSV_ROWS : Number.MAX_SAFE_INTEGER;
  await ask(worker, { ...request, do: 'export', format, mostRows });
  let end: ExportEnd | undefined;
  let failure: { error: unknown } | undefined;
  async function* content() {
    try {
      while (end === undefined) {
        const piece = await worker.ask<ExportPiece | undefined>({ do: 'more' } satisfies ExportRequest);
        if (piece === undefined)
          throw new Error('The worker has no more rows, and did not say that it was done');
        end = piece.end;
        if (piece.bytes.length > 0) yield piece.bytes;
      }
    } catch (error) {
      failure = { error };
      throw error;
    }
  }
  try {
    const saved = await save(content());
    if (end === undefined) throw new Error('The rows were saved before all of them were read');
    return { saved, end };
  } catch (error) {
    // Whoever saves stops where it fails; the statement is still open then.
    await ask(worker, { do: 'stop' }).catch(() => undefined);
    throw failure === undefined ? error : failure.error;
  }
}

const ask = (worker: Pick<WorkerThread, 'ask'>, request: ExportRequest) => worker.ask<undefined>(request);

// What ends a query that its worker does not end itself: time, memory, the caller.

/** What the process may grow by while a query runs. */
const MAX_GROWTH_BYTES = 512 * 1024 * 1024;

const WATCH_MS = 20;

type Limits = Pick<QueryOptions, 'timeoutMs' | 'signal'>;

/** `timeoutMs` is what is left of it after the wait for others. */
type LimitsLeft = Limits & { askedMs: number };

/** Until the queries before it have ended; the wait counts as its time. @throws TimeoutError, CancelledError */
async function waitFor(others: Promise<unknown>, { timeoutMs, signal }: Limits): Promise<void> {
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
  end: () => Promise<void>,
  { timeoutMs, askedMs, signal }: LimitsLeft,
  residentBytes: () => number,
) {
  const before = residentBytes();
  let stop = () => {};
  const ended = new Promise<never>((_, reject) => {
    const fail = (error: Error) => void end().finally(() => reject(error));
    const cancel = () => fail(new CancelledError('The query was cancelled.'));
    const timer = setTimeout(() => fail(tooLong(askedMs)), timeoutMs);
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
  return {
    stop: () => stop(),
    /** What ended it is the reason, not that the worker is gone. */
    race<T>(work: Promise<T>): Promise<T> {
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
