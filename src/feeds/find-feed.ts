/** A feed whose createFeed got no answer, looked for among those that the service has: by type, marketplaces and time. */

import * as z from 'zod';
import { sleep } from '../client/clock.ts';
import { ask, type FeedParts } from './feed-parts.ts';
import type { Feed } from './types.ts';

export const serviceFeedSchema = z.looseObject({
  feedId: z.string().min(1),
  feedType: z.string().optional(),
  marketplaceIds: z.array(z.string()).optional(),
  createdTime: z.string().optional(),
  processingStatus: z.string(),
  resultFeedDocumentId: z.string().min(1).optional().catch(undefined),
});
export type ServiceFeed = z.output<typeof serviceFeedSchema>;

const listSchema = z.looseObject({ feeds: z.array(z.unknown()) });

/** Clocks differ, ours from the service's more than the service's among each other. */
const SKEW_MS = 60_000;
const SERVICE_SKEW_MS = 2_000;
/** The call may have been under way for a while. */
const LONGEST_CALL_MS = 11 * 60_000;

/** A list may lag behind: it is looked at twice. */
const LOOKS = 2;
const PAUSE_MS = 20_000;

/**
 * Those that may be it. Exactly one: that is it, since only this seller's feeds of this type, for these marketplaces and
 * of these minutes count; none from before the document was there. @throws the client's errors
 */
export async function findFeeds(
  { feedType, marketplaceIds }: Pick<Feed, 'feedType' | 'marketplaceIds'>,
  { creating, documentAt }: { creating: string; documentAt?: string | undefined },
  parts: FeedParts,
): Promise<ServiceFeed[]> {
  const { clock, operations, signal, tell } = parts;
  const from =
    documentAt === undefined ? Date.parse(creating) - SKEW_MS : Date.parse(documentAt) - SERVICE_SKEW_MS;
  const to = Date.parse(creating) + LONGEST_CALL_MS;
  const parameters = { feedTypes: [feedType], createdSince: new Date(from).toISOString(), pageSize: 100 };
  for (let look = 1; ; look++) {
    tell({ message: 'Looks whether the service has the feed' });
    const { body } = await ask(parts, operations.getFeeds, { parameters });
    const listed = listSchema.safeParse(body).data?.feeds ?? [];
    const found = listed
      .flatMap((one) => serviceFeedSchema.safeParse(one).data ?? [])
      .filter((one) => (one.feedType ?? feedType) === feedType && hasMarketplaces(one, marketplaceIds))
      .filter(({ createdTime = '' }) => !(Date.parse(createdTime) < from || Date.parse(createdTime) > to));
    if (found.length > 0 || look >= LOOKS) return found;
    await sleep(clock, PAUSE_MS, signal);
  }
}

function hasMarketplaces({ marketplaceIds }: ServiceFeed, wanted: readonly string[]): boolean {
  if (marketplaceIds === undefined) return true;
  return marketplaceIds.length === new Set(wanted).size && wanted.every((id) => marketplaceIds.includes(id));
}
