/** Changes of many listings as feeds: the items of their batch, what sends them, and what became of each listing. */

import * as z from 'zod';
import { isJsonObject } from '../../../base/json.ts';
import { shortenToTokens } from '../../../base/text/shorten.ts';
import type { BatchInfoItem, BatchItem, ItemOutcome, Sender } from '../../run/batches/types.ts';
import { reasonWords } from '../../run/verdict.ts';
import type { ToolContext } from '../../session.ts';
import { type FeedFacts, messageResults, readFacts, restoreFeed, storeFeed } from './feed-item.ts';
import { createFeedSender, type FeedSenderOptions } from './feed-sender.ts';
import {
  buildListingsFeed,
  type ListingsFeedItem,
  type ListingsFeedOptions,
  splitForFeeds,
} from './listings-feed.ts';
import type { MessageResult } from './types.ts';

const listingsSchema = z.object({
  listings: z.array(z.object({ sku: z.string(), productType: z.string(), patches: z.array(z.unknown()) })),
  options: z.object({
    sellerId: z.string(),
    marketplaceIds: z.array(z.string()),
    issueLocale: z.string().optional(),
  }),
});

/** As many as are needed, at most 25,000 listings each, in their order. @throws InputError as `buildListingsFeed` */
export function listingsFeedItems(
  listings: readonly ListingsFeedItem[],
  options: ListingsFeedOptions,
): BatchItem[] {
  const parts = splitForFeeds(listings);
  return parts.map((part, at) => {
    const { key, value } = storeFeed(`feed ${at + 1} of ${parts.length}`, buildListingsFeed(part, options));
    return { key, value: { ...(isJsonObject(value) ? value : {}), listings: part, options } };
  });
}

/** Sends them one after the other; their content lies in the batch itself. */
export function createListingsFeedSender(
  { account, owner, recorded }: Pick<FeedSenderOptions, 'account' | 'owner' | 'recorded'>,
  ctx: ToolContext,
): Sender {
  return createFeedSender(
    {
      account,
      owner,
      recorded,
      async load({ value }, { document: { sha256 } }) {
        const { data } = listingsSchema.safeParse(value);
        if (data === undefined) return undefined;
        const { document } = buildListingsFeed(data.listings, data.options);
        return document.sha256 === sha256 ? document : undefined;
      },
    },
    ctx,
  );
}

/** One entry for each listing of a feed, by its SKU; undefined for an item that is no feed. */
export function expandFeed(
  item: BatchInfoItem,
): { key: string; outcome?: ItemOutcome | undefined }[] | undefined {
  const feed = restoreFeed(item);
  if (feed === undefined) return undefined;
  const keyOf = ({ sku, messageId }: { sku?: string; messageId: number }) => sku ?? `message ${messageId}`;
  const { outcome } = item;
  const facts = readFacts(outcome);
  if (outcome === undefined || facts === undefined) {
    // What became of the feed as a whole became of each of them.
    const { facts: _facts, ...whole } = outcome ?? {};
    return feed.messages.map((message) => ({
      key: keyOf(message),
      ...(outcome === undefined ? {} : { outcome: { ...whole, kind: outcome.kind } }),
    }));
  }
  return messageResults(feed.messages, facts).map((result) => ({
    key: keyOf(result),
    outcome: entryOf(result, facts, outcome),
  }));
}

/** Of one reason. */
const MOST_TOKENS = 150;

function entryOf(
  { outcome, issues }: MessageResult,
  { status, whole, noReport }: FeedFacts,
  { journalId }: ItemOutcome,
): ItemOutcome {
  const told = (issues.length > 0 ? issues : outcome === 'accepted' ? [] : whole).map((issue) =>
    reasonWords(issue),
  );
  const silence =
    status === 'DONE'
      ? 'the processing report does not say whether it was accepted'
      : `the feed ended ${status}`;
  const because = outcome === 'unknown' && told.length === 0 ? (noReport ?? silence) : undefined;
  const cancelled =
    outcome === 'not_accepted' && told.length === 0 ? `The feed was ${status} before it began.` : undefined;
  const why = told.length > 0 ? told.join('; ') : (because ?? cancelled);
  return {
    kind: outcome,
    ...(why === undefined ? {} : { why: shortenToTokens(why, MOST_TOKENS) }),
    ...(journalId === undefined ? {} : { journalId }),
  };
}
