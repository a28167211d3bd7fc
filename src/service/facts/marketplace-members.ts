/**
 * Recognizes the members of a call that contain a marketplace ID, by their names and their position in the
 * definition.
 */

import type { JsonSchema, Operation } from './operation.ts';
import { own, resolveSchema, type SchemaDefs } from './schema-parts.ts';

/**
 * Reviewed other names with the same meaning; those of a country, region, channel or marketplace name are
 * excluded.
 */
const REVIEWED_NAMES: ReadonlySet<string> = new Set([
  'destinationMarketplaces',
  // This name occurs in getInventorySummaries, whose only granularity is the marketplace.
  'granularityId',
]);

/** Returns true for `marketplaceId`, `MarketplaceIds`, `marketplace_id` and the reviewed others. */
export function isMarketplaceName(name: string): boolean {
  return /marketplace_?ids?$/i.test(name) || REVIEWED_NAMES.has(name);
}

/**
 * The marketplace members that the definition leaves open: the attributes of a listing, each value of which
 * states where it applies.
 */
const OPEN_PLACES: Readonly<Record<string, string>> = {
  'listings-items/putListingsItem': 'marketplace_id',
  'listings-items/patchListingsItem': 'marketplace_id',
};

/** Returns which member of the operation contains a marketplace although no definition names it. */
export function openMarketplaceName({ id }: Operation): string | undefined {
  return own(OPEN_PLACES, id);
}

/** Returns true when the definition accepts a text or a list of texts, without an enum. */
export function takesText(schema: JsonSchema, defs: SchemaDefs): boolean {
  const { type, items, enum: allowed } = resolveSchema(schema, defs);
  if (type === 'array') return items !== undefined && takesText(items, defs);
  return type === 'string' && allowed === undefined;
}
