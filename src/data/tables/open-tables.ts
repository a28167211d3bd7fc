/** The collections of one account on this computer: opened on first use, shared with other processes, kept for a while. */

import { randomBytes } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { letOthersRun } from '../../base/event-loop.ts';
import type { Leases } from '../../disk/leases.ts';
import { makeFolder } from '../../disk/make-folder.ts';
import type { PersonalData } from '../../privacy/personal/personal-data.ts';
import type { KeptSnapshots } from '../review/snapshots.ts';
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
import { createTableMasks } from './masking.ts';
import { hasPersonalData, valueSourceOf } from './personal-tables.ts';
import { Querier } from './query.ts';
import { toName } from './sql-names.ts';
import {
  type Added,
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
  /** Of this account and its owner alone, see `findTablesFolder`. */
  folder: string;
  account: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Of one person, where several use the account: tables with personal data of buyers lie there, for nobody else. */
  ownFolder?: string | undefined;
  /** Who collects here, where several people use the account. */
  by?: string | undefined;
  /** As the person set it: tables with personal data end with the process where it is undefined. */
  keepHours: number | undefined;
  changes(): Promise<Changes>;
  leases: Leases;
  snapshots: KeptSnapshots;
  /** How collections are compared, and with what; nothing is compared where it is left out. */
  history?: HistoryOptions | undefined;
  /** Of the account, where it has one. */
  marketplaceId?: string | undefined;
  /** Of the session, which ends them. */
  workers: WorkerPool;
  /** Of the session. */
  personal: PersonalData;
  /** Bytes that the process holds; its own when left out, and not asked where several people use it. */
  residentBytes?: () => number;
}

/** Nothing is read or created yet. */
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
  const masks = createTableMasks(personal, account);
  const shared = openFolder({ path, now, keepHours });
  const own = options.ownFolder && openFolder({ path: options.ownFolder, now, keepHours });
  const holder = createHolder(own || shared, keepHours, leases);
  const files = own ? withOwnFolder(shared, { ...own, list: holder.list }) : shared;
  // What is told of, or asked about, is held by the same look.
  const folder = own ? files : { ...files, list: holder.list };
  const tell = (info: CollectionInfo): CollectionInfo => ({
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
    // What others do in this process would end a query that takes nothing.
    residentBytes: by === undefined ? residentBytes : undefined,
    masks,
    tell,
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
    list: async () => (await list()).map(tell),
    async openLoader(source) {
      // Expired ones make room first.
      await list();
      const opened = await openLoader(source, options, files, holder.endOfPersonal, history);
      loaders.add(opened);
      return {
        ...opened,
        async finish(about) {
          const info = await opened.finish(about);
          loaders.delete(opened);
          return tell(info);
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
      return found && tell(found);
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

// Keeps tables with personal data for as long as a process runs that has collected or found them, unless the person said for how long they are kept.

/** @param keepHours as the person set it */
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
    /** For a new collection with personal data. */
    async endOfPersonal(): Promise<NonNullable<CollectionInfo['ends']>> {
      if (keepHours !== undefined) return { hours: keepHours };
      return { process: basename(await findOwn()) };
    },
    /** Those that are there: what would end with another process stays from now on while this one runs. */
    async list() {
      const path = await own?.catch(() => undefined);
      const isNew = (info: CollectionInfo) => isOthers(info, path) && !held.has(info.id);
      const found = await folder.list();
      if (!found.some(isNew)) return found;
      // Under the lock no other process ends meanwhile, and takes with it what is held here a moment later.
      await withNamesLock(leases, folder.path, async () => {
        for (const { id } of (await folder.list()).filter(isNew)) {
          await writeFile(join(await findOwn(), id), '', { mode: 0o600 });
          held.add(id);
        }
      });
      return folder.list();
    },
    /** Removes what ends with this process, and is held by no other. */
    async close() {
      const path = await own?.catch(() => undefined);
      if (path === undefined) return;
      await withNamesLock(leases, folder.path, async () => {
        await rm(path, { recursive: true, force: true });
        // What nobody holds any more goes at a look.
        await folder.list();
      });
    },
  };
}

/** Of one person and of all who use the account: what is of buyers lies in the person's own. */
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

// One collection while it is built: the handle on the worker that builds it, and the step that makes it whole.

/** As the worker names it. */
const DATABASE_FILE = 'data.db';

/** A thread that has built a larger database is not used again. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** Items that are handed over at once: a page of a thousand large ones would hold the main thread up. */
const ITEMS_AT_ONCE = 100;

/**
 * @param source what is collected: decides which of its values are personal
 * @param endOfPersonal when a collection with personal data ends
 */
async function openLoader(
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
  // Where it fails, whatever is asked next tells.
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
    // Of what is whole, the thread is others' already.
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
        const added = await ask<Added>({ do: 'items', table, items: some, key, at: path, given });
        sum.rows += added.rows;
        sum.repeated += added.repeated;
        await letOthersRun();
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
      // It has closed everything. What a large load took stays with its thread, so that one ends in its own time.
      if (info.bytes > KEPT_BYTES) void worker.end();
      else workers.giveBack(worker);
      await rm(own, { recursive: true, force: true });
      return info;
    },
  };
}

const tableName = (given: string) => toName(given) || 'data';

/** Any file system takes these. */
const fileName = (name: string) => name.replace(/[^a-z0-9_]/g, '') || 'data';

const renamed = (names: ReadonlyMap<string, string>) => [...names].filter(([from, to]) => from !== to);

/** Lets one process at a time choose names in an account's folder. */
const withNamesLock = <Result>(
  leases: Leases,
  folder: string,
  work: () => Promise<Result>,
): Promise<Result> => leases.within(`names ${folder}`, work);

/** A person's own tables are called so that none of the account ever has their names. */
const OWN_NAMES = 'own_';

// The names that the tables of a collection get, different from those of all others of the account.

/**
 * New names by old ones. A collection that takes the place of an earlier one of the same source takes its names too;
 * otherwise the first number is taken that makes all of them free: `orders_2`, `orders_2_items`.
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

/** The number stands behind the name that all of them begin with. */
function numbered(name: string, number: number, tables: readonly Pick<TableInfo, 'name'>[]): string {
  if (number === 1) return name;
  const base = tables
    .map((table) => table.name)
    .filter((candidate) => name === candidate || name.startsWith(`${candidate}_`))
    .sort((one, other) => one.length - other.length)[0];
  return base === undefined ? `${name}_${number}` : `${base}_${number}${name.slice(base.length)}`;
}

function describeTables(tables: readonly TableInfo[], names: ReadonlyMap<string, string>): TableInfo[] {
  // What a comparison needs of a table ends here: the description of a collection holds none of it.
  return tables.map(({ profile: _, ...table }) => ({
    ...table,
    name: names.get(table.name) ?? table.name,
    ...(table.parent === undefined ? {} : { parent: names.get(table.parent) ?? table.parent }),
  }));
}
