/**
 * Records the listing states that a complete collection of listings, prices, stock or offers contains, for
 * comparison with reviews.
 */

import { parseJson } from '../../base/json.ts';
import { findMarketplace } from '../../service/facts/find-marketplace.ts';
import { currencyOf } from '../../service/facts/marketplaces.ts';
import { type ListingColumns, reportType } from '../../service/facts/report-types.ts';
import { quoteIdentifier, toName } from '../tables/sql-names.ts';
import type { CollectionInfo, CollectionSource, SqlValue, TableInfo, Tables } from '../tables/table-types.ts';
import { type ReviewedListingState, stateOfListing } from './compare-states.ts';
import { flattenListing } from './listing-rows.ts';

/** Max listings of one collection that are read. */
const MAX_ROWS = 50_000;
const MAX_BYTES = 50_000_000;
const QUERY_MS = 5_000;

/**
 * How to read listing members from a collection's tables: the required columns, the statement and the
 * members.
 */
interface Scan {
  /** The required columns of its main table, and of its list tables by the suffix of their names. */
  needs: Readonly<Record<string, readonly string[]>>;
  /** Returns the statement, which selects the SKU first, then the members in their order. */
  sql(tables: Readonly<Record<string, string>>): string;
  members: readonly (keyof ReviewedListingState)[];
}

const OFFERS: Scan = {
  needs: { '': ['seller_sku'], offers: ['my_offer', 'is_buy_box_winner'] },
  sql: ({ '': main, offers }) =>
    `SELECT seller_sku, max(my_offer = 1 AND is_buy_box_winner = 1) FROM ${main} JOIN ${offers} USING (item) GROUP BY 1`,
  members: ['featured'],
};

const SCANS: Readonly<Record<string, readonly Scan[]>> = {
  'product-pricing/getListingOffers': [OFFERS],
  'fulfilment-inventory/getInventorySummaries': [
    {
      needs: { '': ['seller_sku', 'inventory_details_fulfillable_quantity'] },
      sql: ({ '': main }) =>
        `SELECT seller_sku, inventory_details_fulfillable_quantity FROM ${main} WHERE inventory_details_fulfillable_quantity IS NOT NULL`,
      members: ['stock'],
    },
  ],
};

/** Operations that return listings in the form that a review reads. */
const LISTINGS: ReadonlySet<string> = new Set([
  'listings-items/searchListingsItems',
  'listings-items/getListingsItem',
]);

type Seen = Map<string, Partial<ReviewedListingState>>;
type Sql = (sql: string) => Promise<SqlValue[][]>;

/**
 * Records the states of a complete collection of one marketplace, and nothing of any other. Members that it
 * did not read stay unchanged.
 * @param home the marketplace if the call named none.
 * @throws the errors of `Tables.query`; the system's errors
 */
export async function recordCollectedStates(
  info: CollectionInfo,
  tables: Pick<Tables, 'query' | 'snapshots'>,
  { home, signal }: { home: string | undefined; signal: AbortSignal },
): Promise<void> {
  const { source, complete } = info;
  const marketplaceId = marketplaceOf(source, home);
  const at = momentOf(info);
  if (!complete || marketplaceId === undefined || at === undefined) return;
  const ask: Sql = async (sql) => {
    const options = { maxRows: MAX_ROWS, maxBytes: MAX_BYTES, timeoutMs: QUERY_MS, signal };
    return (await tables.query(sql, options)).rows;
  };
  const seen: Seen =
    source.kind === 'operation' && LISTINGS.has(source.operation)
      ? await listingStates(info, marketplaceId, ask)
      : await queryStates(info, scansOf(source, marketplaceId), ask);
  if (seen.size > 0) await tables.snapshots.keepPart(marketplaceId, at, seen);
}

function scansOf(source: CollectionSource, marketplaceId: string): readonly Scan[] {
  if (source.kind === 'operation') return SCANS[source.operation] ?? [];
  const shows = source.kind === 'report' ? reportType(source.reportType)?.shows : undefined;
  return shows === undefined ? [] : reportScans(shows, currencyOf(marketplaceId));
}

