/** Runs a review without an assistant and reports the changes since the last report to the user. */

import { escapeBlock } from '../../base/text/escape-text.ts';
import { utcMinute } from '../../base/text/local-time.ts';
import type { CollectionJobs } from '../collections/collection-jobs.ts';
import type { CollectionSources, RunProgress } from '../collections/collection-plan.ts';
import type { Tables } from '../tables/table-types.ts';
import { describeNews, type Topic } from './describe-news.ts';
import { planReview } from './plan-review.ts';
import { compareWithEarlierReview } from './review-changes.ts';
import type { LastReportTimes } from './snapshots.ts';

export { TOPICS, type Topic } from './describe-news.ts';

/** Max SKUs that are named for each kind of news. */
const MAX_NAMED_SKUS = 10;

/** The max delay of a timer; the service's limits end a review long before. */
const MAX_WAIT_MS = 2 ** 31 - 1;

export interface WatchParts {
  tables: Tables;
  collections: Pick<CollectionJobs, 'collect'>;
  sources: CollectionSources;
  redact(text: string): string;
  signal: AbortSignal;
  onProgress(progress: RunProgress): void;
}

export interface WatchReport {
  account: string;
  /** The moment in ISO 8601, UTC. */
  collected_at: string;
  /**
   * False if the news is unknown for a part: a review that was cut off or not stored, or a country where
   * the account does not sell.
   */
  complete: boolean;
  is_new: boolean;
  /** The compared moments by marketplace. */
  since: object[];
}

/**
 * Makes one review for two concurrent callers, one of which reports it. If `tell` throws, the next one
 * reports it again.
 * @param request marketplaces as ids or countries, the account's own if omitted; `only` limits the topics
 * @throws InputError; the errors of a review and of `tell`
 */
export async function watchListings(
  {
    marketplaces,
    only,
  }: { marketplaces?: readonly string[] | undefined; only?: readonly Topic[] | undefined },
  { tables, collections, sources, redact, signal, onProgress }: WatchParts,
  tell: (watched: WatchReport, lines: readonly string[]) => Promise<void>,
): Promise<WatchReport> {
  const offers = only?.includes('offers');
  const plan = await planReview({ marketplaces, fresh: true, offers }, sources, tables);
  const until = sources.clock.now() + MAX_WAIT_MS;
  const collected = await collections.collect(plan, { tables, fresh: true, until, signal, onProgress });
  // Only a signal ends the wait before the review ends.
  if (collected.state === 'under way') throw signal.reason;
  const { collectedAt, complete } = collected.info;
  const clean = (text: string) => escapeBlock(redact(text));
  const { account, clock } = sources;
  const isPassed = (at: string) => Date.parse(at) <= clock.wallClock();
  const watched = { account, collected_at: utcMinute(collectedAt), complete };
  let report: WatchReport = { ...watched, is_new: false, since: [] };
  await tables.snapshots.tellOnce(tables.leases, async (before) => {
    const lastReportOf = (id: string) => {
      const at = before[keyOf(id, only)];
      // A moment after now was recorded before the clock went back.
      return at !== undefined && isPassed(at) ? at : undefined;
    };
    const all = await compareWithEarlierReview(collected.info, tables, lastReportOf);
    const news = all.filter(({ marketplaceId }) => (lastReportOf(marketplaceId) ?? '') < collectedAt);
    const { lines, data, isNew } = describeNews(news, { mostSkus: MAX_NAMED_SKUS, only, clean });
    const isWhole = complete && !news.some(({ isUnknown }) => isUnknown);
    report = { ...watched, complete: isWhole, is_new: isNew, since: data };
    await tell(report, lines.length === 0 ? ['Another watch has just told what is new.'] : lines);
    // A review that could not be stored is not the one to compare with next.
    const kept = news.filter(({ since, after }) => since !== undefined || after.size > 0);
    const at = kept.map(({ marketplaceId: id }) => [keyOf(id, only), collectedAt]);
    return { ...before, ...Object.fromEntries(at) } satisfies LastReportTimes;
  });
  return report;
}

/**
 * Builds a key with the topics, so that an hourly watch of stock takes nothing from a daily watch of
 * everything.
 */
const keyOf = (id: string, only: readonly Topic[] | undefined) =>
  [id, ...[...new Set(only)].sort()].join(' ');
