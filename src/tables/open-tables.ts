/** The collections of one account on this computer: opened on first use, shared with other processes, kept for a while. */

import type { PersonalData } from '../personal/personal-data.ts';
import { sourceKey } from './collection-file.ts';
import { endOf, LOADING, openFolder } from './folder.ts';
import { createHolder } from './holder.ts';
import { openLoader } from './loader.ts';
import { createTableMasks } from './masking.ts';
import { createQuerier } from './query.ts';
import type { Changes, CollectionInfo, Loader, Tables } from './types.ts';
import type { WorkerPool } from './worker-thread.ts';

export interface TablesOptions {
  /** Of this account and its owner alone, see `findTablesFolder`. */
  folder: string;
  account: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** As the person set it: tables with personal data end with the process where it is undefined. */
  keepHours: number | undefined;
  changes(): Promise<Changes>;
  /** Of the session, which ends them. */
  workers: WorkerPool;
  /** Of the session. */
  personal: PersonalData;
  /** Bytes that the process holds; its own when left out. */
  residentBytes?: () => number;
}

/** Nothing is read or created yet. */
export function openTables(options: TablesOptions): Tables {
  const { folder: path, account, now, keepHours, changes, workers, personal } = options;
  const masks = createTableMasks(personal, account);
  const files = openFolder({ path, now, keepHours });
  const holder = createHolder(files, keepHours);
  // What is told of, or asked about, is held by the same look.
  const folder = { ...files, list: holder.list };
  const tell = (info: CollectionInfo): CollectionInfo => ({
    ...masks.info(info),
    until: endOf(info, keepHours),
  });
  const { residentBytes = () => process.memoryUsage.rss() } = options;
  const querier = createQuerier({ folder, workers, changes, residentBytes, masks, tell });
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
    list: async () => (await list()).map(tell),
    async open(source) {
      // Expired ones make room first.
      await list();
      const opened = await openLoader({
        account,
        folder: files,
        workers,
        now,
        source,
        endOfPersonal: holder.endOfPersonal,
      });
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
