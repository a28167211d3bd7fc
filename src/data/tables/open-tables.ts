/**
 * The collections of one account on this computer: opened on first use, shared with other processes, stored
 * for a limited time.
 */

import { randomBytes } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { yieldToEventLoop } from '../../base/event-loop.ts';
import type { PersonalData } from '../../privacy/personal/personal-data.ts';
import type { Leases } from '../../store/leases.ts';
import { makeFolder } from '../../store/make-folder.ts';
import type { AccountSnapshots } from '../review/snapshots.ts';
import { BUILT_IN } from './built-in-tables.ts';
import {
  type CollectionFolder,
  endOf,
  FOLDER_MODE,
  HOLDERS,
  LOADING,
  openFolder,
} from './collection-folder.ts';
import {
  type CollectionHistory,
  createCollectionHistory,
  type HistoryOptions,
} from './collection-history.ts';
import { createTableMasker } from './masking.ts';
import { hasPersonalData, valueSourceOf } from './personal-tables.ts';
import { Querier } from './query.ts';
import { toName } from './sql-names.ts';
import {
  type AddedCounts,
  type Changes,
  type CollectionInfo,
  type CollectionSource,
  type Loader,
  sourceKey,
  type TableInfo,
  type Tables,
} from './table-types.ts';
import { type BuildRequest, COUNTS, type LoadRequest } from './worker/messages.ts';
import type { WorkerPool } from './worker-thread.ts';

export interface TablesOptions {
  /** The folder of this account and owner alone, see `findTablesFolder`. */
  folder: string;
  account: string;
  /** Returns the time in milliseconds since the epoch. */
  now(): number;
  /**
   * The folder of one user if several share the account: it contains tables with buyers' personal data, for
   * that user only.
   */
  ownFolder?: string | undefined;
  /** The user who collects here, if several share the account. */
  by?: string | undefined;
  /** The user's setting; if undefined, tables with personal data end with the process. */
  keepHours: number | undefined;
  changes(): Promise<Changes>;
  leases: Leases;
  snapshots: AccountSnapshots;
  /** The options for comparing collections; nothing is compared if omitted. */
  history?: HistoryOptions | undefined;
  /** The marketplace of the account, if it has one. */
  marketplaceId?: string | undefined;
  /** The session's workers, which the session ends. */
  workers: WorkerPool;
  /** The session's personal data. */
  personal: PersonalData;
  /**
   * Returns the memory of the process in bytes; by default its real one. It is not used if several users
   * share the process.
   */
  residentBytes?: () => number;
}

/** Opens the tables; nothing is read or created yet. */
export function openTables(options: TablesOptions): Tables {
  const {
    folder: path,
    account,
    now,
    keepHours,
    changes,
    leases,
    snapshots,
    marketplaceId,
    workers,
    personal,
  } = options;
  const masks = createTableMasker(personal, account);
  const shared = openFolder({ path, now, keepHours });
  const own = options.ownFolder && openFolder({ path: options.ownFolder, now, keepHours });
  const holder = createHolder(own || shared, keepHours, leases);
  const files = own ? withOwnFolder(shared, { ...own, list: holder.list }) : shared;
  // Listing a collection also holds it against removal.
  const folder = own ? files : { ...files, list: holder.list };
  const report = (info: CollectionInfo): CollectionInfo => ({
    ...masks.info(info),
    until: endOf(info, keepHours),
  });
  const history = createCollectionHistory(options.history);
  const { by, residentBytes = () => process.memoryUsage.rss() } = options;
  const querier = new Querier({
    folder,
    workers,
    changes,
    snapshots,
    marketplaceId,
    // Memory of other users in this process must not end a query that needs little.
    residentBytes: by === undefined ? residentBytes : undefined,
    masks,
    tell: report,
  });
  const loaders = new Set<Loader>();
  let cleaned: Promise<void> | undefined;
  const clean = () => {
    cleaned ??= folder.removeLeftovers();
    return cleaned;
  };
  const list = async () => {
    await clean();
    return folder.list();
  };
  return {
    folder: path,
    leases,
    snapshots,
    changes,
    list: async () => (await list()).map(report),
    async openLoader(source) {
      // Listing first removes expired collections, which makes room.
      await list();
      const opened = await openWorkerLoader(source, options, files, holder.endOfPersonal, history);
      loaders.add(opened);
      return {
        ...opened,
        async finish(about) {
          const info = await opened.finish(about);
          loaders.delete(opened);
          return report(info);
        },
        async abandon() {
          loaders.delete(opened);
          await opened.abandon();
        },
      };
    },
    async find(source) {
      const key = sourceKey(source);
      const found = (await list()).find((info) => sourceKey(info.source) === key);
      return found && report(found);
    },
    lastOfKind: (source) => history.last(source, new Date(now()).toISOString()),
    async query(sql, queryOptions) {
      await clean();
      return querier.query(sql, queryOptions);
    },
    async makeScratch() {
      await clean();
      return folder.makeOwn(LOADING);
    },
    async export(sql, exportOptions, save) {
      await clean();
      return querier.export(sql, exportOptions, save);
    },
    remove: (id) => folder.remove(id),
    async close() {
      await querier.close();
      await Promise.all([...loaders].map((loader) => loader.abandon()));
      await holder.close();
    },
  };
}