async function queryStates(info: CollectionInfo, looks: readonly Scan[], ask: Sql): Promise<Seen> {
  const seen: Seen = new Map();
  for (const { needs, sql, members } of looks) {
    const names = namesOf(info.tables, needs);
    if (names === undefined) continue;
    for (const [sku, ...values] of await ask(sql(names))) {
      if (typeof sku !== 'string') continue;
      const own = Object.fromEntries(members.map((member, at) => [member, memberValue(member, values[at])]));
      seen.set(sku, { ...seen.get(sku), ...own });
    }
  }
  return seen;
}

/**
 * Returns the moment of the state: a report's creation, however late it is read, or the time of a call's
 * answer.
 */
function momentOf({ source, collectedAt }: CollectionInfo): string | undefined {
  if (source.kind !== 'report') return collectedAt;
  const made = Date.parse(source.madeAt ?? '');
  return Number.isNaN(made) ? undefined : new Date(made).toISOString();
}

/**
 * Builds the statements for a report. An empty column is no information; several rows of one SKU are one
 * stock.
 */
function reportScans({ sku, only, ...shows }: ListingColumns, currency: string | undefined): Scan[] {
  const id = toName(sku);
  const [price, quantity, channel, status] = [shows.price, shows.quantity, shows.channel, shows.status].map(
    (name) => (name === undefined ? undefined : toName(name)),
  );
  const isOnly = only && `${toName(only.column)} = '${only.value}'`;
  const look = (value: string, where: string, others: readonly string[], members: Scan['members']): Scan => ({
    needs: { '': [id, ...others, ...(only === undefined ? [] : [toName(only.column)])] },
    sql: ({ '': main }) =>
      `SELECT ${id}, ${value} FROM ${main} WHERE ${[where, ...(isOnly ? [isOnly] : [])].join(' AND ')} GROUP BY 1`,
    members,
  });
  const isNumber = (column: string) => `typeof(${column}) IN ('integer', 'real')`;
  return [
    ...(price === undefined || currency === undefined
      ? []
      : [look(`min(${price}), '${currency}'`, isNumber(price), [price], ['price', 'currency'])]),
    ...(quantity === undefined
      ? []
      : [
          look(
            `sum(${quantity})`,
            // Stock that the service holds comes from other sources.
            [isNumber(quantity), ...(channel === undefined ? [] : [`${channel} = 'DEFAULT'`])].join(' AND '),
            [quantity, ...(channel === undefined ? [] : [channel])],
            ['stock'],
          ),
        ]),
    ...(status === undefined
      ? []
      : [
          look(
            `max(${status} = 'Active')`,
            `${status} IN ('Active', 'Inactive', 'Incomplete')`,
            [status],
            ['buyable'],
          ),
        ]),
  ];
}

// Listings are rebuilt from their tables, so that they are read in the same way as in a review.

/** The nested tables of each listing, by the suffix of their names. */
const PARTS = [
  'summaries',
  'offers',
  'fulfillment_availability',
  'issues',
  'issues_enforcements_actions',
] as const;

async function listingStates(info: CollectionInfo, marketplaceId: string, ask: Sql): Promise<Seen> {
  const [main] = info.tables;
  const given = info.source.kind === 'operation' ? info.source.parameters : {};
  const hasIssues = [given.includedData].flat().join().split(',').includes('issues');
  const seen: Seen = new Map();
  if (main === undefined || !main.columns.some(({ name }) => name === 'sku')) return seen;
  // The row of a failed call has no information.
  const withoutErrors = main.columns.some(({ name }) => name === 'error') ? ' WHERE error IS NULL' : '';
  const items = new Map<SqlValue | undefined, Record<string, ListingTableRow[]>>();
  const skus = await ask(`SELECT item, sku FROM ${quoteIdentifier(main.name)}${withoutErrors}`);
  for (const part of PARTS) {
    for (const row of await rowsOf(
      info.tables.find(({ name }) => name === `${main.name}_${part}`),
      ask,
    )) {
      const parts = items.get(row.item) ?? {};
      items.set(row.item, { ...parts, [part]: [...(parts[part] ?? []), row] });
    }
  }
  for (const [item, sku] of skus) {
    const listing = flattenListing(
      rebuildListing(sku, items.get(item) ?? {}),
      { id: marketplaceId, name: '' },
      Date.parse(info.collectedAt),
    );
    if (listing === undefined) continue;
    const { suppressed, causes, price, currency, stock, buyable } = stateOfListing(
      listing.row,
      listing.issues,
    );
    const leftStates = {
      ...(hasIssues ? { suppressed, causes } : {}),
      ...(price === null ? {} : { price, currency }),
      ...(stock === null ? {} : { stock }),
      ...(buyable === null ? {} : { buyable }),
    };
    if (Object.keys(leftStates).length > 0) seen.set(listing.row.sku, leftStates);
  }
  return seen;
}

