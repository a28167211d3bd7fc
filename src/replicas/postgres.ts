/** Runs steps on PostgreSQL: translates the dialect, manages connections, and limits every wait. */

import { createHash } from 'node:crypto';
import pg, { type PoolClient, type QueryResult } from 'pg';
import * as z from 'zod';
import type { StoreAddress } from '../base/store-address.ts';
import { put, type StoreStatement, type StoreStep, select, sql } from '../store/statement.ts';
import { COMMAND_MS, type Moment, type SharedStep, StoreUnavailable, TopicLocked } from './shared-step.ts';

/** A new connection may take longer, because the server starts a process for it. */
const CONNECT_MS = 1_000;
const MAX_CONNECTIONS = 8;
const IDLE_CONNECTION_MS = 30_000;

/**
 * The limit after which the server ends the transaction of a suspended process, because others wait for its
 * lock.
 */
const IDLE_IN_TRANSACTION_MS = 1_000;
const LOCK_MS = 100;
/**
 * The limits after which the server cancels an abandoned statement or an unread result, which both hold the
 * lock of their topic.
 */
const STATEMENT_MS = 500;
const UNREAD_MS = 2_000;

const SCHEMA = 'seller_commerce_mcp';
const LOCK_NOT_AVAILABLE = '55P03';
const INT8 = 20;

export interface Postgres {
  /**
   * Runs a step in one transaction, alone among the steps of its topic.
   * @param isDurable false if a crash of the server may undo it
   * @throws StoreAway when the database does not answer or refuses, so that the outcome is unknown; the
   * step's own error, with nothing written
   */
  run<T>(topic: string, step: SharedStep<T>, isDurable: boolean): Promise<T>;
  /**
   * Returns false when the server does not wait for its disk, so that a crash of its machine can damage
   * everything.
   */
  isSynced(): Promise<boolean>;
  /** Ends every connection; an unfinished step is not applied. */
  close(): Promise<void>;
}

export interface PostgresOptions {
  address: StoreAddress;
  password: string | undefined;
  /** Statements that create its tables, in the dialect of SQLite: one text per version, run in order. */
  tables: readonly string[];
}

/**
 * Connects to the first host that takes writes, and creates missing tables.
 * @throws StoreAway with the reason of the last host
 */
export async function connectPostgres({ address, password, tables }: PostgresOptions): Promise<Postgres> {
  let failure: unknown = new StoreUnavailable('there is no host');
  for (const { host, port } of address.hosts) {
    const opened = openPool({ ...address, host, port }, password);
    try {
      // Replicas that start together wait for each other only when there are tables to create.
      const version = await opened.run('version', readVersion, false);
      if (version !== tables.length) await opened.run('tables', () => makeTables(tables), true);
      return opened;
    } catch (error) {
      void opened.close();
      failure = error;
    }
  }
  throw failure;
}

function openPool(
  { host, port, username, database, isEncrypted }: StoreAddress & { host: string; port: number },
  password: string | undefined,
): Postgres {
  const pool = new pg.Pool({
    host,
    port,
    user: username,
    database,
    // A function prevents the library from searching the environment and files for a password.
    password: () => password ?? '',
    ssl: isEncrypted ? { rejectUnauthorized: true } : false,
    application_name: 'seller-commerce-mcp',
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    allowExitOnIdle: true,
    keepAlive: true,
    types: {
      getTypeParser: (type, format) => (type === INT8 ? Number : pg.types.getTypeParser(type, format)),
    },
  });
  // The next user of a connection notices that it has ended, even between two statements of a step.
  const ignore = () => undefined;
  pool.on('error', ignore);
  pool.on('connect', (client) => void client.on('error', ignore));
  const run = async <T>(topic: string, step: SharedStep<T>, isDurable: boolean): Promise<T> => {
    const client = await pool.connect().catch(throwStoreAway);
    let isUsable = false;
    try {
      const result = await transact(client, topic, step, isDurable);
      isUsable = true;
      return result;
    } catch (error) {
      // The connection is reusable when the step itself failed, or its topic was locked.
      if (!(error instanceof StoreUnavailable) || error instanceof TopicLocked)
        isUsable = await sendQuery(client, 'ROLLBACK').then(
          () => true,
          () => false,
        );
      throw error;
    } finally {
      client.release(!isUsable);
    }
  };
  /**
   * The last step of each topic in this process. Steps of a process wait in order, so that only one of them
   * waits for the lock.
   */
  const last = new Map<string, Promise<unknown>>();
  const runQueued: Postgres['run'] = (topic, step, isDurable) => {
    const work = () => run(topic, step, isDurable);
    const current = (last.get(topic) ?? Promise.resolve()).then(work, work);
    last.set(topic, current);
    const leave = () => {
      if (last.get(topic) === current) last.delete(topic);
    };
    current.then(leave, leave);
    return current;
  };
  return {
    run: runQueued,
    async isSynced() {
      const read = () =>
        select(sql`SELECT current_setting('fsync') AS fsync`, z.object({ fsync: z.string() }));
      const [row] = await run('tables', read, false);
      return row?.fsync !== 'off';
    },
    close: () => pool.end().catch(() => undefined),
  };
}

