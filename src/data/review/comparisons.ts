/**
 * Lists, copies and removes the stored rows, for all accounts, with which later reviews and collections are
 * compared.
 */

import * as z from 'zod';
import { put, type StoreStep, select, sql } from '../../store/statement.ts';
import type { Store } from '../../store/store.ts';

/**
 * A snapshot contains the listings of a marketplace as seen by one review, or by a collection between two
 * reviews. `told` records when the user last got the news; `collection_counts` has counts of one collection,
 * and no value of it.
 */
export const COMPARISON_TABLES = `
  CREATE TABLE snapshots (
    account TEXT NOT NULL,
    marketplace TEXT NOT NULL,
    at TEXT NOT NULL,
    is_part INTEGER NOT NULL,
    name TEXT NOT NULL,
    listings TEXT NOT NULL,
    PRIMARY KEY (account, marketplace, at, is_part)
  ) STRICT;
  CREATE TABLE told (account TEXT NOT NULL, topic TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (account, topic)) STRICT;
  CREATE TABLE collection_counts (
    account TEXT NOT NULL,
    kind TEXT NOT NULL,
    at TEXT NOT NULL,
    counts TEXT NOT NULL,
    PRIMARY KEY (account, kind, at)
  ) STRICT`;

export type Comparisons = Pick<Store, 'read' | 'run' | 'wipe'>;

const DAY_MS = 86_400_000;

export interface RetentionDays {
  /** Returns the time in milliseconds since the epoch. */
  now(): number;
  keepDays: number;
}

/** Returns the moment before which rows are expired, ISO 8601, UTC. */
export const oldestRetained = ({ now, keepDays }: RetentionDays) =>
  new Date(now() - keepDays * DAY_MS).toISOString();

/** Removes expired rows of all accounts, because a deleted account never removes its own. */
export function* removeOld(days: RetentionDays): StoreStep<void> {
  const oldest = oldestRetained(days);
  yield sql`DELETE FROM snapshots WHERE at < ${oldest}`;
  yield sql`DELETE FROM told WHERE account NOT IN (SELECT account FROM snapshots)`;
  yield sql`DELETE FROM collection_counts WHERE at < ${oldest}`;
}

/** Removes expired rows, but creates no store if there is none. */
export async function removeOldComparisons(comparisons: Comparisons, days: RetentionDays): Promise<void> {
  const oldest = oldestRetained(days);
  const old = await comparisons.read(() =>
    select(
      sql`SELECT at FROM snapshots WHERE at < ${oldest} UNION ALL SELECT at FROM collection_counts WHERE at < ${oldest} LIMIT 1`,
      z.object({ at: z.string() }),
    ),
  );
  if (old.length > 0) await comparisons.run(() => removeOld(days));
}

const reviewsRow = z.object({
  id: z.string(),
  account: z.string(),
  reviews: z.int(),
  marketplaces: z.string().transform((list) => list.split(',').sort()),
  /** The first moment in ISO 8601, UTC. */
  first: z.string(),
  last: z.string(),
  bytes: z.int(),
});

/** Lists the reviews of each account, as the command `data` shows them. */
export const listStoredReviews = (comparisons: Comparisons, days: RetentionDays) =>
  comparisons.read(() =>
    select(
      sql`SELECT 'snapshots-' || account AS id, account, count(*) AS reviews,
          group_concat(DISTINCT marketplace) AS marketplaces, min(at) AS first, max(at) AS last,
          sum(length(listings)) AS bytes
        FROM snapshots WHERE at >= ${oldestRetained(days)} GROUP BY account ORDER BY account`,
      reviewsRow,
    ),
  );

/** `kinds` counts the kinds of collections. */
const countsRow = z.object({ id: z.string(), account: z.string(), kinds: z.int(), bytes: z.int() });

export const listStoredCounts = (comparisons: Comparisons) =>
  comparisons.read(() =>
    select(
      sql`SELECT 'counts-' || account AS id, account, count(DISTINCT kind) AS kinds, sum(length(counts)) AS bytes
        FROM collection_counts GROUP BY account ORDER BY account`,
      countsRow,
    ),
  );

export const REVIEW_TABLES = ['snapshots', 'told'];
export const COLLECTION_TABLES = ['collection_counts'];

/** @param account the account to remove; all accounts if omitted */
export async function removeComparisons(
  comparisons: Comparisons,
  tables: readonly string[],
  account?: string,
): Promise<void> {
  await comparisons.run(function* () {
    for (const table of tables) {
      yield {
        text: `DELETE FROM ${table} WHERE account = coalesce(?, account)`,
        values: [account ?? null],
      };
    }
  });
  await comparisons.wipe();
}

export async function copyComparisons(from: Comparisons, to: Comparisons): Promise<void> {
  const [snapshots, counts] = await Promise.all([
    from.read(() => select(sql`SELECT * FROM snapshots`, anyRow)),
    from.read(() => select(sql`SELECT * FROM collection_counts`, anyRow)),
  ]);
  await to.run(function* () {
    for (const row of snapshots) yield put('snapshots', 'account, marketplace, at, is_part', row);
    for (const row of counts) yield put('collection_counts', 'account, kind, at', row);
  });
}

const anyRow = z.record(z.string(), z.union([z.string(), z.number()]));
