/** What a review comes to: which marketplaces and SKUs, how they are read, and the two flat tables that it leaves. */

import { setMaxListeners } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { marketplaceWarnings } from '../client/request/resolve-marketplaces.ts';
import { count } from '../collections/pages.ts';
import { type Plan, RECENT_PAGES_MS, type Sources } from '../collections/plan.ts';
import { LARGE_BYTES, letOthersRun } from '../event-loop.ts';
import { marketplaceById } from '../service/facts/marketplaces.ts';
import type { CollectionSource, Loader, Tables } from '../tables/types.ts';
import { showText } from '../text/escape-text.ts';
import { flattenListing, type IssueRow, type ListingRow, withAmount } from './listing-rows.ts';
import { listSkus } from './listing-skus.ts';
import { type ListingsRead, readListings } from './read-listings.ts';
import type { Marketplace, ReviewJob } from './review-job.ts';
import { openWarehouseStock } from './warehouse-stock.ts';

/** Listings of one marketplace that a review takes. */
export const MOST_LISTINGS = 50_000;

/** SKUs that are told to be missing by name. */
const MOST_MISSING = 10;

export const LISTINGS_TABLE = 'listings';
export const ISSUES_TABLE = 'listing_issues';

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
      ...(skus === undefined ? {} : { skus }),
    },
  };
  return {
    source,
    table: LISTINGS_TABLE,
    recentMs: RECENT_PAGES_MS,
    async work({ open, signal, tell }) {
      const { client, clock, account, find } = sources;
      // Its worker starts while the service is asked.
      const opening = open();
      opening.catch(() => {});
      const ending = new AbortController();
      // Each of many requests listens to it.
      const both = AbortSignal.any([signal, ending.signal]);
      setMaxListeners(0, both);
      const job = {
        client,
        clock,
        account,
        owner,
        find,
        tell,
        signal: both,
      };
      const found = { rows: [], issues: [], notes: [...notes], complete: true };
      try {
        for (const marketplace of marketplaces) {
          await reviewOne(job, { marketplace, skus, found, sources, tables, fresh: request.fresh === true });
        }
      } finally {
        // What is still asked for in vain.
        ending.abort();
        await Promise.allSettled([opening]);
      }
      return finish(await opening, source, found);
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

interface Found {
  rows: ListingRow[];
  issues: IssueRow[];
  notes: string[];
  complete: boolean;
}

interface OneMarketplace {
  marketplace: Marketplace;
  skus: readonly string[] | undefined;
  found: Found;
  sources: Sources;
  tables: Tables;
  fresh: boolean;
}

async function reviewOne(job: ReviewJob, one: OneMarketplace): Promise<void> {
  const { marketplace, found, skus, sources, tables, fresh } = one;
  const parts = { marketplaceId: marketplace.id, marketplace: marketplace.name, now: job.clock.wallClock() };
  const rows = new Map<string, ListingRow>();
  const warehouse = openWarehouseStock(job, marketplace);
  const add = (item: unknown) => {
    const flat = flattenListing(item, parts);
    if (flat === undefined || rows.has(flat.row.sku)) return;
    rows.set(flat.row.sku, flat.row);
    found.issues.push(...flat.issues);
    if (flat.row.channel === 'FBA') warehouse.add(flat.row.sku);
  };
  const listAll = async () => {
    const listed = await listSkus(job, { marketplace, sources, tables, fresh, most: MOST_LISTINGS });
    if (listed.all > listed.skus.length) {
      found.complete = false;
      const words = `${marketplace.name}: a review takes ${count(MOST_LISTINGS)} listings, of ${count(listed.all)}; name the others with skus.`;
      return { skus: listed.skus, notes: [words, ...listed.notes] };
    }
    return listed;
  };
  const read = await readListings(job, { marketplace, skus, add, listSkus: listAll });
  job.tell({ message: `${marketplace.name}: ${count(rows.size)} listings; waits for their stock` });
  const { stock, notes } = await warehouse.settle();
  for (const row of rows.values()) found.rows.push(withAmount({ ...row, ...stock.get(row.sku) }));
  found.complete &&= read.complete;
  found.notes.push(...readWords(one, read, rows), ...read.notes, ...notes);
}

function readWords(
  { marketplace, skus }: OneMarketplace,
  { of }: ListingsRead,
  rows: ReadonlyMap<string, unknown>,
): string[] {
  if (rows.size >= of && skus === undefined)
    return [`${marketplace.name}: ${count(rows.size)} of ${count(rows.size)} listings read.`];
  const missing = skus?.filter((sku) => !rows.has(sku)) ?? [];
  const rest = missing.length - MOST_MISSING;
  const names = missing.slice(0, MOST_MISSING).map((sku) => showText(sku, 100));
  const words =
    missing.length === 0
      ? ''
      : ` Not found: ${names.join(', ')}${rest > 0 ? ` and ${count(rest)} more` : ''}.`;
  return [`${marketplace.name}: ${count(rows.size)} of ${count(of)} listings read.${words}`];
}

/** Items that are handed over at once. */
const ROWS_AT_ONCE = 1_000;

async function finish(loader: Loader, source: CollectionSource, { rows, issues, complete, notes }: Found) {
  await addRows(loader, LISTINGS_TABLE, rows, LISTING_COLUMNS);
  await addRows(loader, ISSUES_TABLE, issues, ISSUE_COLUMNS);
  return loader.finish({ source, complete, notes });
}

/** A table without rows has its columns all the same: a query that finds nothing is no error. */
async function addRows(loader: Loader, table: string, rows: readonly object[], columns: readonly string[]) {
  if (rows.length === 0) {
    const file = join(loader.folder, `${table}.txt`);
    await writeFile(file, `${columns.join('\t')}\n`, { mode: 0o600 });
    await loader.addDocument(table, file, { format: 'tab' });
    return;
  }
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await loader.addItems(table, rows.slice(at, at + ROWS_AT_ONCE));
    await letOthersRun(LARGE_BYTES);
  }
}

const NOTHING = { marketplaceId: '', marketplace: '', now: 0 };
const EMPTY = flattenListing({ sku: '', issues: [{}] }, NOTHING);
const LISTING_COLUMNS = Object.keys(EMPTY?.row ?? {});
const ISSUE_COLUMNS = Object.keys(EMPTY?.issues[0] ?? {});
