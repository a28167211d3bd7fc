/** Suggests the nearest of the seller's SKUs for one that the seller does not have. */

import { distance } from 'fastest-levenshtein';
import { isJsonObject, type JsonObject, toObject } from '../../../base/json.ts';
import { quoteName } from '../../../base/text/quote-name.ts';
import { readPages } from '../../../call/read-pages.ts';
import type { ListingsReader } from './read-listings.ts';

/**
 * A search returns at most 1,000 listings, and a user would not wait for all of them to hear of a typing
 * error.
 */
const PAGES = {
  most: 25,
  token: 'pageToken',
  tokenIn: ({ pagination }: JsonObject) => toObject(pagination).nextToken,
};
const PAGE_SIZE = 20;
/** The maximum time for the search. */
const MAX_SEARCH_MS = 8_000;
const MAX_COMPARED = 100;

/** Returns the SKUs that a search lists first, or those read so far where it ends early. */
export async function listKnownSkus(
  { client, find, account, owner, marketplaceId, call }: ListingsReader,
  now: () => number,
): Promise<string[]> {
  const operation = find('listings-items/searchListingsItems');
  const parameters = {
    marketplaceIds: [marketplaceId],
    includedData: ['summaries'],
    pageSize: PAGE_SIZE,
  };
  const skus: string[] = [];
  const deadline = Math.min(now() + MAX_SEARCH_MS, call.deadline ?? Infinity);
  const input = { operation, account, parameters, owner };
  for await (const body of readPages(client, input, PAGES, { ...call, deadline })) {
    if (!Array.isArray(body?.items)) break;
    const items = body.items.filter(isJsonObject);
    skus.push(...items.flatMap(({ sku }) => (typeof sku === 'string' ? [sku] : [])));
    if (now() >= deadline) break;
  }
  return skus;
}

/** Returns a message that continues after the item's path. @param country as within a sentence */
export function describeUnknownSku(sku: string, known: readonly string[], country: string): string {
  const near = nearest(sku, known);
  const meant = near === undefined ? '' : `; did you mean ${quoteName(near)}?`;
  return `${quoteName(sku)} is no SKU of the account in ${country}${meant}`;
}

function nearest(sku: string, known: readonly string[]): string | undefined {
  const plain = plainOf(sku);
  const maxDistance = Math.max(1, Math.floor(plain.length / 4));
  let found: { sku: string; away: number } | undefined;
  for (const one of known) {
    const away = distance(plain, plainOf(one));
    if (away <= maxDistance && away < (found?.away ?? maxDistance + 1)) found = { sku: one, away };
  }
  return found?.sku;
}

/**
 * Normalizes a SKU, so that `lamp_oak 1` is near `LAMP-OAK-1`, and `1850`, as a spreadsheet writes it, is
 * near `001850`.
 */
const plainOf = (sku: string) =>
  sku
    .slice(0, MAX_COMPARED)
    .toUpperCase()
    .replace(/[\s_.]+/g, '-')
    .replace(/^0+(?=.)/, '');