async function transact<T>(
  client: PoolClient,
  topic: string,
  step: SharedStep<T>,
  isDurable: boolean,
): Promise<T> {
  const begun = await sendQuery(client, begin(topic, isDurable));
  const running = step(momentOf(begun));
  let next = running.next([]);
  while (next.done !== true) next = running.next((await sendQuery(client, translate(next.value))).rows);
  await sendQuery(client, 'COMMIT');
  return next.value;
}

/**
 * Returns several statements for one round trip. They lock the topic instead of rows, because a missing row
 * has no lock, and read the time after the lock.
 */
const begin = (topic: string, isDurable: boolean) => `BEGIN ISOLATION LEVEL READ COMMITTED;
  SET LOCAL search_path = ${SCHEMA};
  SET LOCAL lock_timeout = ${LOCK_MS};
  SET LOCAL statement_timeout = ${STATEMENT_MS};
  SET LOCAL tcp_user_timeout = ${UNREAD_MS};
  SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS};
  SET LOCAL synchronous_commit = ${isDurable ? 'on' : 'off'};
  SELECT pg_advisory_xact_lock(${lockOf(topic)});
  SELECT extract(epoch FROM clock_timestamp())::float8 * 1000000 AS now,
    (SELECT system_identifier::text FROM pg_control_system()) AS system,
    substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline`;

const lockOf = (topic: string) => createHash('sha256').update(`${SCHEMA} ${topic}`).digest().readBigInt64BE();

const begunRow = z.object({ now: z.number(), system: z.string(), timeline: z.string() });

function momentOf(answers: QueryResult | readonly QueryResult[]): Moment {
  const last = Array.isArray(answers) ? answers.at(-1) : undefined;
  const { now, system, timeline } = begunRow.parse(last?.rows[0]);
  return { now, server: `${system}:${timeline}` };
}

/** Translates the placeholders of values and the names of types, in which the dialects differ. */
function translate({ text, values }: StoreStatement): { text: string; values: unknown[] } {
  let count = 0;
  const numbered = text.replace(/\?/g, () => `$${++count}`);
  const isTable = /^\s*(?:CREATE|ALTER) TABLE/.test(text);
  const typed = numbered
    .replace(/\bINTEGER\b/g, 'BIGINT')
    .replace(/\bREAL\b/g, 'DOUBLE PRECISION')
    .replace(/\) STRICT(?:, WITHOUT ROWID)?\s*$/, ')');
  return { text: isTable ? typed : numbered, values: [...values] };
}

/**
 * Sends a query.
 * @throws StoreAway
 */
async function sendQuery(
  client: PoolClient,
  query: string | { text: string; values: unknown[] },
): Promise<QueryResult> {
  return withTimeout(client.query(query)).catch(throwStoreAway);
}

function throwStoreAway(error: unknown): never {
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '').slice(0, 200) : String(error);
  const code = error instanceof pg.DatabaseError ? error.code : undefined;
  throw code === LOCK_NOT_AVAILABLE ? new TopicLocked(message) : new StoreUnavailable(message);
}

/** Limits the wait for an answer. An answer that arrived while this process was busy is not late. */
function withTimeout<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => setImmediate(() => setImmediate(() => reject(new Error(`no answer in ${COMMAND_MS} ms`)))),
      COMMAND_MS,
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Returns the version of the tables; undefined when there are none. */
function* readVersion(): StoreStep<number | undefined> {
  const [versions] = yield sql`SELECT tablename FROM pg_tables
    WHERE schemaname = ${SCHEMA} AND tablename = 'versions'`;
  if (versions === undefined) return undefined;
  const [found] = yield* select(sql`SELECT version FROM versions`, z.object({ version: z.int() }));
  return found?.version;
}

function* makeTables(tables: readonly string[]): StoreStep<void> {
  const [schema] = yield sql`SELECT nspname FROM pg_namespace WHERE nspname = ${SCHEMA}`;
  if (schema === undefined) yield { text: `CREATE SCHEMA ${SCHEMA}`, values: [] };
  const known = yield* readVersion();
  if (known === undefined)
    yield sql`CREATE TABLE versions (id INTEGER PRIMARY KEY, version INTEGER NOT NULL)`;
  const version = known ?? 0;
  if (version > tables.length)
    throw new StoreUnavailable('its tables are those of a newer version of this program');
  if (version === tables.length) return;
  for (const text of tables.slice(version).flatMap((one) => one.split(';'))) {
    if (text.trim() !== '') yield { text, values: [] };
  }
  yield put('versions', 'id', { id: 1, version: tables.length });
}
