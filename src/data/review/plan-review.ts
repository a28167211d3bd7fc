/** Plans a review: its marketplaces and SKUs, how they are read, and the two flat tables that result. */

import { setMaxListeners } from 'node:events';
import type { AppError } from '../../base/errors.ts';
import { formatFailedItem, isFailureOfOneCall } from '../../base/failure-of-one.ts';
import type { CallInput } from '../../call/client-types.ts';
import { marketplaceWarnings } from '../../call/request/describe-request.ts';
import { marketplaceById } from '../../service/facts/marketplaces.ts';
import {
  type CollectionPlan,
  type CollectionSources,
  RECENT_PAGES_MS,
} from '../collections/collection-plan.ts';
import type { CollectionSource, Loader, Tables } from '../tables/table-types.ts';
import type { ListingStates } from './compare-states.ts';
import { flattenListing, type IssueRow, type ListingRow, type ReviewedMarketplace } from './listing-rows.ts';
import { momentOf } from './review-changes.ts';
import { reviewMarketplace } from './review-marketplace.ts';

export interface ReviewRequest {
  /** Marketplace ids or countries; the account's own if omitted. */
  marketplaces?: readonly string[] | undefined;
  skus?: readonly string[] | undefined;
  fresh?: boolean | undefined;
  /** A day or a moment to compare with, which is validated before anything is read. */
  since?: string | undefined;
  /** Whether to read the featured offers too: a call for twenty listings. */
  offers?: boolean | undefined;
}

/**
 * @throws InputError for an unknown marketplace, one outside of the account's region, or a wrong `since`;
 * nothing is sent
 */
export async function planReview(
  request: ReviewRequest,
  sources: CollectionSources,
  tables: Tables,
): Promise<CollectionPlan> {
  if (request.since !== undefined) momentOf(request.since, 'UTC', sources.clock.wallClock());
  const { marketplaces, owner, notes } = await findMarketplaces(request, sources);
  const skus = request.skus === undefined ? undefined : [...new Set(request.skus)].sort();
  const source: CollectionSource = {
    kind: 'operation',
    operation: 'review_listings',
    parameters: {
      marketplaces: marketplaces.map(({ id }) => id).sort(),
      skus,
      ...(request.offers === true ? { offers: true } : {}),
    },
  };
  return {
    source,
    recentMs: (await isOutdated(source, tables)) ? 0 : RECENT_PAGES_MS,
    async work({ openLoader, signal, tell, idle }) {
      const rows: ListingRow[] = [];
      const issues: IssueRow[] = [];
      const found = { rows, issues, notes: [...notes], complete: true };
      const ending = new AbortController();
      // Each of many requests listens to this signal.
      const both = AbortSignal.any([signal, ending.signal]);
      setMaxListeners(0, both);
      const whole: { marketplace: ReviewedMarketplace; states: ListingStates }[] = [];
      const failed: FailedMarketplace[] = [];
      const { fresh = false, offers = false } = request;
      const review = { ...sources, owner, tables, skus, fresh, offers, found };
      try {
        for (const marketplace of marketplaces) {
          try {
            const { states } = await reviewMarketplace({ ...review, marketplace, tell, idle, signal: both });
            if (states !== undefined) whole.push({ marketplace, states });
          } catch (error) {
            if (signal.aborted || !isFailureOfOneCall(error)) throw error;
            failed.push({ name: marketplace.name, error });
          }
        }
        throwIfAllFailed(failed, marketplaces.length);
        found.complete &&= failed.length === 0;
        // The failures come first, so that a long answer does not cut them.
        found.notes.unshift(...failed.map(({ name, error }) => formatFailedItem(name, error)));
      } finally {
        // This ends requests whose answers are no longer needed.
        ending.abort();
      }
      const loader = await openLoader();
      await addFlatTables(loader, rows, issues);
      const info = await loader.finish({ source, complete: found.complete, notes: found.notes });
      for (const one of whole) {
        // If the snapshot cannot be stored, the answer says that the news is unknown.
        await tables.snapshots.keep({ ...one, at: info.collectedAt }).catch(() => {});
      }
      return info;
    },
  };
}

interface FailedMarketplace {
  name: string;
  error: AppError;
}

/** @throws the first error, with the reasons of the others, if no marketplace could be reviewed */
function throwIfAllFailed(failed: readonly FailedMarketplace[], of: number): void {
  const [first, ...others] = failed;
  if (first === undefined || failed.length < of) return;
  if (others.length === 0) throw first.error;
  const reasons = failed.map(({ name, error }) => formatFailedItem(name, error)).join(' ');
  throw first.error.withHintFirst(`None of the ${of} marketplaces could be reviewed. ${reasons}`);
}

/**
 * Returns true if one of its marketplaces was reviewed again since, because two answers would contradict each
 * other.
 */
async function isOutdated(source: CollectionSource, tables: Tables): Promise<boolean> {
  const kept = await tables.find(source);
  if (kept === undefined || source.kind !== 'operation' || source.parameters.skus !== undefined) return false;
  const ids = [source.parameters.marketplaces].flat();
  const all = await tables.snapshots.list();
  return all.some(({ marketplaceId, at }) => ids.includes(marketplaceId) && at > kept.collectedAt);
}

async function findMarketplaces(
  { marketplaces: given }: ReviewRequest,
  { client, account, find }: CollectionSources,
) {
  const operation = find('listings-items/searchListingsItems');
  const found = new Map<string, ReviewedMarketplace>();
  const notes: string[] = [];
  let owner: CallInput['owner'];
  // Each marketplace is prepared alone, since the review makes calls for one marketplace.
  const each = given === undefined || given.length === 0 ? [given] : given.map((one) => [one]);
  for (const marketplaceIds of each) {
    const parameters = marketplaceIds === undefined ? {} : { marketplaceIds };
    const prepared = await client.prepare({ operation, account, parameters });
    for (const { id } of prepared.marketplaces) found.set(id, { id, name: marketplaceById(id)?.name ?? id });
    notes.push(...marketplaceWarnings(prepared.marketplaces));
    owner = prepared.owner;
  }
  return { marketplaces: [...found.values()], owner, notes };
}

/** A listing with one issue, which has all members of both. */
const EXAMPLE = flattenListing({ sku: '', issues: [{}] }, { id: '', name: '' }, 0);

/** Adds tables that have columns even without rows, so that a query that finds nothing is no error. */
export async function addFlatTables(
  loader: Pick<Loader, 'expectItems' | 'addItems'>,
  rows: readonly ListingRow[],
  issues: readonly IssueRow[],
): Promise<void> {
  await loader.expectItems('listings', [EXAMPLE?.row]);
  await loader.addItems('listings', rows);
  await loader.expectItems('listing_issues', [EXAMPLE?.issues[0]]);
  await loader.addItems('listing_issues', issues);
}
