/** GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA: what the service's warehouses hold for one marketplace. */

import { totalOf } from '../operations/inventory-summaries.ts';
import type { WarehouseStock } from '../world/warehouse-stock.ts';
import { type Columns, tabSeparated } from './delimited.ts';
import type { ReportType } from './report-type.ts';

const COLUMNS: Columns<WarehouseStock> = [
  ['sku', ({ row }) => row.sku],
  ['fnsku', ({ row }) => row.fnSku ?? ''],
  ['asin', ({ row }) => row.asin],
  ['product-name', ({ row }) => row.title],
  ['condition', () => 'New'],
  ['your-price', ({ row }) => row.price],
  ['mfn-listing-exists', () => 'No'],
  ['mfn-fulfillable-quantity', () => ''],
  ['afn-listing-exists', () => 'Yes'],
  [
    'afn-warehouse-quantity',
    ({ fulfillable, reserved, unfulfillable }) => fulfillable + reserved + unfulfillable,
  ],
  ['afn-fulfillable-quantity', ({ fulfillable }) => fulfillable],
  ['afn-unsellable-quantity', ({ unfulfillable }) => unfulfillable],
  ['afn-reserved-quantity', ({ reserved }) => reserved],
  ['afn-total-quantity', totalOf],
  ['per-unit-volume', () => '0.04'],
  ['afn-inbound-working-quantity', ({ inboundWorking }) => inboundWorking],
  ['afn-inbound-shipped-quantity', ({ inboundShipped }) => inboundShipped],
  ['afn-inbound-receiving-quantity', ({ inboundReceiving }) => inboundReceiving],
  ['afn-researching-quantity', () => 0],
  ['afn-reserved-future-supply', () => 0],
  ['afn-future-supply-buyable', () => 0],
];

export const warehouseReport: ReportType = {
  charset: 'UTF-8',
  contentType: 'text/plain;charset=UTF-8',
  isCompressed: false,
  minPauseMs: 30 * 60_000,
  build(world, { markets: [market] }) {
    const stock = market === undefined ? [] : world.stock(market.id);
    return stock.length > 0 ? tabSeparated(COLUMNS, stock) : undefined;
  },
};
