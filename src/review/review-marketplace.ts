/** The review of one marketplace: its listings as rows, with the stock of those that the service's warehouses hold. */

import { count } from '../collections/pages.ts';
import type { Sources } from '../collections/plan.ts';
import type { Tables } from '../tables/types.ts';
import { showText } from '../text/escape-text.ts';
import { flattenListing, type IssueRow, type ListingRow, withAmount } from './listing-rows.ts';
import { listSkus } from './listing-skus.ts';
import { type ListingsRead, readListings } from './read-listings.ts';
import type { Marketplace, ReviewJob } from './review-job.ts';
import type { RowWriter } from './row-writer.ts';
import { openWarehouseStock } from './warehouse-stock.ts';

/** Listings of one marketplace that a review takes. */
const MOST_LISTINGS = 50_000;

/** SKUs that are told to be missing by name. */
const MOST_MISSING = 10;

/** Where what is found goes, of all marketplaces. */
export interface Found {
  rows: RowWriter<ListingRow>;
  issues: RowWriter<IssueRow>;
  notes: string[];
  /** False when not all there is was read. */
  complete: boolean;
}

export interface OneMarketplace {
  marketplace: Marketplace;
  skus: readonly string[] | undefined;
  found: Found;
  sources: Sources;
  tables: Tables;
  fresh: boolean;
  /** Its first listing has come: what is needed after the last one can be made ready. */
  onFirst(): void;
}

/** @throws the client's errors, and ReportError: nothing of the review is whole then */
export async function reviewMarketplace(job: ReviewJob, one: OneMarketplace): Promise<void> {
  const { marketplace, found, skus, sources, tables, fresh } = one;
  const parts = { marketplaceId: marketplace.id, marketplace: marketplace.name, now: job.clock.wallClock() };
  const skusRead = new Set<string>();
  /** Until their stock is known. */
  const held: ListingRow[] = [];
  const warehouse = openWarehouseStock(job, marketplace);
  const add = (item: unknown) => {
    const flat = flattenListing(item, parts);
    if (flat === undefined || skusRead.has(flat.row.sku)) return;
    if (skusRead.size === 0) one.onFirst();
    skusRead.add(flat.row.sku);
    for (const issue of flat.issues) found.issues.add(issue);
    if (flat.row.channel !== 'FBA') return found.rows.add(withAmount(flat.row));
    held.push(flat.row);
    warehouse.add(flat.row.sku);
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
  job.tell({ message: `${marketplace.name}: ${count(skusRead.size)} listings; waits for their stock` });
  const { stock, notes } = await warehouse.settle();
  for (const row of held) found.rows.add(withAmount({ ...row, ...stock.get(row.sku) }));
  found.complete &&= read.complete;
  found.notes.push(...readWords(one, read, skusRead), ...read.notes, ...notes);
}

function readWords(
  { marketplace, skus }: OneMarketplace,
  { of }: ListingsRead,
  read: ReadonlySet<string>,
): string[] {
  if (read.size >= of && skus === undefined)
    return [`${marketplace.name}: ${count(read.size)} of ${count(read.size)} listings read.`];
  const missing = skus?.filter((sku) => !read.has(sku)) ?? [];
  const rest = missing.length - MOST_MISSING;
  const names = missing.slice(0, MOST_MISSING).map((sku) => showText(sku, 100));
  const words =
    missing.length === 0
      ? ''
      : ` Not found: ${names.join(', ')}${rest > 0 ? ` and ${count(rest)} more` : ''}.`;
  return [`${marketplace.name}: ${count(read.size)} of ${count(of)} listings read.${words}`];
}
