/** Stores counts of the last collections of each kind, one row each, for comparison with later ones. */

import * as z from 'zod';
import { shortSha256 } from '../../base/canonical-json.ts';
import { parseJson } from '../../base/json.ts';
import { accountWideRegions } from '../../service/facts/report-traits.ts';
import { put, select, sql } from '../../store/statement.ts';
import type { Comparisons } from '../review/comparisons.ts';
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
import type { CollectionSource, LastOfKind, TableInfo } from './table-types.ts';

/** This number covers the same weekday a week ago if a day is collected every day. */
const MAX_STORED = 10;

const countsRow = z.object({ counts: z.string() });

export interface CollectionHistory {
  /**
   * Compares a complete collection with the last one of its kind, and stores its counts. Resolves to one line
   * about impossible figures; undefined if there are none.
   */
  compare(collection: NewCollection): Promise<string | undefined>;
  /**
   * Returns the last one of the same kind and period length that had rows.
   * @param at the current time, ISO 8601
   */
  last(source: CollectionSource, at: string): Promise<LastOfKind | undefined>;
}

export interface HistoryOptions {
  comparisons: Comparisons;
  /** The account together with its owner, see `accountDigest`. */
  account: string;
  limits: ComparisonLimits;
}

interface NewCollection {
  source: CollectionSource;
  /** The moment in ISO 8601, UTC. */
  at: string;
  tables: readonly TableInfo[];
  /** The text of the query that a Data Kiosk document answers, if known. */
  query?: string | undefined;
}

/** @param options if undefined, nothing is stored or compared */
export function createCollectionHistory(options: HistoryOptions | undefined): CollectionHistory {
  if (options === undefined) return { compare: async () => undefined, last: async () => undefined };
  const { comparisons, account, limits } = options;
  const markOf = (source: CollectionSource, hints?: KindHints) => {
    const kind = kindOf(withRegions(source), hints)?.kind;
    return kind === undefined ? undefined : shortSha256(kind, 12);
  };
  /** Reads the rows, oldest first. */
  const read = async (kind: string): Promise<PastCollection[]> => {
    const rows = await comparisons.read(() =>
      select(
        sql`SELECT counts FROM collection_counts WHERE account = ${account} AND kind = ${kind} ORDER BY at`,
        countsRow,
      ),
    );
    // A row of a later version is ignored.
    return rows.flatMap(({ counts }) => pastCollectionSchema.safeParse(parseJson(counts)).data ?? []);
  };
  const write = (kind: string, collection: PastCollection) =>
    comparisons.run(function* () {
      yield countsStatement(account, kind, collection);
      yield sql`DELETE FROM collection_counts WHERE account = ${account} AND kind = ${kind} AND at NOT IN
        (SELECT at FROM collection_counts WHERE account = ${account} AND kind = ${kind} ORDER BY at DESC LIMIT ${MAX_STORED})`;
    });
  return {
    async compare({ source, at, tables, query }) {
      const hints = { query, columns: tables[0]?.columns.map(({ name }) => name) ?? [] };
      const kind = markOf(source, hints);
      if (kind === undefined) return undefined;
      const now = describePast(source, at, tables, hints);
      const earlier = await read(kind);
      // A full disk prevents the next comparison, but no collection.
      await write(kind, now).catch(() => undefined);
      const found = findLast(now, earlier);
      if (found === undefined) return undefined;
      // Documents with the same columns may answer different queries, so their sizes are not comparable.
      const isSameQuestion = source.kind !== 'document' || query !== undefined;
      const isSameDays = found.isSameDays && isSameQuestion;
      return findingsLine(compareCollections(source, now, found.last, { limits, isSameDays }), found.last);
    },
    async last(source, at) {
      const kind = markOf(source);
      if (kind === undefined) return undefined;
      const found = findLast(describePast(source, at, []), await read(kind));
      return found && { at: found.last.at, rows: rowsOf(found.last) };
    },
  };
}

export const countsStatement = (account: string, kind: string, collection: PastCollection) =>
  put('collection_counts', 'account, kind, at', {
    account,
    kind,
    at: collection.at,
    counts: JSON.stringify(collection),
  });

/**
 * Adds the regions, because an account-wide report is of the same kind for every marketplace of the region.
 */
function withRegions(source: CollectionSource): CollectionSource {
  if (source.kind !== 'report') return source;
  const { reportType, marketplaces } = source;
  return {
    ...source,
    marketplaces: (accountWideRegions(reportType, marketplaces) ?? marketplaces).toSorted(),
  };
}
