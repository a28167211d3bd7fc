/** GET_MERCHANT_LISTINGS_ALL_DATA and its parts: every listing of one marketplace, a line each. */

import type { ListingRow } from '../world/listing-row.ts';
import type { Market } from '../world/markets.ts';
import { HOUR_MS } from '../world/plain-values.ts';
import { type Columns, tabSeparated } from './delimited.ts';
import type { ReportType } from './report-type.ts';

const none = (): string => '';

type Status = 'Active' | 'Inactive' | 'Incomplete';

function statusOf({ status, createdDate }: ListingRow): Status {
  if (createdDate === undefined || status.length === 0) return 'Incomplete';
  return status.includes('BUYABLE') ? 'Active' : 'Inactive';
}

/** `2026-11-21 08:00:00 PST`; in Germany `21/11/2026 17:00:00 MEZ`. */
function openDate(iso: string | undefined, { country }: Market): string {
  if (iso === undefined) return '';
  const isGerman = country === 'DE';
  const local = new Date(Date.parse(iso) + (isGerman ? 1 : -8) * HOUR_MS).toISOString();
  const [day, time] = [local.slice(0, 10), local.slice(11, 19)];
  return isGerman ? `${day.split('-').reverse().join('/')} ${time} MEZ` : `${day} ${time} PST`;
}

/** Many of these have been empty for years. */
const columnsFor = (market: Market): Columns<ListingRow> => [
  ['item-name', ({ title }) => title],
  ['item-description', none],
  ['listing-id', ({ asin }) => `1121${asin.slice(5)}SBX`],
  ['seller-sku', ({ sku }) => sku],
  ['price', ({ price }) => price],
  ['quantity', ({ quantity }) => quantity ?? ''],
  ['open-date', ({ createdDate }) => openDate(createdDate, market)],
  ['image-url', none],
  ['item-is-marketplace', () => 'y'],
  ['product-id-type', () => '1'],
  ['zshop-shipping-fee', none],
  ['item-note', none],
  ['item-condition', () => '11'],
  ['zshop-category1', none],
  ['zshop-browse-path', none],
  ['zshop-storefront-feature', none],
  ['asin1', ({ asin }) => asin],
  ['asin2', none],
  ['asin3', none],
  ['will-ship-internationally', none],
  ['expedited-shipping', none],
  ['zshop-boldface', none],
  ['product-id', ({ asin }) => asin],
  ['bid-for-featured-placement', none],
  ['add-delete', none],
  ['pending-quantity', () => '0'],
  ['fulfillment-channel', ({ fulfilledBy }) => (fulfilledBy === 'AMAZON' ? market.warehouses : 'DEFAULT')],
  ['merchant-shipping-group', () => 'Migrated Template'],
  ['status', statusOf],
];

/** Of several marketplaces that are asked for, the service looks at the first. @param only all where absent. */
export const listingsReport = (only?: readonly Status[]): ReportType => ({
  charset: 'UTF-8',
  contentType: 'text/plain;charset=UTF-8',
  isCompressed: false,
  build(world, { markets: [market] }) {
    if (market === undefined) return undefined;
    const rows = world.rows(market.id).filter((row) => only === undefined || only.includes(statusOf(row)));
    return rows.length > 0 ? tabSeparated(columnsFor(market), rows) : undefined;
  },
});
