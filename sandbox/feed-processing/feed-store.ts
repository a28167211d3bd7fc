/** The feeds that were created, and what has become of them: they wait, are processed, and end as the clock goes on. */

import type { ProcessedFeed } from './process-feed.ts';

export type FeedStatus = 'IN_QUEUE' | 'IN_PROGRESS' | 'DONE' | 'CANCELLED' | 'FATAL';

const QUEUED_MS = 2_000;
const WORKED_MS = 3_000;

/** What becomes of the next feed, where a test wants it otherwise. */
export interface NextFeed {
  /** It ends so, and nothing of it is applied. */
  ends?: 'FATAL' | 'CANCELLED';
  /** Stays in progress for so long. */
  takesMs?: number;
  /** Instead of its processing report, whatever it is. */
  report?: string;
}

export interface StoredFeed {
  id: string;
  feedType: string;
  marketplaceIds: readonly string[];
  documentId: string;
  createdAt: number;
  isCancelled: boolean;
  next: NextFeed;
  result?: ProcessedFeed;
}

export interface FeedStore {
  create(request: Pick<StoredFeed, 'feedType' | 'marketplaceIds' | 'documentId'>): StoredFeed;
  /** Newest first. */
  list(): readonly StoredFeed[];
  find(id: string): StoredFeed | undefined;
  statusOf(feed: StoredFeed): FeedStatus;
  /** Undefined for one that has none, yet or at all. */
  reportOf(feed: StoredFeed): { id: string; text: string; contentType: string } | undefined;
  findReport(id: string): { id: string; text: string; contentType: string } | undefined;
  /** False when it has left the queue. */
  cancel(feed: StoredFeed): boolean;
  /** For the next feed that is created, first asked first. */
  next(next: NextFeed): void;
}

/** @param speed how many times faster than the sandbox's own pace feeds are processed */
export function createFeeds(
  process: (feed: StoredFeed) => ProcessedFeed,
  now: () => number,
  speed: number,
): FeedStore {
  const feeds: StoredFeed[] = [];
  const coming: NextFeed[] = [];
  const age = ({ createdAt }: StoredFeed): number => (now() - createdAt) * speed;
  const isOver = (feed: StoredFeed): boolean =>
    age(feed) >= QUEUED_MS + WORKED_MS && now() - feed.createdAt >= (feed.next.takesMs ?? 0);
  const resultOf = (feed: StoredFeed): ProcessedFeed | undefined => {
    if (feed.isCancelled || feed.next.ends !== undefined || !isOver(feed)) return undefined;
    feed.result ??= process(feed);
    return feed.result;
  };
  const statusOf = (feed: StoredFeed): FeedStatus => {
    if (feed.isCancelled) return 'CANCELLED';
    if (!isOver(feed)) return age(feed) < QUEUED_MS ? 'IN_QUEUE' : 'IN_PROGRESS';
    return feed.next.ends ?? (resultOf(feed)?.isFatal === true ? 'FATAL' : 'DONE');
  };
  const reportOf = (feed: StoredFeed) => {
    const result = resultOf(feed);
    const { report = result?.report } = isOver(feed) ? feed.next : {};
    if (report === undefined) return undefined;
    const contentType = result?.contentType ?? 'text/plain; charset=UTF-8';
    return { id: `${feed.documentId}.report`, text: report, contentType };
  };
  return {
    create(request) {
      const id = String(60_001_020_000 + feeds.length);
      const feed = { id, ...request, createdAt: now(), isCancelled: false, next: coming.shift() ?? {} };
      feeds.push(feed);
      return feed;
    },
    list: () => feeds.toReversed(),
    find: (id) => feeds.find((feed) => feed.id === id),
    statusOf,
    reportOf,
    findReport(id) {
      const feed = feeds.find(({ documentId }) => id === `${documentId}.report`);
      return feed && reportOf(feed);
    },
    cancel(feed) {
      if (statusOf(feed) !== 'IN_QUEUE') return false;
      feed.isCancelled = true;
      return true;
    },
    next: (next) => void coming.push(next),
  };
}
