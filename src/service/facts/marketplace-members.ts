/** Which members of a call hold the id of a marketplace, by their names and their place in the definition. */

import type { JsonSchema, Operation } from './operation.ts';
import { type Defs, own, resolveSchema } from './schema-parts.ts';

/** Other names that mean the same; a country, region, channel or name of a marketplace is none. */
const REVIEWED_NAMES: ReadonlySet<string> = new Set([
  'destinationMarketplaces',
  // Of getInventorySummaries, which knows no other granularity than the marketplace.
  'granularityId',
]);

/** True for `marketplaceId`, `MarketplaceIds`, `marketplace_id` and the reviewed others. */
export function isMarketplaceName(name: string): boolean {
  return /marketplace_?ids?$/i.test(name) || REVIEWED_NAMES.has(name);
}

/**
 * Where the definition leaves the members open, and one of them is known to hold a marketplace all the same: the
 * attributes of a listing, each value of which says where it counts.
 */
const OPEN_PLACES: Readonly<Record<string, string>> = {
  'listings-items/putListingsItem': 'marketplace_id',
  'listings-items/patchListingsItem': 'marketplace_id',
};

/** Of members that no definition names: which one of this operation holds a marketplace. */
export function openMarketplaceName({ id }: Operation): string | undefined {
  return own(OPEN_PLACES, id);
}

/** True where the definition takes a text or a list of texts, without a list of allowed ones. */
export function takesText(schema: JsonSchema, defs: Defs): boolean {
  const { type, items, enum: allowed } = resolveSchema(schema, defs);
  if (type === 'array') return items !== undefined && takesText(items, defs);
  return type === 'string' && allowed === undefined;
}