type ListingTableRow = Readonly<Record<string, SqlValue>>;

async function rowsOf(table: TableInfo | undefined, ask: Sql): Promise<ListingTableRow[]> {
  if (table === undefined) return [];
  const columns = table.columns.map(({ name }) => name);
  const rows = await ask(
    `SELECT ${columns.map(quoteIdentifier).join(', ')} FROM ${quoteIdentifier(table.name)}`,
  );
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])));
}

/** Rebuilds a listing as sent, as far as a review reads it. */
function rebuildListing(sku: unknown, parts: Readonly<Record<string, ListingTableRow[]>>): object {
  const { summaries = [], offers = [], fulfillment_availability: stock = [], issues = [] } = parts;
  const actions = parts.issues_enforcements_actions ?? [];
  return {
    sku,
    summaries: summaries.map(({ marketplace_id: id, status }) => ({
      ...idOf(id),
      ...listOf('status', status),
    })),
    offers: offers.map(({ marketplace_id: id, offer_type: offerType, ...offer }) => ({
      ...idOf(id),
      offerType,
      price: { amount: offer.price_amount, currencyCode: offer.price_currency_code },
    })),
    fulfillmentAvailability: stock.map(({ fulfillment_channel_code: fulfillmentChannelCode, quantity }) => ({
      fulfillmentChannelCode,
      quantity,
    })),
    issues: issues.map(({ n, code, ...issue }) => ({
      code,
      ...listOf('attributeNames', issue.attribute_names),
      ...listOf('marketplaceIds', issue.marketplace_ids),
      enforcements: {
        actions: actions.filter(({ parent_n: parent }) => parent === n).map(({ action }) => ({ action })),
        exemption: {
          status: issue.enforcements_exemption_status ?? '',
          expiryDate: issue.enforcements_exemption_expiry_date ?? undefined,
        },
      },
    })),
  };
}

const idOf = (id: SqlValue | undefined) => (typeof id === 'string' ? { marketplaceId: id } : {});

/** Parses a list of texts from a table. */
function listOf(name: string, json: SqlValue | undefined) {
  const list = typeof json === 'string' ? parseJson(json) : undefined;
  return Array.isArray(list) ? { [name]: list } : {};
}

function memberValue(member: keyof ReviewedListingState, value: SqlValue | undefined): SqlValue {
  if (member === 'currency') return typeof value === 'string' ? value : null;
  return typeof value === 'number' ? value : null;
}

/** Returns the marketplace if the source covers exactly one. */
function marketplaceOf(source: CollectionSource, home: string | undefined): string | undefined {
  if (source.kind === 'document') return undefined;
  const given =
    source.kind === 'report'
      ? source.marketplaces
      : (source.parameters.marketplaceIds ?? source.parameters.MarketplaceId);
  const ids = [given ?? home].flat();
  if (ids.length !== 1 || typeof ids[0] !== 'string') return undefined;
  const found = findMarketplace(ids[0]);
  return found.kind === 'known' ? found.marketplace.id : undefined;
}

/** Returns the names of the required tables if all their columns exist; undefined otherwise. */
function namesOf(tables: readonly TableInfo[], needs: Scan['needs']): Record<string, string> | undefined {
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
