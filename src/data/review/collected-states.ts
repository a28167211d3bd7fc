/** What a whole collection of prices, stock or offers has seen of listings, left for a comparison with the reviews. */

import { findMarketplace } from '../../service/facts/find-marketplace.ts';
import { quoteIdentifier } from '../tables/names.ts';
import type { CollectionInfo, SqlValue, TableInfo, Tables } from '../tables/types.ts';
import type { ListingState } from './compare-states.ts';

/** Listings of one collection that are looked at. */
const MOST_ROWS = 50_000;
const MOST_BYTES = 50_000_000;
const QUERY_MS = 5_000;

/** What a table of a collection tells of a listing: columns that must be there, the rest of the statement, and the members. */
interface Look {
  /** Of its main table, and of the tables of its lists by the end of their names. */
  needs: Readonly<Record<string, readonly string[]>>;
  /** SKU first, then the members in their order. */
  sql(tables: Readonly<Record<string, string>>): string;
  members: readonly (keyof ListingState)[];
}

const OFFERS: Look = {
  needs: { '': ['seller_sku'], offers: ['my_offer', 'is_buy_box_winner'] },
  sql: ({ '': main, offers }) =>
    `SELECT seller_sku, max(my_offer = 1 AND is_buy_box_winner = 1) FROM ${main} JOIN ${offers} USING (item) GROUP BY 1`,
  members: ['featured'],
};

const LOOKS: Readonly<Record<string, readonly Look[]>> = {
  'product-pricing/getListingOffers': [OFFERS],
  'fulfilment-inventory/getInventorySummaries': [
    {
      needs: { '': ['seller_sku', 'inventory_details_fulfillable_quantity'] },
      sql: ({ '': main }) =>
        `SELECT seller_sku, inventory_details_fulfillable_quantity FROM ${main} WHERE inventory_details_fulfillable_quantity IS NOT NULL`,
      members: ['stock'],
    },
  ],
  'listings-items/searchListingsItems': [
    {
      needs: { '': ['sku'], offers: ['price_amount', 'price_currency_code', 'offer_type'] },
      sql: ({ '': main, offers }) =>
        `SELECT sku, min(price_amount), min(price_currency_code) FROM ${main} JOIN ${offers} USING (item) WHERE offer_type <> 'B2B' AND typeof(price_amount) <> 'text' GROUP BY 1`,
      members: ['price', 'currency'],
    },
    {
      needs: { '': ['sku'], fulfillment_availability: ['quantity', 'fulfillment_channel_code'] },
      sql: ({ '': main, fulfillment_availability: own }) =>
        `SELECT sku, sum(quantity) FROM ${main} JOIN ${own} USING (item) GROUP BY 1 HAVING max(fulfillment_channel_code LIKE 'AMAZON%') = 0 AND count(quantity) > 0`,
      members: ['stock'],
    },
  ],
};

/**
 * Of a collection that is whole and of one marketplace; of any other nothing. What it did not read stays as it was.
 * @param home where the call named no marketplace. @throws as `Tables.query`; the system's errors
 */
export async function keepCollectedStates(
  info: CollectionInfo,
  tables: Pick<Tables, 'query' | 'snapshots'>,
  { home, signal }: { home: string | undefined; signal: AbortSignal },
): Promise<void> {
  const { source, complete, collectedAt } = info;
  const looks = source.kind === 'operation' ? (LOOKS[source.operation] ?? []) : [];
  const marketplaceId = source.kind === 'operation' ? marketplaceOf(source.parameters, home) : undefined;
  if (!complete || looks.length === 0 || marketplaceId === undefined) return;
  const seen = new Map<string, Partial<ListingState>>();
  for (const { needs, sql, members } of looks) {
    const names = namesOf(info.tables, needs);
    if (names === undefined) continue;
    const options = { maxRows: MOST_ROWS, maxBytes: MOST_BYTES, timeoutMs: QUERY_MS, signal };
    for (const [sku, ...values] of (await tables.query(sql(names), options)).rows) {
      if (typeof sku !== 'string') continue;
      const own = Object.fromEntries(members.map((member, at) => [member, memberValue(member, values[at])]));
      seen.set(sku, { ...seen.get(sku), ...own });
    }
  }
  if (seen.size > 0) await tables.snapshots.keepPart(marketplaceId, collectedAt, seen);
}

function memberValue(member: keyof ListingState, value: SqlValue | undefined): SqlValue {
  if (member === 'currency') return typeof value === 'string' ? value : null;
  return typeof value === 'number' ? value : null;
}

/** Of one marketplace alone. */
function marketplaceOf(
  given: Readonly<Record<string, unknown>>,
  home: string | undefined,
): string | undefined {
  const ids = [given.marketplaceIds ?? given.MarketplaceId ?? home].flat();
  if (ids.length !== 1 || typeof ids[0] !== 'string') return undefined;
  const found = findMarketplace(ids[0]);
  return found.kind === 'known' ? found.marketplace.id : undefined;
}

/** The tables that a look needs, with all of its columns; undefined where one is not there. */
function namesOf(tables: readonly TableInfo[], needs: Look['needs']): Record<string, string> | undefined {
  const [main] = tables;
  const names: Record<string, string> = {};
  for (const [end, columns] of Object.entries(needs)) {
    const name = end === '' ? main?.name : `${main?.name}_${end}`;
    const table = tables.find((one) => one.name === name);
    if (table === undefined || !columns.every((column) => table.columns.some((one) => one.name === column)))
      return undefined;
    names[end] = quoteIdentifier(table.name);
  }
  return names;
}