// This part preserves tables with personal data while a process runs that has collected or found them, unless
// the user set a time.

/** @param keepHours the user's setting */
function createHolder(folder: CollectionFolder, keepHours: number | undefined, leases: Leases) {
  let own: Promise<string> | undefined;
  const held = new Set<string>();
  const findOwn = () => {
    own ??= folder.makeOwn(HOLDERS).catch((error: unknown) => {
      own = undefined;
      throw error;
    });
    return own;
  };
  const isOthers = ({ ends }: CollectionInfo, path: string | undefined) =>
    ends !== undefined && 'process' in ends && (path === undefined || ends.process !== basename(path));
  return {
    /** Returns the end of a new collection with personal data. */
    async endOfPersonal(): Promise<NonNullable<CollectionInfo['ends']>> {
      if (keepHours !== undefined) return { hours: keepHours };
      return { process: basename(await findOwn()) };
    },
    /**
     * Lists collections; one that would end with another process is preserved from now on while this process
     * runs.
     */
    async list() {
      const path = await own?.catch(() => undefined);
      const isNew = (info: CollectionInfo) => isOthers(info, path) && !held.has(info.id);
      const found = await folder.list();
      if (!found.some(isNew)) return found;
      // The lock prevents another process from ending meanwhile and removing a collection that is about to be
      // held here.
      await withNamesLock(leases, folder.path, async () => {
        for (const { id } of (await folder.list()).filter(isNew)) {
          await writeFile(join(await findOwn(), id), '', { mode: 0o600 });
          held.add(id);
        }
      });
      return folder.list();
    },
    /** Removes collections that end with this process and that no other process holds. */
    async close() {
      const path = await own?.catch(() => undefined);
      if (path === undefined) return;
      await withNamesLock(leases, folder.path, async () => {
        await rm(path, { recursive: true, force: true });
        // Listing removes collections that no process holds.
        await folder.list();
      });
    },
  };
}

/** Combines the shared folder with the user's own, which contains buyers' data. */
function withOwnFolder(shared: CollectionFolder, own: CollectionFolder): CollectionFolder {
  let ownIds: ReadonlySet<string> = new Set();
  const list = async () => {
    const [all, mine] = await Promise.all([shared.list(), own.list()]);
    ownIds = new Set(mine.map(({ id }) => id));
    return [...all, ...mine].sort((one, other) => other.collectedAt.localeCompare(one.collectedAt));
  };
  return {
    ...shared,
    list,
    databaseOf: (id) => (ownIds.has(id) ? own : shared).databaseOf(id),
    async add(info, database) {
      if (!hasPersonalData(info)) return shared.add(info, database);
      await makeFolder(own.path, FOLDER_MODE);
      return own.add(info, database);
    },
    async remove(id) {
      await Promise.all([shared.remove(id), own.remove(id)]);
    },
    async removeLeftovers() {
      await Promise.all([shared.removeLeftovers(), own.removeLeftovers()]);
    },
  };
}

