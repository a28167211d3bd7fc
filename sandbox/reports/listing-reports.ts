/** The reports on one marketplace's listings: all of them, a line each, and what the service's warehouses hold of them. */

import columns from '../recorded/report-columns.json' with { type: 'json' };
import type { ListingRow } from '../world/listing-row.ts';
import type { Market } from '../world/markets.ts';
import { HOUR_MS } from '../world/plain-values.ts';
import { cubicFeetOf } from '../world/products.ts';
import { reservedOf, totalOf, type WarehouseStock } from '../world/warehouse-stock.ts';
import { type ReportType, tableReport } from './report-type.ts';

type Status = 'Active' | 'Inactive' | 'Incomplete';

function statusOf({ status, createdDate }: ListingRow): Status {
  if (createdDate === undefined || status.length === 0) return 'Incomplete';
  return status.includes('BUYABLE') ? 'Active' : 'Inactive';
}

/** `2026-11-21 08:00:00 PST`; in Germany `21/11/2026 17:00:00 MEZ`. */
function openDate(iso: string | undefined, { opened: { hours, zone, order } }: Market): string {
  if (iso === undefined) return '';
  const local = new Date(Date.parse(iso) + hours * HOUR_MS).toISOString();
  const [day, time] = [local.slice(0, 10), local.slice(11, 19)];
  return `${order === 'dmy' ? day.split('-').reverse().join('/') : day} ${time} ${zone}`;
}

/**
 * GET_MERCHANT_LISTINGS_ALL_DATA and its parts. Of several marketplaces that are asked for, the service looks at the
 * first. @param only all where absent.
 */
export const listingsReport = (only?: readonly Status[]): ReportType =>
  tableReport<ListingRow & { market: Market }>({
    isLocalized: true,
    head: columns.listings,
    values: {
      'item-name': ({ title }) => title,
      'listing-id': ({ asin }) => `1121${asin.slice(5)}SBX`,
      'seller-sku': ({ sku }) => sku,
      price: ({ price }) => price,
      quantity: ({ quantity }) => quantity ?? '',
      'open-date': ({ createdDate, market }) => openDate(createdDate, market),
      'item-is-marketplace': 'y',
      'product-id-type': '1',
      'item-condition': '11',
      asin1: ({ asin }) => asin,
      'product-id': ({ asin }) => asin,
      'pending-quantity': '0',
      'fulfillment-channel': ({ fulfilledBy, market }) =>
        fulfilledBy === 'AMAZON' ? market.warehouses : 'DEFAULT',
      'merchant-shipping-group': 'Migrated Template',
      status: statusOf,
    },
    rows: (world, { markets: [market] }) =>
      market === undefined
        ? []
        : world
            .rows(market.id)
            .filter((row) => only === undefined || only.includes(statusOf(row)))
            .map((row) => ({ ...row, market })),
  });

/** GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA */
export const warehouseReport = tableReport<WarehouseStock>({
  minPauseMs: 30 * 60_000,
  head: columns.warehouse,
  values: {
    sku: ({ row }) => row.sku,
    fnsku: ({ row }) => row.fnSku ?? '',
    asin: ({ row }) => row.asin,
    'product-name': ({ row }) => row.title,
    condition: 'New',
    'your-price': ({ row }) => row.price,
    'mfn-listing-exists': 'No',
    'afn-listing-exists': 'Yes',
    'afn-warehouse-quantity': (stock) => stock.fulfillable + reservedOf(stock) + stock.unfulfillable,
    'afn-fulfillable-quantity': ({ fulfillable }) => fulfillable,
    'afn-unsellable-quantity': ({ unfulfillable }) => unfulfillable,
    'afn-reserved-quantity': reservedOf,
    'afn-total-quantity': totalOf,
    'per-unit-volume': ({ row }) => cubicFeetOf(row.asin),
    'afn-inbound-working-quantity': ({ inboundWorking }) => inboundWorking,
    'afn-inbound-shipped-quantity': ({ inboundShipped }) => inboundShipped,
    'afn-inbound-receiving-quantity': ({ inboundReceiving }) => inboundReceiving,
    'afn-researching-quantity': 0,
    'afn-reserved-future-supply': 0,
    'afn-future-supply-buyable': 0,
  },
  rows: (world, { markets: [market] }) => (market === undefined ? [] : world.stock(market.id)),
});
