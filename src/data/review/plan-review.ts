/** What a review comes to: which marketplaces and SKUs, how they are read, and the two flat tables that it leaves. */

import { setMaxListeners } from 'node:events';
import { marketplaceWarnings } from '../../call/request/resolve-marketplaces.ts';
import { marketplaceById } from '../../service/facts/marketplaces.ts';
import type { Plan, Sources } from '../collections/plan.ts';
import { RECENT_PAGES_MS } from '../collections/plan-operation.ts';
import type { CollectionSource, Loader, Tables } from '../tables/types.ts';
import { flattenListing } from './listing-rows.ts';
import { prepareToRead } from './read-review.ts';
import type { Marketplace } from './review-job.ts';
import { type Found, reviewMarketplace } from './review-marketplace.ts';
import { createRowWriter } from './row-writer.ts';

const LISTINGS_TABLE = 'listings';
const ISSUES_TABLE = 'listing_issues';

/** Longest time that a question of the person's may keep this one waiting. */
const PREPARE_MS = 5_000;

export interface ReviewRequest {
  /** IDs or countries; the account's own where left out. */
  marketplaces?: readonly string[] | undefined;
  skus?: readonly string[] | undefined;
  fresh?: boolean | undefined;
}

/** @throws InputError for a marketplace that is not known or not of the account's region; nothing is sent */
export async function planReview(request: ReviewRequest, sources: Sources, tables: Tables): Promise<Plan> {
  const { marketplaces, owner, notes } = await findMarketplaces(request, sources);
  const skus = request.skus === undefined ? undefined : [...new Set(request.skus)].sort();
  const source: CollectionSource = {
    kind: 'operation',
    operation: 'review_listings',
    parameters: {
      marketplaces: marketplaces.map(({ id }) => id).sort(),
      skus,
    },
  };
  return {
    source,
    table: LISTINGS_TABLE,
    recentMs: RECENT_PAGES_MS,
    async work({ open, signal, tell, idle }) {
      const { client, clock, account, find } = sources;
      // Its worker starts while the service is asked.
      const opening = open();
      const found = openFound(opening, notes);
      const ending = new AbortController();
      // Each of many requests listens to it.
      const both = AbortSignal.any([signal, ending.signal]);
      setMaxListeners(0, both);
      const job = { client, clock, account, owner, find, tell, idle, signal: both };
      const fresh = request.fresh === true;
      const onFirst = () => {
        // While the limit lets nothing go anyway; whoever reads without it only waits longer.
        const columns = { listings: LISTING_COLUMNS, issues: ISSUE_COLUMNS };
        prepareToRead(tables, columns, { timeoutMs: PREPARE_MS, signal }).catch(() => {});
      };
      try {
        for (const marketplace of marketplaces) {
          await reviewMarketplace(job, { marketplace, skus, found, sources, tables, fresh, onFirst });
        }
      } finally {
        // What is still asked for in vain.
        ending.abort();
        await Promise.allSettled([opening]);
      }
      await found.rows.settle();
      await found.issues.settle();
      return (await opening).finish({ source, complete: found.complete, notes: found.notes });
    },
  };
}

async function findMarketplaces({ marketplaces: given }: ReviewRequest, { client, account, find }: Sources) {
  const operation = find('listings-items/searchListingsItems');
  const found = new Map<string, Marketplace>();
  const notes: string[] = [];
  const ask = async (parameters: Readonly<Record<string, unknown>>) => {
    const prepared = await client.prepare({ operation, account, parameters });
    for (const { id } of prepared.marketplaces) found.set(id, { id, name: marketplaceById(id)?.name ?? id });
    notes.push(...marketplaceWarnings(prepared.marketplaces));
    return prepared.owner;
  };
  let owner = await ask(given === undefined ? {} : { marketplaceIds: given.slice(0, 1) });
  for (const marketplace of given?.slice(1) ?? []) owner = await ask({ marketplaceIds: [marketplace] });
  return { marketplaces: [...found.values()], owner, notes };
}

/** The tables are written while the service is asked. */
function openFound(loader: Promise<Loader>, notes: readonly string[]): Found {
  loader.catch(() => {});
  return {
    rows: createRowWriter({ loader, table: LISTINGS_TABLE, columns: LISTING_COLUMNS }),
    issues: createRowWriter({ loader, table: ISSUES_TABLE, columns: ISSUE_COLUMNS }),
    notes: [...notes],
    complete: true,
  };
}

const NOTHING = { marketplaceId: '', marketplace: '', now: 0 };
const EMPTY = flattenListing({ sku: '', issues: [{}] }, NOTHING);
const LISTING_COLUMNS = Object.keys(EMPTY?.row ?? {});
const ISSUE_COLUMNS = Object.keys(EMPTY?.issues[0] ?? {});
