/**
 * Runs one statement over the collected tables: checked, in a worker that can be ended, with explained
 * failures.
 */

import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CancelledError, codeOf, InputError, TimeoutError } from '../../base/errors.ts';
import { createSemaphore } from '../../base/semaphore.ts';
import { formatDuration } from '../../base/text/duration.ts';
import { marketplaceById } from '../../service/facts/marketplaces.ts';
import type { AccountSnapshots } from '../review/snapshots.ts';
import { buildBuiltIn, CHANGE_COLUMNS } from './built-in-tables.ts';
import { type CollectionFolder, linkOrCopy, READERS } from './collection-folder.ts';
import { explainMixedCurrencies, guardCurrencies } from './currency-guard.ts';
import { describeResult } from './describe-result.ts';
import { explainDisk } from './disk-failure.ts';
import type { TableMasks } from './masking.ts';
import { withTableMoments } from './moments.ts';
import { hasMaskable, hasPersonalData } from './personal-tables.ts';
import { withReportViews } from './report-views.ts';
import { explainSqlFailure } from './sql-failure.ts';
import { quoteIdentifier } from './sql-names.ts';
import { mentions, namedCollections, namedTables, readStatement, type SqlStatement } from './statement.ts';
import { readMoneyTables } from './table-currencies.ts';
import type {
  Changes,
  CollectionInfo,
  Exported,
  ExportForm,
  ExportOptions,
  QueryOptions,
  QueryResult,
  TableInfo,
} from './table-types.ts';
import type {
  CalledTable,
  ExportEnd,
  ExportPiece,
  ExportRequest,
  QueryAnswer,
  QueryRequest,
} from './worker/messages.ts';
import { SqlError, WorkerFaultError, type WorkerPool, type WorkerThread } from './worker-thread.ts';

export interface QueryParts {
  folder: CollectionFolder;
  workers: WorkerPool;
  changes(): Promise<Changes>;
  snapshots: AccountSnapshots;
  /** The marketplace of the account, whose days are meant if no zone is named. */
  marketplaceId: string | undefined;
  masks: TableMasks;
  /** Returns a collection masked for display. */
  tell(info: CollectionInfo): CollectionInfo;
  /**
   * Returns the memory of the process in bytes; undefined if others share it, so that only its own thread's
   * memory shows what a query needs.
   */
  residentBytes: (() => number) | undefined;
}

/** The request to a worker without its kind. */
type QueryRequestBody = Omit<QueryRequest, 'do'>;

/** The work of the worker for one statement. */
interface StatementWork<Answer> {
  run(worker: WorkerThread, asked: QueryRequestBody, collections: readonly CollectionInfo[]): Promise<Answer>;
  isSaved: boolean;
  /** Returns false once it cannot be repeated. */
  canRepeat(): boolean;
}

export class Querier {
  readonly #parts: QueryParts;
  /** Runs one query at a time, because only then can its memory be measured. */
  readonly #turns = createSemaphore(1);
  /** The worker that runs a statement. */
  #worker: WorkerThread | undefined;
  /** The folder for the links. */
  #own: Promise<string> | undefined;

  constructor(parts: QueryParts) {
    this.#parts = parts;
  }

