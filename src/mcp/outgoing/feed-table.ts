/** What became of each message of a feed as a table of its own, for query_data. */

import { AppError } from '../../errors.ts';
import type { MessageResult } from '../../feeds/types.ts';
import type { CollectionSource } from '../../tables/types.ts';
import type { ToolContext } from '../session.ts';
import type { FeedFacts, StoredFeed } from './feed-item.ts';

const TABLE = 'feed_results';

/** Rows that go in at once. */
const ROWS = 2_000;

export interface FeedResults {
  account: string;
  feed: StoredFeed;
  facts: FeedFacts;
  results: readonly MessageResult[];
}

/** Its name; undefined where there is nothing to put in, or no table could be made: what became of the feed is told all the same. */
export async function loadResults(
  { account, feed, facts, results }: FeedResults,
  { session }: ToolContext,
): Promise<string | undefined> {
  if (results.length === 0) return undefined;
  const { feedId, status, cut } = facts;
  // No operation of that name has such parameters: it is never taken for a collection.
  const source: CollectionSource = {
    kind: 'operation',
    operation: 'feeds/createFeed',
    parameters: { feedId },
  };
  try {
    const tables = await session.tables(account);
    const kept = (await tables.find(source))?.tables[0]?.name;
    if (kept !== undefined) return kept;
    const loader = await tables.open(source);
    try {
      for (let at = 0; at < results.length; at += ROWS) {
        await loader.addItems(TABLE, results.slice(at, at + ROWS).map(toRow), 'message_id');
      }
      const notes = [`Feed ${feedId} (${feed.feedType}), ${status}: what became of each message.`];
      const info = await loader.finish({ source, complete: cut === 0, notes });
      return info.tables[0]?.name;
    } catch (error) {
      await loader.abandon();
      throw error;
    }
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function toRow({ messageId, sku, outcome, issues }: MessageResult) {
  const [first] = issues;
  return {
    message_id: messageId,
    sku: sku ?? null,
    outcome,
    severity: first?.severity ?? null,
    code: first?.code ?? null,
    message: first?.message ?? null,
    attributes: first?.attributes?.join(', ') ?? null,
    issues: issues.length,
  };
}