// This part builds one collection: it controls the worker that builds it and completes the result.

/** The database name in the worker. */
const DATABASE_FILE = 'data.db';

/** A thread that has built a larger database is not used again. */
const MAX_RESTING_BYTES = 64 * 1024 * 1024;

/** Max items passed at once: a page of a thousand large ones would block the main thread. */
const ITEMS_AT_ONCE = 100;

/**
 * @param source decides which values are personal
 * @param endOfPersonal returns the end of a collection with personal data
 */
async function openWorkerLoader(
  source: CollectionSource,
  { account, workers, now, ownFolder, by, leases }: TablesOptions,
  folder: CollectionFolder,
  endOfPersonal: () => Promise<NonNullable<CollectionInfo['ends']>>,
  history: CollectionHistory,
): Promise<Loader> {
  const own = await folder.makeOwn(LOADING);
  const counts = new SharedArrayBuffer(COUNTS.length * Float64Array.BYTES_PER_ELEMENT);
  const seen = new Float64Array(counts);
  const worker = await workers.take('load');
  const begin: LoadRequest = { do: 'begin', folder: own, counts, source: valueSourceOf(source) };
  const begun = worker.ask<undefined>(begin);
  // The next request reports a failure of the start.
  begun.catch(() => undefined);
  const ask = async <Answer>(request: BuildRequest) => {
    await begun;
    return worker.ask<Answer>(request);
  };

  let isWhole = false;
  let named: string | undefined;
  const nameOf = (given: string) => {
    const name = tableName(given);
    named ??= name;
    return name;
  };
  const abandon = async () => {
    // The thread of a finished collection already belongs to others.
    if (!isWhole) await worker.end();
    await rm(own, { recursive: true, force: true });
  };

  return {
    folder: own,
    abandon,
    progress() {
      const [rows = 0, bytes = 0, ofBytes = 0] = seen;
      return { rows, bytes, ofBytes };
    },
    async addItems(asked, items, key, path = [], given = []) {
      const table = nameOf(asked);
      const sum = { rows: 0, repeated: 0 };
      for (let at = 0; at === 0 || at < items.length; at += ITEMS_AT_ONCE) {
        const some = items.slice(at, at + ITEMS_AT_ONCE);
        const added = await ask<AddedCounts>({ do: 'items', table, items: some, key, at: path, given });
        sum.rows += added.rows;
        sum.repeated += added.repeated;
        await yieldToEventLoop();
      }
      return sum;
    },
    async expectItems(table, items) {
      await ask<undefined>({ do: 'expect', table: nameOf(table), items });
    },
    addDocument: (table, document, options) =>
      ask({ do: 'document', table: nameOf(table), document, options }),
    async finish(about) {
      const tables = await ask<TableInfo[]>({ do: 'build' });
      const ends = hasPersonalData({ tables }) ? { ends: await endOfPersonal() } : {};
      const info = await withNamesLock(leases, folder.path, async () => {
        const others = await folder.list();
        const isOwn = ownFolder !== undefined && hasPersonalData({ tables });
        const names = nameTables(about.source, tables, others, isOwn ? OWN_NAMES : '');
        await ask({ do: 'close', names: Object.fromEntries(renamed(names)) });
        const database = join(own, DATABASE_FILE);
        const collectedAt = new Date(now()).toISOString();
        const { query, ...kept } = about;
        const { source, complete } = about;
        const comparison = complete
          ? await history.compare({ source, at: collectedAt, tables, query })
          : undefined;
        const whole: CollectionInfo = {
          ...kept,
          id: `${fileName(names.values().next().value ?? '')}-${randomBytes(4).toString('hex')}`,
          account,
          collectedAt,
          tables: describeTables(tables, names),
          bytes: (await stat(database)).size,
          ...(named === undefined ? {} : { named }),
          ...ends,
          comparison,
          by,
          renamed: renamed(names).length === 0 ? undefined : Object.fromEntries(renamed(names)),
        };
        await folder.add(whole, database);
        const key = sourceKey(about.source);
        for (const { id, source } of others) if (sourceKey(source) === key) await folder.remove(id);
        return whole;
      });
      isWhole = true;
      // The worker has closed everything. The memory of a large load stays with its thread, so that thread is
      // ended.
      if (info.bytes > MAX_RESTING_BYTES) void worker.end();
      else workers.giveBack(worker);
      await rm(own, { recursive: true, force: true });
      return info;
    },
  };
}

