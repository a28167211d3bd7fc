/**
 * Reads everything that the board shows of one account, anew each time: reviews, hours, writes and collected
 * data.
 */

import type { NewsView, PageData } from '../../views/data.ts';
import type { CollectionInfo, Tables } from '../data/tables/table-types.ts';
import type { AccountWrites } from '../write/records/account-writes.ts';
import { describeChanges } from './changes.ts';
import { describeData } from './collected.ts';
import { readHealth, titlesOf } from './health.ts';
import { readHours } from './hours.ts';
import { readNews } from './news.ts';

export interface BoardSources {
  account: string;
  isSandbox: boolean;
  tables: Pick<Tables, 'query' | 'list' | 'snapshots' | 'changes'>;
  /** The writes of this program. */
  kept: AccountWrites;
  redact(text: string): string;
  timeoutMs: number;
  signal: AbortSignal;
  /** The start of the compared period: ISO 8601; by default the previous review. */
  since?: string | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The maximum number of listings in a page, because more would make it slow to open. */
const MAX_LISTINGS = 20_000;

/**
 * Reads the data of the board.
 * @throws ConfigError when the journal cannot be read, and as `Tables.query`
 */
export async function readBoard(sources: BoardSources): Promise<PageData> {
  const { account, isSandbox, tables, kept, redact, now } = sources;
  const collections = await tables.list();
  const review = newestReview(collections);
  const health = await readHealth(review, tables, { ...sources, most: MAX_LISTINGS });
  const { writes, changes } = await kept.read();
  return {
    title: 'Your shop',
    account,
    madeAt: new Date(now()).toISOString(),
    isSandbox,
    views: [
      health,
      await readNews(review, tables, { redact, titleOf: titlesOf(health), since: sources.since }),
      await readHours({ ...sources, collections, writes }),
      describeChanges({ writes, changes, keepDays: kept.keepDays, redact }),
      describeData(collections, redact),
    ],
  };
}

/**
 * Reads the changes since another moment.
 * @throws InputError for a `since` that is no moment
 */
export async function readNewsSince(since: string, { tables, redact }: BoardSources): Promise<NewsView> {
  const review = newestReview(await tables.list());
  return readNews(review, tables, { redact, since, titleOf: () => null });
}

/**
 * Returns the newest review of whole marketplaces, because a review of single SKUs does not cover the others.
 */
function newestReview(collections: readonly CollectionInfo[]): CollectionInfo | undefined {
  return collections.find(
    ({ source }) =>
      source.kind === 'operation' &&
      source.operation === 'review_listings' &&
      source.parameters.skus === undefined,
  );
}
