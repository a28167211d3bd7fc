/** A review that no assistant asks for: made now, and told is what is new since the person was told last. */

import { escapeBlock } from '../../base/text/escape-text.ts';
import { utcMinute } from '../../base/text/local-time.ts';
import type { CollectionJobs } from '../collections/collection-jobs.ts';
import type { RunProgress, Sources } from '../collections/collection-plan.ts';
import type { Tables } from '../tables/table-types.ts';
import { describeNews, type Topic } from './describe-news.ts';
import { planReview } from './plan-review.ts';
import type { Told } from './snapshots.ts';
import { readWhatIsNew } from './what-is-new.ts';

export { TOPICS, type Topic } from './describe-news.ts';

/** That are named of each kind of news. */
const MOST_SKUS = 10;

/** No timer takes more; the service's limits end a review long before. */
const MOST_WAIT_MS = 2 ** 31 - 1;

export interface WatchParts {
  tables: Tables;
  collections: Pick<CollectionJobs, 'collect'>;
  sources: Sources;
  redact(text: string): string;
  signal: AbortSignal;
  onProgress(progress: RunProgress): void;
}

export interface Watched {
  account: string;
  /** ISO 8601, UTC. */
  collected_at: string;
  /** False where what is new is not known of all: a review that was cut off, or was not kept; a country where the account does not sell. */
  complete: boolean;
  is_new: boolean;
  /** By marketplace. */
  since: object[];
}

/**
 * Two at the same time make one review, and one of them tells it. Where `tell` throws, the next one tells it again.
 * @param request marketplaces as IDs or countries, the account's own where left out; `only` what is told of
 * @throws InputError | what a review and `tell` throw
 */
export async function watchListings(
  {
    marketplaces,
    only,
  }: { marketplaces?: readonly string[] | undefined; only?: readonly Topic[] | undefined },
  { tables, collections, sources, redact, signal, onProgress }: WatchParts,
  tell: (watched: Watched, lines: readonly string[]) => Promise<void>,
): Promise<Watched> {
  const offers = only?.includes('offers');
  const plan = await planReview({ marketplaces, fresh: true, offers }, sources, tables);
  const until = sources.clock.now() + MOST_WAIT_MS;
  const collected = await collections.collect(plan, { tables, fresh: true, until, signal, onProgress });
  // Only a signal ends the wait before the review ends.
  if (collected.state === 'under way') throw signal.reason;
  const { collectedAt, complete } = collected.info;
  const clean = (text: string) => escapeBlock(redact(text));
  const { account, clock } = sources;
  const isPassed = (at: string) => Date.parse(at) <= clock.wallClock();
  const watched = { account, collected_at: utcMinute(collectedAt), complete };
  let told: Watched = { ...watched, is_new: false, since: [] };
  await tables.snapshots.tellOnce(tables.leases, async (before) => {
    const toldOf = (id: string) => {
      const at = before[keyOf(id, only)];
      // After now: it was told before the clock went back.
      return at !== undefined && isPassed(at) ? at : undefined;
    };
    const all = await readWhatIsNew(collected.info, tables, toldOf);
    const news = all.filter(({ marketplaceId }) => (toldOf(marketplaceId) ?? '') < collectedAt);
    const { lines, data, isNew } = describeNews(news, { mostSkus: MOST_SKUS, only, clean });
    const isWhole = complete && !news.some(({ isUnknown }) => isUnknown);
    told = { ...watched, complete: isWhole, is_new: isNew, since: data };
    await tell(told, lines.length === 0 ? ['Another watch has just told what is new.'] : lines);
    // A review that could not be kept is not what the next one is compared with.
    const kept = news.filter(({ since, after }) => since !== undefined || after.size > 0);
    const at = kept.map(({ marketplaceId: id }) => [keyOf(id, only), collectedAt]);
    return { ...before, ...Object.fromEntries(at) } satisfies Told;
  });
  return told;
}

/** Who asks for stock every hour is not told less by who asks for everything once a day. */
const keyOf = (id: string, only: readonly Topic[] | undefined) =>
  [id, ...[...new Set(only)].sort()].join(' ');
