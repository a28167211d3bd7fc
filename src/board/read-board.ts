/** Everything that the board shows of one account, read anew each time: reviews, hours, writes and collected data. */

import type { NewsView, PageData } from '../../views/data.ts';
import type { CollectionInfo, Tables } from '../data/tables/types.ts';
import type { PersonalData } from '../privacy/personal/personal-data.ts';
import type { History } from '../write/keep/history/history.ts';
import { readJournal } from '../write/keep/journal/read-journal.ts';
import { readChangesView } from './changes.ts';
import { describeData } from './collected.ts';
import { readHealth, titlesOf } from './health.ts';
import { readHours } from './hours.ts';
import { readNews } from './news.ts';

export interface BoardSources {
  account: string;
  isSandbox: boolean;
  tables: Pick<Tables, 'query' | 'list' | 'snapshots' | 'changes'>;
  /** Of the journal. */
  folder: string;
  history: History;
  personal: PersonalData;
  redact(text: string): string;
  timeoutMs: number;
  signal: AbortSignal;
  /** What news is told since: ISO 8601; the review before where left out. */
  since?: string | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Listings that a page holds: more would make it slow to open. */
const MOST_LISTINGS = 20_000;

/** @throws ConfigError where the journal cannot be read, and as `Tables.query` */
export async function readBoard(sources: BoardSources): Promise<PageData> {
  const { account, isSandbox, tables, folder, history, personal, redact, now } = sources;
  const collections = await tables.list();
  const review = newestReview(collections);
  const mark = await findOwner(sources);
  const health = await readHealth(review, tables, { ...sources, most: MOST_LISTINGS });
  const entries = (await history.list()).filter((entry) => entry.account === account && entry.owner === mark);
  return {
    title: 'Your shop',
    account,
    madeAt: new Date(now()).toISOString(),
    isSandbox,
    views: [
      health,
      await readNews(review, tables, { redact, titleOf: titlesOf(health), since: sources.since }),
      await readHours({ ...sources, collections, entries }),
      await readChangesView({ account, mark, folder, history, personal, redact }),
      describeData(collections, redact),
    ],
  };
}

/** What changed since another moment. @throws InputError for what is none */
export async function readNewsSince(since: string, { tables, redact }: BoardSources): Promise<NewsView> {
  const review = newestReview(await tables.list());
  return readNews(review, tables, { redact, since, titleOf: () => null });
}

/** Of whole marketplaces: one of single SKUs says nothing of the others. */
function newestReview(collections: readonly CollectionInfo[]): CollectionInfo | undefined {
  return collections.find(
    ({ source }) =>
      source.kind === 'operation' &&
      source.operation === 'review_listings' &&
      source.parameters.skus === undefined,
  );
}

/** By what was written last: a name can have been another seller's before. */
export async function findOwner({
  account,
  folder,
}: Pick<BoardSources, 'account' | 'folder'>): Promise<string | undefined> {
  const { entries } = await readJournal({ folder, account, limit: 1 });
  return entries.at(-1)?.owner;
}
