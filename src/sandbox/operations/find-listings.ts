/** Finds and sorts listings by what a search can ask for. */

import * as z from 'zod';
import type { ListingFixture } from '../fixtures/listing.ts';
import type { World } from '../world/world.ts';
import { readList, readMoment } from './query.ts';
import { showListing } from './show-listing.ts';

/** What a search can be sorted by, and in which order. */
export const ORDERS = {
  sortBy: ['sku', 'createdDate', 'lastUpdatedDate'],
  sortOrder: ['ASC', 'DESC'],
} as const;

/** What filters and sorts see of a listing. */
interface Seen {
  listing: ListingFixture;
  sku: string;
  fnSkus: readonly string[];
  statuses: readonly string[];
  severities: readonly string[];
  createdDate: string;
  lastUpdatedDate: string;
}

const seenSchema = z.looseObject({
  sku: z.string(),
  summaries: z
    .array(
      z.looseObject({
        fnSku: z.string().optional(),
        status: z.array(z.string()).default([]),
        createdDate: z.string().default(''),
        lastUpdatedDate: z.string().default(''),
      }),
    )
    .default([]),
  issues: z.array(z.looseObject({ severity: z.string().default('') })).default([]),
});

function look(listing: ListingFixture, marketplaceIds: readonly string[]): Seen {
  const shown = showListing(listing, marketplaceIds, ['summaries', 'issues']);
  const { sku, summaries, issues } = seenSchema.parse(shown);
  return {
    listing,
    sku,
    fnSkus: summaries.flatMap(({ fnSku }) => fnSku ?? []),
    statuses: summaries.flatMap(({ status }) => status),
    severities: issues.map(({ severity }) => severity),
    createdDate: summaries[0]?.createdDate ?? '',
    lastUpdatedDate: summaries[0]?.lastUpdatedDate ?? '',
  };
}

/** @throws BadParameter for a moment that is none. */
export function findListings(
  world: World,
  query: URLSearchParams,
  marketplaceIds: readonly string[],
): ListingFixture[] {
  const skus = query.get('identifiersType') === 'SKU' ? readList(query, 'identifiers') : [];
  // Those that are named are found by their names: a large catalog is asked for a piece at a time.
  const all = skus.length > 0 ? skus.flatMap((sku) => world.findSku(sku) ?? []) : world.listings();
  const here = all
    .filter((listing) => listing.marketplaceIds.some((id) => marketplaceIds.includes(id)))
    .map((listing) => look(listing, marketplaceIds));
  const sortBy = ORDERS.sortBy.find((name) => name === query.get('sortBy')) ?? 'lastUpdatedDate';
  const sign = query.get('sortOrder') === 'ASC' ? 1 : -1;
  const order = (a: Seen, b: Seen): number => sign * compare(a[sortBy], b[sortBy]) || compare(a.sku, b.sku);
  return here
    .filter(filterOf(query))
    .toSorted(order)
    .map(({ listing }) => listing);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function filterOf(query: URLSearchParams): (one: Seen) => boolean {
  const wanted = (name: string): string[] => readList(query, name);
  const identifiers = new Set(wanted('identifiers'));
  const type = query.get('identifiersType');
  const isNamed = ({ sku, listing, fnSkus }: Seen): boolean =>
    (type === 'ASIN' ? [listing.asin] : type === 'FNSKU' ? fnSkus : [sku]).some((id) => identifiers.has(id));
  const [severities, statuses, without] = [
    wanted('withIssueSeverity'),
    wanted('withStatus'),
    wanted('withoutStatus'),
  ];
  const created = spanOf(query, 'createdAfter', 'createdBefore');
  const updated = spanOf(query, 'lastUpdatedAfter', 'lastUpdatedBefore');
  return (one) =>
    (identifiers.size === 0 || isNamed(one)) &&
    (severities.length === 0 || severities.some((severity) => one.severities.includes(severity))) &&
    (statuses.length === 0 || statuses.some((status) => one.statuses.includes(status))) &&
    !without.some((status) => one.statuses.includes(status)) &&
    created(one.createdDate) &&
    updated(one.lastUpdatedDate);
}

/** Whether a date lies between two parameters; anything does where neither is given. */
function spanOf(query: URLSearchParams, after: string, before: string): (date: string) => boolean {
  const [from, to] = [readMoment(query, after), readMoment(query, before)];
  if (from === undefined && to === undefined) return () => true;
  return (date) => Date.parse(date) >= (from ?? -Infinity) && Date.parse(date) <= (to ?? Infinity);
}
