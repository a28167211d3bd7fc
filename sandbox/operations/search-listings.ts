/** searchListingsItems: filtered, sorted and in pages of at most 20, of which no search gives more than 1,000 listings. */

import * as z from 'zod';
import type { Answer, Call } from '../answer.ts';
import type { ListingFixture } from '../fixtures/listing.ts';
import { type Route, route } from '../router.ts';
import type { World } from '../world/world.ts';
import { refuseSeller } from './listings-item.ts';
import { findPlace } from './page-token.ts';
import { answerQuery, invalid, readInteger, readList, readMoment, refuseUnknown } from './query.ts';
import { PARTS, showListing } from './show-listing.ts';

// Finds and sorts listings by what a search can ask for.

/** What a search can be sorted by, and in which order. */
const ORDERS = {
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
function findListings(
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

const OPERATION = 'searchListingsItems';
const MAX_PAGE = 20;
const MAX_IDENTIFIERS = 20;
/** However many there are, paging ends here. */
const MAX_RESULTS = 1_000;

const CHOICES = {
  includedData: PARTS,
  identifiersType: ['SKU', 'ASIN', 'FNSKU'],
  withIssueSeverity: ['WARNING', 'ERROR'],
  withStatus: ['BUYABLE', 'DISCOVERABLE'],
  withoutStatus: ['BUYABLE', 'DISCOVERABLE'],
  ...ORDERS,
} as const;
const MOMENTS = ['createdAfter', 'createdBefore', 'lastUpdatedAfter', 'lastUpdatedBefore'] as const;
const PLAYED = [
  'marketplaceIds',
  'issueLocale',
  'identifiers',
  'pageSize',
  'pageToken',
  ...Object.keys(CHOICES),
  ...MOMENTS,
];

export function buildSearchListingsRoute(world: World, now: () => number): Route {
  return route(OPERATION, 'GET', '/listings/2021-08-01/items/{sellerId}', (call) =>
    answerQuery(() => search(world, now(), call)),
  );
}

function search(world: World, now: number, { params, query: given }: Call): Answer {
  const refused = refuseSeller(params.sellerId ?? '') ?? refuse(given);
  if (refused !== undefined) return refused;
  const { from, query, tokenAt, cut } = findPlace(given, {
    operation: OPERATION,
    tokenName: 'pageToken',
    now,
  });
  const pageSize = readInteger(query, 'pageSize', { least: 1, most: MAX_PAGE, otherwise: 10 });
  const marketplaceIds = readList(query, 'marketplaceIds');
  const found = findListings(world, query, marketplaceIds);
  const { items, next } = cut(found.slice(0, MAX_RESULTS), pageSize);
  const pagination = {
    ...(next !== undefined && { nextToken: next }),
    ...(from > 0 && { previousToken: tokenAt(Math.max(0, from - pageSize)) }),
  };
  const parts = readList(query, 'includedData');
  return {
    status: 200,
    body: {
      numberOfResults: found.length,
      ...(Object.keys(pagination).length > 0 && { pagination }),
      items: items.map((listing) => showListing(listing, marketplaceIds, parts)),
    },
  };
}

function refuse(query: URLSearchParams): Answer | undefined {
  const refused = refuseUnknown(OPERATION, query, { played: PLAYED, choices: CHOICES });
  if (refused !== undefined) return refused;
  if (readList(query, 'marketplaceIds').length === 0) return invalid('marketplaceIds: is missing.');
  const identifiers = readList(query, 'identifiers').length;
  if (identifiers > MAX_IDENTIFIERS)
    return invalid(`identifiers: holds ${identifiers}; at most 20 are allowed.`);
  if (identifiers > 0 !== query.has('identifiersType')) {
    return invalid('identifiers and identifiersType: each needs the other.');
  }
  return undefined;
}
