/** A listing as the listings operations show it: the parts asked for, narrowed to the marketplaces asked for. */

import { isJsonObject } from '../../src/base/json.ts';
import type { ListingFixture } from '../fixtures/listing.ts';
import { attributesOf } from './listing-store.ts';

/** What `includedData` can name. */
export const PARTS: readonly string[] = [
  'summaries',
  'attributes',
  'issues',
  'offers',
  'fulfillmentAvailability',
  'procurement',
  'relationships',
  'productTypes',
];

/** @param parts none: the summaries. */
export function showListing(
  listing: ListingFixture,
  marketplaceIds: readonly string[],
  parts: readonly string[],
): object {
  const here = listing.marketplaceIds.filter((id) => marketplaceIds.includes(id));
  const entries = (parts.length > 0 ? parts : ['summaries']).flatMap((part): [string, unknown][] => {
    const value = partOf(listing, part, here);
    return value === undefined ? [] : [[part, Array.isArray(value) ? narrow(value, here) : value]];
  });
  return { sku: listing.item.sku, ...Object.fromEntries(entries) };
}

function partOf(listing: ListingFixture, part: string, marketplaceIds: readonly string[]): unknown {
  if (part === 'productTypes') return productTypes(listing);
  if (part !== 'attributes') return listing.item[part];
  const here = Object.entries(attributesOf(listing)).map(
    ([name, entries]) => [name, inMarketplaces(entries, marketplaceIds)] as const,
  );
  const filled = here.filter(([, entries]) => entries.length > 0);
  return filled.length === 0 ? undefined : Object.fromEntries(filled);
}

function inMarketplaces(entries: readonly unknown[], marketplaceIds: readonly string[]): readonly unknown[] {
  return entries.filter((entry) => {
    const id = isJsonObject(entry) ? entry.marketplace_id : undefined;
    return typeof id !== 'string' || marketplaceIds.includes(id);
  });
}

/** What belongs to these marketplaces; an entry that names none belongs to all. */
function narrow(entries: readonly unknown[], marketplaceIds: readonly string[]): readonly unknown[] {
  return entries.filter((entry) => {
    if (!isJsonObject(entry)) return true;
    const own = entry.marketplaceId ?? entry.marketplaceIds;
    if (Array.isArray(own)) return own.some((id) => marketplaceIds.includes(id));
    return typeof own !== 'string' || marketplaceIds.includes(own);
  });
}

function productTypes({ item }: ListingFixture): unknown {
  if (!Array.isArray(item.summaries)) return undefined;
  return item.summaries
    .filter(isJsonObject)
    .map(({ marketplaceId, productType }) => ({ marketplaceId, productType }));
}
