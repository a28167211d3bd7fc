/** A feed whose createFeed got no answer, looked for among those that the service has: by type, marketplaces and time. */

import * as z from 'zod';
import { sleep } from '../../../base/clock.ts';
import type { Feed } from './feed.ts';
import { ask, type FeedParts } from './feed-parts.ts';

const text = z.string().min(1).optional().catch(undefined);
/** Of a list that may be damaged: what cannot be read may be anything. */
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

/** Clocks differ, ours from the service's more than the service's among each other. */
const SKEW_MS = 60_000;
const SERVICE_SKEW_MS = 2_000;
/** The call may have been under way for a while. */
const LONGEST_CALL_MS = 11 * 60_000;

/** A list may lag behind: it is looked at twice. */
const LOOKS = 2;
const PAUSE_MS = 20_000;

/** There is place for a feed in two minutes: more are never listed of so short a time. */
const MOST_PAGES = 5;

export interface FoundFeeds {
  /** The one that it is. */
  only?: { feedId: string; createdTime: string };
  /** Those that may be it: none where it is not listed. */
  candidates: string[];
  /** All that the service has of that time were read. */
  isWhole: boolean;
}

/**
 * Exactly one that may be it is it, where its type and time are told: only this seller's feeds of this type, for these
 * marketplaces and of these minutes count; none from before the document was there, or from long before createFeed left,
 * however long the document had waited. @throws the client's errors
 */
export async function findFeeds(
  { feedType, marketplaceIds }: Pick<Feed, 'feedType' | 'marketplaceIds'>,
  { creating, documentAt }: { creating: string; documentAt?: string | undefined },
  parts: FeedParts,
): Promise<FoundFeeds> {
  const { clock, signal, tell } = parts;
  const begin = Date.parse(creating) - SKEW_MS;
  const from = documentAt === undefined ? begin : Math.max(begin, Date.parse(documentAt) - SERVICE_SKEW_MS);
  const to = Date.parse(creating) + LONGEST_CALL_MS;
  for (let look = 1; ; look++) {
    tell({ message: 'Looks whether the service has the feed' });
    const { listed, isWhole } = await list(feedType, from, parts);
    const found = listed
      .filter((one) => (one.feedType ?? feedType) === feedType && hasMarketplaces(one, marketplaceIds))
      .filter(({ createdTime = '' }) => !(Date.parse(createdTime) < from || Date.parse(createdTime) > to));
    if (found.length > 0 || look >= LOOKS) {
      const candidates = found.map(({ feedId }) => feedId ?? 'without an id');
      const [first = {}] = found;
      const only = found.length === 1 && isWhole ? toldFeed(first) : undefined;
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
  for (let page = 1; page <= MOST_PAGES; page++) {
    const { data } = listSchema.safeParse((await ask(parts, 'getFeeds', { parameters })).body);
    if (data === undefined) break;
    listed.push(...data.feeds);
    if (data.nextToken === undefined) return { listed, isWhole: true };
    parameters = { nextToken: data.nextToken };
  }
  return { listed, isWhole: false };
}

/** Undefined for one of which only guesses would say that it is of this type and time. */
function toldFeed({ feedId, feedType, createdTime = '' }: ListedFeed): FoundFeeds['only'] {
  const isTold = feedType !== undefined && !Number.isNaN(Date.parse(createdTime));
  return feedId !== undefined && isTold ? { feedId, createdTime } : undefined;
}

function hasMarketplaces({ marketplaceIds }: ListedFeed, wanted: readonly string[]): boolean {
  if (marketplaceIds === undefined) return true;
  return marketplaceIds.length === new Set(wanted).size && wanted.every((id) => marketplaceIds.includes(id));
}
