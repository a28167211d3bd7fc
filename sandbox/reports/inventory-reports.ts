/** The reports on how long the service's stock lasts, and what it costs to store. */

import type { Market } from '../world/markets.ts';
import { amountText, DAY_MS, feeCents } from '../world/plain-values.ts';
import { cubicFeetOf } from '../world/products.ts';
import { reservedOf, type WarehouseStock } from '../world/warehouse-stock.ts';
import type { World } from '../world/world.ts';
import { tableReport } from './report-type.ts';

interface StockLine extends WarehouseStock {
  market: Market;
  now: number;
  /** Returns the units that were shipped in so many days. */
  shippedIn(days: number): number;
}

function linesOf(world: World, market: Market | undefined): StockLine[] {
  if (market === undefined) return [];
  const shipped = world
    .orders()
    .filter(({ status, fulfilledBy }) => status === 'Shipped' && fulfilledBy === 'AMAZON')
    .filter((order) => order.market === market);
  return world.stock(market.id).map((stock) => ({
    ...stock,
    market,
    now: world.madeAt,
    shippedIn: (days) =>
      shipped
        .filter(({ updatedAt }) => updatedAt > world.madeAt - days * DAY_MS)
        .flatMap(({ items }) => items.filter(({ row }) => row.sku === stock.row.sku))
        .reduce((sum, item) => sum + item.shipped, 0),
  }));
}

const inboundOf = ({ inboundWorking, inboundShipped, inboundReceiving }: WarehouseStock): number =>
  inboundWorking + inboundShipped + inboundReceiving;

/** Is empty where nothing was shipped: nobody can tell then. */
function daysOfSupply({ fulfillable, shippedIn }: StockLine): number | '' {
  const units = shippedIn(30);
  return units === 0 ? '' : Math.round((fulfillable * 30) / units);
}

/** GET_FBA_INVENTORY_PLANNING_DATA: of several marketplaces it answers for the first. */
export const planningReport = tableReport<StockLine>({
  head: `snapshot-date sku fnsku asin product-name condition available pending-removal-quantity
    inv-age-0-to-90-days inv-age-91-to-180-days inv-age-181-to-270-days inv-age-271-to-365-days
    inv-age-365-plus-days currency units-shipped-t7 units-shipped-t30 units-shipped-t60 units-shipped-t90
    alert your-price sales-price recommended-action sell-through item-volume volume-unit-measurement
    marketplace days-of-supply estimated-excess-quantity inbound-quantity inbound-working inbound-shipped
    inbound-received total-reserved-quantity unfulfillable-quantity`,
  values: {
    'snapshot-date': ({ now }) => new Date(now).toISOString().slice(0, 10),
    sku: ({ row }) => row.sku,
    fnsku: ({ row }) => row.fnSku ?? '',
    asin: ({ row }) => row.asin,
    'product-name': ({ row }) => row.title,
    condition: 'New',
    available: ({ fulfillable }) => fulfillable,
    'pending-removal-quantity': 0,
    currency: ({ market }) => market.currency,
    'units-shipped-t7': ({ shippedIn }) => shippedIn(7),
    'units-shipped-t30': ({ shippedIn }) => shippedIn(30),
    'units-shipped-t60': ({ shippedIn }) => shippedIn(60),
    'units-shipped-t90': ({ shippedIn }) => shippedIn(90),
    'your-price': ({ row }) => row.price,
    'item-volume': ({ row }) => cubicFeetOf(row.asin),
    'volume-unit-measurement': 'cubic feet',
    marketplace: ({ market }) => market.country,
    'days-of-supply': daysOfSupply,
    'inbound-quantity': inboundOf,
    'inbound-working': ({ inboundWorking }) => inboundWorking,
    'inbound-shipped': ({ inboundShipped }) => inboundShipped,
    'inbound-received': ({ inboundReceiving }) => inboundReceiving,
    'total-reserved-quantity': reservedOf,
    'unfulfillable-quantity': ({ unfulfillable }) => unfulfillable,
  },
  rows: (world, { markets: [market] }) => linesOf(world, market),
});

/** In US cents for a cubic foot and a month. */
const STORAGE_CENTS = 78;

const onHand = (stock: WarehouseStock): number => stock.fulfillable + reservedOf(stock) + stock.unfulfillable;

const volumeOf = (stock: StockLine): number =>
  Math.round(onHand(stock) * cubicFeetOf(stock.row.asin) * 100) / 100;

/** GET_FBA_STORAGE_FEE_CHARGES_DATA: estimated for the last month, from what the warehouses hold. */
export const storageFeeReport = tableReport<StockLine>({
  head: `asin fnsku product_name fulfillment_center country_code item_volume volume_units
    average_quantity_on_hand average_quantity_pending_removal estimated_total_item_volume month_of_charge
    storage_rate currency estimated_monthly_storage_fee`,
  values: {
    asin: ({ row }) => row.asin,
    fnsku: ({ row }) => row.fnSku ?? '',
    product_name: ({ row }) => row.title,
    fulfillment_center: 'SBX1',
    country_code: ({ market }) => market.country,
    item_volume: ({ row }) => cubicFeetOf(row.asin),
    volume_units: 'cubic feet',
    average_quantity_on_hand: onHand,
    average_quantity_pending_removal: 0,
    estimated_total_item_volume: volumeOf,
    month_of_charge: ({ now }) => monthBefore(now),
    storage_rate: ({ market }) => amountText(feeCents(STORAGE_CENTS, market), market),
    currency: ({ market }) => market.currency,
    estimated_monthly_storage_fee: (stock) =>
      amountText(feeCents(STORAGE_CENTS * volumeOf(stock), stock.market), stock.market),
  },
  rows: (world, { markets: [market] }) => linesOf(world, market).filter((stock) => onHand(stock) > 0),
});

/** `2026-10` */
function monthBefore(now: number): string {
  const day = new Date(now);
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}
