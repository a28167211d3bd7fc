/** Searches the service for a feed whose createFeed got no answer, by type, marketplaces and time. */

import * as z from 'zod';
import { sleep } from '../../../base/clock.ts';
import type { Feed } from './feed.ts';
import { callFeedOperation, type FeedParts } from './feed-parts.ts';

const text = z.string().min(1).optional().catch(undefined);
/** An entry of a list that may be damaged, where an unreadable member may have any value. */
const listedSchema = z
  .looseObject({
    feedId: text,
    feedType: text,
    marketplaceIds: z.array(z.string()).optional().catch(undefined),
    createdTime: text,
  })
  .catch({});
type ListedFeed = z.output<typeof listedSchema>;

const listSchema = z.looseObject({ feeds: z.array(listedSchema), nextToken: text });

/** Tolerances for clocks: ours and the service's differ more than the service's differ among each other. */
const SKEW_MS = 60_000;
const SERVICE_SKEW_MS = 2_000;
/** The call itself may have taken this long. */
const MAX_CALL_MS = 11 * 60_000;

/** The list is read twice, because it may lag behind. */
const MAX_READS = 2;
const PAUSE_MS = 20_000;

/** createFeed allows one feed in two minutes, so a list of so short a time never has more pages. */
const MAX_PAGES = 5;

export interface FoundFeeds {
  /** The feed, where it is certain. */
  only?: { feedId: string; createdTime: string };
  /** The feeds that may be it; empty where none is listed. */
  candidates: string[];
  /** True where all feeds of that time were read. */
  isWhole: boolean;
}

/**
 * Finds the feed among those of this type, these marketplaces and these minutes. A single candidate is the
 * feed if its type and time are listed. Feeds from before the document's upload or long before createFeed do
 * not count, however long the document had waited.
 * @throws the client's errors
 */
export async function findFeeds(
  { feedType, marketplaceIds }: Pick<Feed, 'feedType' | 'marketplaceIds'>,
  { creating, documentAt }: { creating: string; documentAt?: string | undefined },
  parts: FeedParts,
): Promise<FoundFeeds> {
  const { clock, signal, tell } = parts;
  const begin = Date.parse(creating) - SKEW_MS;
  const from = documentAt === undefined ? begin : Math.max(begin, Date.parse(documentAt) - SERVICE_SKEW_MS);
  const to = Date.parse(creating) + MAX_CALL_MS;
  for (let look = 1; ; look++) {
    tell({ message: 'Looks whether the service has the feed' });
    const { listed, isWhole } = await list(feedType, from, parts);
    const found = listed
      .filter((one) => (one.feedType ?? feedType) === feedType && hasMarketplaces(one, marketplaceIds))
      .filter(({ createdTime = '' }) => !(Date.parse(createdTime) < from || Date.parse(createdTime) > to));
    if (found.length > 0 || look >= MAX_READS) {
      const candidates = found.map(({ feedId }) => feedId ?? 'without an id');
      const [first = {}] = found;
      const only = found.length === 1 && isWhole ? toCertainFeed(first) : undefined;
      return { only, candidates, isWhole };
    }
    await sleep(clock, PAUSE_MS, signal);
  }
}

async function list(
  feedType: string,
  from: number,
  parts: FeedParts,
): Promise<{ listed: ListedFeed[]; isWhole: boolean }> {
  const listed: ListedFeed[] = [];
  let parameters: Record<string, unknown> = {
    feedTypes: [feedType],
    createdSince: new Date(from).toISOString(),
    pageSize: 100,
  };
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { data } = listSchema.safeParse((await callFeedOperation(parts, 'getFeeds', { parameters })).body);
    if (data === undefined) break;
    listed.push(...data.feeds);
    if (data.nextToken === undefined) return { listed, isWhole: true };
    parameters = { nextToken: data.nextToken };
  }
  return { listed, isWhole: false };
}

/** Returns undefined for a feed whose type or time is not listed, because it would be a guess. */
function toCertainFeed({ feedId, feedType, createdTime = '' }: ListedFeed): FoundFeeds['only'] {
  const isCertain = feedType !== undefined && !Number.isNaN(Date.parse(createdTime));
  return feedId !== undefined && isCertain ? { feedId, createdTime } : undefined;
}

function hasMarketplaces({ marketplaceIds }: ListedFeed, wanted: readonly string[]): boolean {
  if (marketplaceIds === undefined) return true;
  return marketplaceIds.length === new Set(wanted).size && wanted.every((id) => marketplaceIds.includes(id));
}