  /** @throws InputError, TimeoutError, CancelledError */
  query(sql: string, options: QueryOptions): Promise<QueryResult> {
    return this.#inTurn(options, async (left) => {
      const { answer, describe } = await this.#attempt(sql, left, {
        run: (worker, asked) => worker.ask<QueryAnswer>({ ...asked, do: 'query' }),
        canRepeat: () => true,
        isSaved: false,
      });
      return describe(answer);
    });
  }

  /** Exports all rows as a file. @throws the errors of `query` and of `save` */
  export<Saved>(sql: string, options: ExportOptions, save: SaveContent<Saved>): Promise<Exported<Saved>> {
    const { masks } = this.#parts;
    const { format, csv, name } = options;
    return this.#inTurn(options, async (left) => {
      let hasBegun = false;
      let holdsPersonal = false;
      const { answer, describe } = await this.#attempt(sql, left, {
        run: (worker, asked, collections) =>
          exportRows(worker, { ...asked, format, csv, name }, (content) => {
            hasBegun = true;
            holdsPersonal = collections.some(hasPersonalData);
            return save(content, { personal: masks.isMasking || collections.some(hasMaskable) });
          }),
        canRepeat: () => !hasBegun,
        isSaved: true,
      });
      const { answer: first, personal, ...counts } = answer.end;
      const isPersonal = personal > 0 || (!masks.isMasking && holdsPersonal);
      return { saved: answer.saved, result: describe(first), isPersonal, ...counts };
    });
  }

  /** Ends the worker at work; the library leaves its lock behind. */
  async close(): Promise<void> {
    const ending = this.#worker;
    this.#worker = undefined;
    await ending?.end();
    await this.#removeLinks();
  }

  async #inTurn<Result>(
    options: QueryOptions,
    work: (options: QueryOptions & LimitsLeft) => Promise<Result>,
  ): Promise<Result> {
    const { timeoutMs } = options;
    const endsAt = performance.now() + timeoutMs;
    const waiting = limit(options, () => tooBusy(timeoutMs));
    try {
      return await this.#turns.take(waiting.signal, () => {
        waiting.stop();
        const leftMs = Math.max(1, Math.ceil(endsAt - performance.now()));
        return work({ ...options, timeoutMs: leftMs, askedMs: timeoutMs });
      });
    } finally {
      waiting.stop();
    }
  }

  async #attempt<Answer>(
    sql: string,
    options: QueryOptions & LimitsLeft,
    { isSaved, ...work }: StatementWork<Answer>,
  ) {
    const { folder, masks, marketplaceId } = this.#parts;
    const viewed = await withReportViews(sql, folder.list);
    let statement = readStatement(viewed.sql);
    /** Names of the service that were already replaced by column names. */
    const taken = new Set<string>();
    for (let attempt = 1; ; attempt++) {
      const all = callTables(await folder.list(), options.of);
      const named = namedCollections(statement, all);
      const tables = namedTables(statement, named);
      const kept = withTableMoments(statement, tables);
      if (kept !== statement.sql) statement = readStatement(kept);
      const guarded = guardCurrencies(statement, readMoneyTables(named));
      try {
        const asked = { ...statement, sql: guarded.sql };
        const { answer, leftOut } = await this.#run(asked, named, options, work.run);
        const describe = (rows: QueryAnswer) => {
          masks.remember(rows.marks);
          const described = describeResult(rows, statement, named, {
            leftOut,
            isMasking: masks.isMasking,
            isSaved,
            marketplaceId,
            collected: options.of?.id,
          });
          // A later query_data finds a table by its current name.
          const nameOf = (name: string) => options.of?.renamed?.[name] ?? name;
          const read = described.tables.map((table) => ({ ...table, name: nameOf(table.name) }));
          const notes = [...viewed.notes, ...described.notes];
          return {
            ...described,
            notes,
            tables: [...new Map(read.map((table) => [table.name, table])).values()],
          };
        };
        return { answer, describe };
      } catch (error) {
        // The collection was replaced or expired between the list and the link, or the folder for the links
        // was removed.
        if (isGone(error) && work.canRepeat()) {
          await this.#removeLinks();
          if (attempt < 3) continue;
        }
        const meant = error instanceof SqlError && work.canRepeat() ? meantColumn(error, tables) : undefined;
        if (meant !== undefined && !taken.has(meant.asked)) {
          taken.add(meant.asked);
          statement = readStatement(withColumn(statement, meant));
          continue;
        }
        if (!(error instanceof SqlError)) throw explainDisk(error);
        throw explainMixedCurrencies(error.message, guarded) ?? explain(error, statement, all);
      }
    }
  }

  async #run<Answer>(
    { sql, countSql, tokens }: SqlStatement,
    collections: readonly CollectionInfo[],
    options: QueryOptions & LimitsLeft,
    run: StatementWork<Answer>['run'],
  ): Promise<{ answer: Answer; leftOut: number }> {
    const { folder, workers, changes, snapshots, masks, tell, residentBytes, marketplaceId } = this.#parts;
    const files = collections.length === 0 ? [] : await linkAll(folder, await this.#ownLinks(), collections);
    const called = calledTables(options.of, collections);
    const names = new Set(called.map(({ name }) => name));
    const masking = masks.forQuery(
      collections.map((info) => ({ ...info, tables: info.tables.filter(({ name }) => !names.has(name)) })),
    );
    let leftOut = 0;
    const all = (await folder.list()).map(tell);
    const counted = async () => {
      const found = await changes();
      leftOut = found.leftOut;
      return found;
    };
    const builtIn = await buildBuiltIn(tokens, all, masks.source, { changes: counted, snapshots });
    const { maxRows, maxBytes } = options;
    const worker = await workers.take('query');
    this.#worker = worker;
    const watched = watch(
      () => this.close(),
      options,
      residentBytes ?? worker.engineBytes,
      residentBytes === undefined,
    );
    const home = marketplaceId === undefined ? undefined : marketplaceById(marketplaceId)?.timeZone;
    const asked = { sql, countSql, maxRows, maxBytes, files, names: called, builtIn, masking, home };
    const working = run(worker, asked, collections);
    try {
      return { answer: await watched.race(working), leftOut };
    } catch (error) {
      if (!isOfEngine(error)) throw error;
      // The engine's memory may be overwritten, so any further result could be wrong.
      await this.close();
      throw new InputError(
        'The engine of the tables failed at this statement, and was started anew.',
        'Write it simpler, or in two steps. What is collected is as it was.',
      );
    } finally {
      watched.stop();
      // The work's other effects are cleaned up before its end is reported.
      await Promise.allSettled([working]);
      if (this.#worker === worker) this.#worker = undefined;
      if (worker.engineBytes() > MAX_RESTING_BYTES) await worker.end();
      else workers.giveBack(worker);
      for (const file of files) await rm(file, { force: true }).catch(() => undefined);
    }
  }

  #ownLinks(): Promise<string> {
    if (this.#own !== undefined) return this.#own;
    const made = this.#parts.folder.makeOwn(READERS);
    this.#own = made;
    // After a disk failure, the next query tries again.
    made.catch(() => {
      if (this.#own === made) this.#own = undefined;
    });
    return made;
  }

  async #removeLinks(): Promise<void> {
    const links = this.#own;
    this.#own = undefined;
    const path = await links?.catch(() => undefined);
    if (path !== undefined) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

// A statement about a collection whose names were taken finds its tables by the requested names.

/** Returns the collections under the names of the statement: a requested name means no other table. */
function callTables(
  all: readonly CollectionInfo[],
  of: Pick<CollectionInfo, 'id' | 'renamed'> | undefined,
): CollectionInfo[] {
  const renamed = new Map(Object.entries(of?.renamed ?? {}));
  if (renamed.size === 0) return [...all];
  return all.map((info) => {
    if (info.id !== of?.id) return { ...info, tables: info.tables.filter(({ name }) => !renamed.has(name)) };
    const called = [...renamed].flatMap(([name, table]) => {
      const found = info.tables.find((one) => one.name === table);
      return found === undefined ? [] : [{ ...found, name }];
    });
    return { ...info, tables: [...info.tables, ...called] };
  });
}

function calledTables(
  of: Pick<CollectionInfo, 'id' | 'renamed'> | undefined,
  collections: readonly Pick<CollectionInfo, 'id'>[],
): CalledTable[] {
  const file = collections.findIndex(({ id }) => id === of?.id);
  if (file < 0) return [];
  return Object.entries(of?.renamed ?? {}).map(([name, table]) => ({ name, table, file }));
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

const isGone = (error: unknown) => codeOf(error) === 'ENOENT';

const CHANGES: TableInfo = {
  name: 'changes',
  rows: 0,
  columns: CHANGE_COLUMNS.map((name) => ({ name, type: 'text' as const })),
  notes: [],
};

/** Returns the one column, under its SQL name, that a statement means by the service's name (`SellerSKU`). */
function meantColumn({ message }: SqlError, tables: readonly TableInfo[]) {
  const asked = /^no such column: (?:\w+\.)?(\w+)$/.exec(message)?.[1];
  if (asked === undefined) return undefined;
  const names = new Set(tables.flatMap(({ columns }) => columns.map(({ name }) => name)));
  const [name, ...others] = [...names].filter((each) => normalizeName(each) === normalizeName(asked));
  return name === undefined || others.length > 0 ? undefined : { asked: asked.toLowerCase(), name };
}

const normalizeName = (name: string) => name.replaceAll('_', '').toLowerCase();

function withColumn({ sql, tokens }: SqlStatement, { asked, name }: { asked: string; name: string }): string {
  return tokens
    .filter(({ text }) => text === asked)
    .toReversed()
    .reduce(
      (text, { start, end }) => `${text.slice(0, start)}${quoteIdentifier(name)}${text.slice(end)}`,
      sql,
    );
}

function explain({ message }: SqlError, statement: SqlStatement, all: readonly CollectionInfo[]): InputError {
  // The statement needs more memory than SQLite can get at all.
  if (message === 'out of memory') return tooLarge();
  const tables = all.flatMap((collection) => collection.tables);
  const named = namedTables(statement, all);
  const withChanges = mentions(statement).has('changes') ? [...named, CHANGES] : named;
  return explainSqlFailure(message, { named: withChanges, all: tables });
}

// All rows of a statement stream from the worker to the writer, a piece at a time.

/** Max rows of an Excel sheet below the header. */
const MAX_SHEET_ROWS = 1_048_575;

type SaveContent<Saved> = (
  content: AsyncIterable<Uint8Array>,
  about: { personal: boolean },
) => Promise<Saved>;

/** @throws the worker's error about the statement, even if `save` fails too; else the error of `save` */
async function exportRows<Saved>(
  worker: Pick<WorkerThread, 'ask'>,
  request: QueryRequestBody & ExportForm,
  save: (content: AsyncIterable<Uint8Array>) => Promise<Saved>,
): Promise<{ saved: Saved; end: ExportEnd }> {
  const isSheet = request.format === 'csv' || request.format === 'xlsx';
  await ask(worker, { ...request, do: 'export', mostRows: isSheet ? MAX_SHEET_ROWS : undefined });
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
    // A writer that fails stops reading, and the statement is still open then.
    await ask(worker, { do: 'stop' }).catch(() => undefined);
    throw failure === undefined ? error : failure.error;
  }
}

const ask = (worker: Pick<WorkerThread, 'ask'>, request: ExportRequest) => worker.ask<undefined>(request);

// This part ends a query that its worker does not end itself: because of time, memory or the caller.

/** Max memory growth during a query, of the process or, if users share it, of the engine of its thread. */
const MAX_GROWTH_BYTES = 512 * 1024 * 1024;

/**
 * The engines of all queries in a process hold at most this many bytes together, where users share the
 * process.
 */
const MAX_ALL_BYTES = MAX_GROWTH_BYTES;

/**
 * A thread keeps at most this many bytes of its engine after a query, because an engine gives back no memory
 * by itself.
 */
const MAX_RESTING_BYTES = 64 * 1024 * 1024;

/** A running query in a process that several users share. */
interface RunningQuery {
  heldBytes(): number;
  abort(error: Error): void;
}

/** The set holds the running queries of this process. */
const running = new Set<RunningQuery>();

/**
 * Aborts the running query that holds the most memory where all of them hold too much, whichever came last.
 */
function endLargest(): void {
  const held = [...running].map((one) => ({ one, bytes: one.heldBytes() }));
  if (held.reduce((sum, { bytes }) => sum + bytes, 0) <= MAX_ALL_BYTES) return;
  const [largest] = held.sort((one, other) => other.bytes - one.bytes);
  largest?.one.abort(tooLargeTogether());
}

const WATCH_MS = 20;

type QueryTimeLimits = Pick<QueryOptions, 'timeoutMs' | 'signal'>;

/** `timeoutMs` is the time left after the wait for others. */
type LimitsLeft = QueryTimeLimits & { askedMs: number };

/** Aborts a query when the caller cancels or its time is up. */
function limit({ timeoutMs, signal }: QueryTimeLimits, tooLate: () => TimeoutError) {
  const ending = new AbortController();
  const cancel = () => ending.abort(new CancelledError('The query was cancelled.'));
  const timer = setTimeout(() => ending.abort(tooLate()), timeoutMs);
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted === true) cancel();
  const stop = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  };
  return { signal: ending.signal, abort: (error: Error) => ending.abort(error), stop };
}

/** @param isShared queries of other users run beside it in this process */
function watch(end: () => Promise<void>, options: LimitsLeft, heldBytes: () => number, isShared: boolean) {
  const before = heldBytes();
  const { signal, abort, stop } = limit(options, () => tooLong(options.askedMs));
  const own: RunningQuery = { heldBytes, abort };
  if (isShared) running.add(own);
  const watcher = setInterval(() => {
    if (heldBytes() - before > MAX_GROWTH_BYTES) abort(tooLarge());
    else if (isShared) endLargest();
  }, WATCH_MS);
  const ended = new Promise<never>((_, reject) => {
    const fail = () => void end().finally(() => reject(signal.reason));
    signal.addEventListener('abort', fail, { once: true });
    if (signal.aborted) fail();
  });
  return {
    stop() {
      stop();
      running.delete(own);
      clearInterval(watcher);
    },
    /** Rejects with the reason for the end instead of the loss of the worker. */
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
    `The query took longer than ${formatDuration(timeoutMs)} and was ended.`,
    'Ask for less at once: filter before joining, join on item, leave out ORDER BY over all rows.',
  );
}

function tooBusy(timeoutMs: number): TimeoutError {
  return new TimeoutError(
    timeoutMs,
    'not-sent',
    `The query was not run: others of this session took longer than ${formatDuration(timeoutMs)}.`,
    'Ask one after the other, or for less at once.',
  );
}

function tooLarge(): InputError {
  return new InputError(
    `The query was ended: it took more than ${MAX_GROWTH_BYTES / 1024 / 1024} MB of memory.`,
    'Select fewer columns or rows: sorting, grouping and joining keep what they work on in memory.',
  );
}

function tooLargeTogether(): InputError {
  return new InputError(
    `The query was ended: the queries of all people of this server took more than ${MAX_ALL_BYTES / 1024 / 1024} MB of memory together, and this one most of it.`,
    'Select fewer columns or rows, or ask again in a moment.',
  );
}
