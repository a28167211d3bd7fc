/** Keeps what later collections of the same kind are compared with: a small file for each kind, in a folder of the account. */

import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { shortSha256 } from '../../base/canonical-json.ts';
import { parseJson } from '../../base/json.ts';
import { makeFolder } from '../../disk/make-folder.ts';
import { accountWideRegions } from '../../service/facts/report-traits.ts';
import { HISTORY_END } from '../review/snapshots.ts';
import { FOLDER_MODE } from './collection-folder.ts';
import {
  type ComparisonLimits,
  compareCollections,
  describePast,
  findingsLine,
  findLast,
  type KindHints,
  kindOf,
  type PastCollection,
  pastCollectionSchema,
  rowsOf,
} from './compare-collections.ts';
import type { CollectionSource, LastOfKind, TableInfo } from './tables.ts';

const FILE_MODE = 0o600;
const VERSION = 1;

/** Enough for the same weekday a week ago where a day is collected every day. */
const MAX_KEPT = 10;

const fileSchema = z.object({ version: z.literal(VERSION), collections: z.array(pastCollectionSchema) });

export interface CollectionHistory {
  /**
   * Compares a complete collection with the last one of its kind, and keeps it. Resolves to one line with what cannot be
   * true; undefined where there is nothing to tell.
   */
  compare(collection: NewCollection): Promise<string | undefined>;
  /** The last one of the kind and the length of the period that had rows. @param at of now, ISO 8601 */
  last(source: CollectionSource, at: string): Promise<LastOfKind | undefined>;
}

export interface HistoryOptions {
  /** The folder of this account and its owner alone. */
  folder: string;
  limits: ComparisonLimits;
}

interface NewCollection {
  source: CollectionSource;
  /** ISO 8601, UTC. */
  at: string;
  tables: readonly TableInfo[];
  /** The text of the query that a document of Data Kiosk answers, where that is known. */
  query?: string | undefined;
}

/** @param options undefined: nothing is kept, and nothing is compared */
export function createCollectionHistory(options: HistoryOptions | undefined): CollectionHistory {
  if (options === undefined) return { compare: async () => undefined, last: async () => undefined };
  const { folder, limits } = options;
  const fileOf = (source: CollectionSource, hints?: KindHints) => {
    const kind = kindOf(withRegions(source), hints)?.kind;
    return kind === undefined ? undefined : join(folder, `${shortSha256(kind, 12)}${HISTORY_END}`);
  };
  const read = async (file: string): Promise<PastCollection[]> => {
    const text = await readFile(file, 'utf8').then(parseJson, () => undefined);
    // One that is damaged, or of a later version, is as none.
    return fileSchema.safeParse(text).data?.collections ?? [];
  };
  const write = async (file: string, collections: readonly PastCollection[]) => {
    await makeFolder(folder, FOLDER_MODE);
    const torn = `${file}.${randomBytes(4).toString('hex')}.new`;
    try {
      await writeFile(torn, JSON.stringify({ version: VERSION, collections }), {
        mode: FILE_MODE,
        flag: 'wx',
      });
      await rename(torn, file);
    } catch {
      // A full disk costs the next comparison, and no collection.
      await rm(torn, { force: true });
    }
  };
  return {
    async compare({ source, at, tables, query }) {
      const hints = { query, columns: tables[0]?.columns.map(({ name }) => name) ?? [] };
      const file = fileOf(source, hints);
      if (file === undefined) return undefined;
      const now = describePast(source, at, tables, hints);
      const earlier = await read(file);
      await write(file, [...earlier, now].slice(-MAX_KEPT));
      const found = findLast(now, earlier);
      if (found === undefined) return undefined;
      // Documents of the same columns may be of other questions, so that their sizes say nothing.
      const isSameQuestion = source.kind !== 'document' || query !== undefined;
      const isSameDays = found.isSameDays && isSameQuestion;
      return findingsLine(compareCollections(source, now, found.last, { limits, isSameDays }), found.last);
    },
    async last(source, at) {
      const file = fileOf(source);
      if (file === undefined) return undefined;
      const found = findLast(describePast(source, at, []), await read(file));
      return found && { at: found.last.at, rows: rowsOf(found.last) };
    },
  };
}

/** An account-wide report is of the same kind whichever marketplace of the region it is asked for. */
function withRegions(source: CollectionSource): CollectionSource {
  if (source.kind !== 'report') return source;
  const { reportType, marketplaces } = source;
  return {
    ...source,
    marketplaces: (accountWideRegions(reportType, marketplaces) ?? marketplaces).toSorted(),
  };
}
