/** One collection while it is built: the handle on the worker that builds it, and the step that makes it whole. */

import { randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { letOthersRun } from '../event-loop.ts';
import { sourceKey } from './collection-file.ts';
import { type CollectionFolder, LOADING } from './folder.ts';
import { toName } from './names.ts';
import { withNamesLock } from './names-lock.ts';
import { nameTables, renameTables } from './naming.ts';
import { hasPersonalData, valueSourceOf } from './personal-tables.ts';
import type { CollectionInfo, CollectionSource, Loader } from './types.ts';
import { type BuildRequest, COUNTS, type LoadAnswers, type LoadRequest } from './worker/protocol.ts';
import type { WorkerPool } from './worker-thread.ts';

/** As the worker names it. */
const DATABASE_FILE = 'data.db';

/** A thread that has built a larger database is not used again. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** Items that are handed over at once: a page of a thousand large ones would hold the main thread up. */
const ITEMS_AT_ONCE = 100;

export interface LoaderParts {
  account: string;
  folder: CollectionFolder;
  workers: WorkerPool;
  now(): number;
  /** When a collection with personal data ends. */
  endOfPersonal(): Promise<NonNullable<CollectionInfo['ends']>>;
  /** What is collected: decides which of its values are personal. */
  source: CollectionSource;
}

export async function openLoader(parts: LoaderParts): Promise<Loader> {
  const { account, folder, workers, now, source, endOfPersonal } = parts;
  const own = await folder.makeOwn(LOADING);
  const counts = new SharedArrayBuffer(COUNTS.length * Float64Array.BYTES_PER_ELEMENT);
  const seen = new Float64Array(counts);
  const worker = workers.take();
  const begin: LoadRequest = { do: 'begin', folder: own, counts, source: valueSourceOf(source) };
  const begun = worker.ask<undefined>(begin);
  // Where it fails, whatever is asked next tells.
  begun.catch(() => undefined);
  const ask = async <Answer>(request: BuildRequest) => {
    await begun;
    return worker.ask<Answer>(request);
  };

  let isWhole = false;
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
      return { rows, bytes, ...(ofBytes > 0 ? { ofBytes } : {}) };
    },
    async addItems(given, items, key, path = []) {
      const table = tableName(given);
      const sum = { rows: 0, repeated: 0 };
      if (items instanceof Uint8Array) return ask({ do: 'items', table, items, key, at: path });
      for (let at = 0; at === 0 || at < items.length; at += ITEMS_AT_ONCE) {
        const some = items.slice(at, at + ITEMS_AT_ONCE);
        const added = await ask<LoadAnswers['items']>({ do: 'items', table, items: some, key, at: path });
        sum.rows += added.rows;
        sum.repeated += added.repeated;
        await letOthersRun();
      }
      return sum;
    },
    addDocument: (table, document, options) =>
      ask({ do: 'document', table: tableName(table), document, options }),
    async finish(about) {
      const tables: LoadAnswers['seal'] = await ask({ do: 'seal' });
      const ends = hasPersonalData({ tables }) ? { ends: await endOfPersonal() } : {};
      const info = await withNamesLock(folder.path, async () => {
        const others = await folder.list();
        const names = nameTables(about.source, tables, others);
        await ask({ do: 'close', names: Object.fromEntries(renamed(names)) });
        const database = join(own, DATABASE_FILE);
        const whole: CollectionInfo = {
          ...about,
          id: `${fileName(names.values().next().value ?? '')}-${randomBytes(4).toString('hex')}`,
          account,
          collectedAt: new Date(now()).toISOString(),
          tables: renameTables(tables, names),
          bytes: (await stat(database)).size,
          ...ends,
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