const tableName = (given: string) => toName(given) || 'data';

/** Returns a name that any file system accepts. */
const fileName = (name: string) => name.replace(/[^a-z0-9_]/g, '') || 'data';

const renamed = (names: ReadonlyMap<string, string>) => [...names].filter(([from, to]) => from !== to);

/** Lets one process at a time choose names in an account's folder. */
const withNamesLock = <Result>(
  leases: Leases,
  folder: string,
  work: () => Promise<Result>,
): Promise<Result> => leases.within(`names ${folder}`, work);

/** The prefix of a user's own tables, which keeps their names distinct from those of the account. */
const OWN_NAMES = 'own_';

// This part names the tables of a collection so that they differ from all others of the account.

/**
 * Returns new names by old ones. A collection that replaces one of the same source takes its names; otherwise
 * the first number is used for which all names are free: `orders_2`, `orders_2_items`.
 */
function nameTables(
  source: CollectionSource,
  tables: readonly TableInfo[],
  others: readonly CollectionInfo[],
  start: string,
): Map<string, string> {
  const key = sourceKey(source);
  const taken = new Set<string>(BUILT_IN);
  for (const other of others) {
    if (sourceKey(other.source) === key) continue;
    for (const { name } of other.tables) taken.add(name);
  }
  const before = others.find((other) => sourceKey(other.source) === key);
  const called = tables.map(({ name }) => ({ name: `${start}${name}` }));
  const named = (to: (name: string) => string) =>
    new Map(tables.map(({ name }) => [name, to(`${start}${name}`)]));
  const numbers = [
    numberOf(before, called[0]?.name),
    ...Array.from({ length: others.length + 4 }, (_, i) => i + 1),
  ];
  for (const number of numbers) {
    const names = named((name) => numbered(name, number, called));
    const isFree = [...names.values()].every((name) => !taken.has(name));
    if (isFree && new Set(names.values()).size === names.size) return names;
  }
  return named((name) => `${name}_${Date.now().toString(36)}`);
}

function numberOf(before: CollectionInfo | undefined, name: string | undefined): number {
  const found = before?.tables[0]?.name ?? '';
  if (name === undefined || !found.startsWith(`${name}_`)) return 1;
  const number = Number(found.slice(name.length + 1));
  return Number.isInteger(number) && number > 1 ? number : 1;
}

/** Inserts the number after the name with which all of them begin. */
function numbered(name: string, number: number, tables: readonly Pick<TableInfo, 'name'>[]): string {
  if (number === 1) return name;
  const base = tables
    .map((table) => table.name)
    .filter((candidate) => name === candidate || name.startsWith(`${candidate}_`))
    .sort((one, other) => one.length - other.length)[0];
  return base === undefined ? `${name}_${number}` : `${base}_${number}${name.slice(base.length)}`;
}

function describeTables(tables: readonly TableInfo[], names: ReadonlyMap<string, string>): TableInfo[] {
  // The profile is only for comparison, so the description of a collection omits it.
  return tables.map(({ profile: _, ...table }) => ({
    ...table,
    name: names.get(table.name) ?? table.name,
    ...(table.parent === undefined ? {} : { parent: names.get(table.parent) ?? table.parent }),
  }));
}
