/** The collections of one account on this computer: opened on first use, shared with other processes, kept for a while. */

import { sourceKey } from './collection-file.ts';
import { LOADING, openFolder } from './folder.ts';
import { openLoader } from './loader.ts';
import { createQuerier } from './query.ts';
import type { Changes, Loader, Tables } from './types.ts';

export interface TablesOptions {
  /** Of this account and its owner alone, see `findTablesFolder`. */
  folder: string;
  account: string;
  /** Milliseconds since the epoch. */
  now(): number;
  keepHours: number;
  changes(): Promise<Changes>;
  /** The built `worker/entry.ts`. */
  workerFile: string;
  /** Bytes that the process holds; its own when left out. */
  residentBytes?: () => number;
}

/** Nothing is read or created yet. */
export function openTables(options: TablesOptions): Tables {
  const { folder: path, account, now, keepHours, changes, workerFile } = options;
  const folder = openFolder({ path, now, keepHours });
  const { residentBytes = () => process.memoryUsage.rss() } = options;
  const querier = createQuerier({ folder, workerFile, changes, residentBytes });
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
    list,
    async open() {
      // Expired ones make room first.
      await list();
      const opened = await openLoader({ account, folder, workerFile, now });
      loaders.add(opened);
      return {
        ...opened,
        async finish(about) {
          // A question about it mostly follows at once; its thread starts while the last rows are written.
          querier.warmUp();
          const info = await opened.finish(about);
          loaders.delete(opened);
          return info;
        },
        async abandon() {
          loaders.delete(opened);
          await opened.abandon();
        },
      };
    },
    async find(source) {
      const key = sourceKey(source);
      return (await list()).find((info) => sourceKey(info.source) === key);
    },
    async query(sql, queryOptions) {
      await clean();
      return querier.query(sql, queryOptions);
    },
    async makeScratch() {
      await clean();
      return folder.makeOwn(LOADING);
    },
    remove: (id) => folder.remove(id),
    async close() {
      await querier.close();
      await Promise.all([...loaders].map((loader) => loader.abandon()));
    },
  };
}
