/** The reports on how long the service's stock lasts, and what it costs to store and to sell. */

import columns from '../recorded/report-columns.json' with { type: 'json' };
import { AGE_TIERS, type AgeSurcharge, surchargesAt, unitsAged } from '../world/aged-inventory.ts';
import { referralFeeCents, unitFulfillmentFeeCents } from '../world/fees.ts';
import type { ListingRow } from '../world/listing-row.ts';
import type { Market } from '../world/markets.ts';
import { dayOf } from '../world/periods.ts';
import { amountText, centsOf, DAY_MS, isoSeconds } from '../world/plain-values.ts';
import { cubicFeetOf } from '../world/products.ts';
import { type StorageFee, storageRateCents } from '../world/storage-fees.ts';
import { inboundOf, onHandOf, reservedOf, totalOf, type WarehouseStock } from '../world/warehouse-stock.ts';
import type { World } from '../world/world.ts';
import { isInTime, tableReport, type Values } from './report-type.ts';

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

/** Is empty where nothing was shipped: nobody can tell then. */
function daysOfSupply({ fulfillable, shippedIn }: StockLine): number | '' {
  const units = shippedIn(30);
  return units === 0 ? '' : Math.round((fulfillable * 30) / units);
}

const AGES = ['0-to-90', '91-to-180', '181-to-270', '271-to-365', '365-plus'];

const ageValues: Values<StockLine> = Object.fromEntries(
  AGES.map((age) => [`inv-age-${age}-days`, (line: StockLine) => unitsAged(line, age, line.now)]),
);

const surchargeValues: Values<StockLine> = Object.fromEntries(
  Object.keys(AGE_TIERS).flatMap((tier) => {
    const surcharge = (line: StockLine) =>
      surchargesAt(line, line.market, line.now).find((one) => one.tier === tier);
    return [
      [`quantity-to-be-charged-ais-${tier}-days`, (line: StockLine) => surcharge(line)?.units ?? 0],
      [
        `estimated-ais-${tier}-days`,
        (line: StockLine) => amountText(surcharge(line)?.cents ?? 0, line.market),
      ],
    ];
  }),
);

/** GET_FBA_INVENTORY_PLANNING_DATA: of several marketplaces it answers for the first. */
export const planningReport = tableReport<StockLine>({
  head: columns.planning,
  values: {
    'snapshot-date': ({ now }) => dayOf(now),
    sku: ({ row }) => row.sku,
    fnsku: ({ row }) => row.fnSku ?? '',
    asin: ({ row }) => row.asin,
    'product-name': ({ row }) => row.title,
    condition: 'New',
    available: ({ fulfillable }) => fulfillable,
    'pending-removal-quantity': 0,
    ...ageValues,
    ...surchargeValues,
    currency: ({ market }) => market.currency,
    'units-shipped-t7': ({ shippedIn }) => shippedIn(7),
    'units-shipped-t30': ({ shippedIn }) => shippedIn(30),
    'units-shipped-t60': ({ shippedIn }) => shippedIn(60),
    'units-shipped-t90': ({ shippedIn }) => shippedIn(90),
    'your-price': ({ row }) => row.price,
    'sell-through': ({ fulfillable, shippedIn }) =>
      fulfillable === 0 ? '' : (shippedIn(90) / fulfillable).toFixed(2),
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

/** The seller wants stock for so many days, and a shipment takes so many. */
const TARGET_DAYS = 60;
const DAYS_UNDER_WAY = 14;

/** Returns the units that are missing for the time that the seller wants, less those under way. */
const replenishmentOf = (line: StockLine): number =>
  Math.max(0, Math.ceil((line.shippedIn(30) * TARGET_DAYS) / 30) - line.fulfillable - inboundOf(line));

/** Returns the day until which a shipment has to leave; today where that day is over. */
function shipDateOf(line: StockLine): string {
  if (replenishmentOf(line) === 0) return '';
  const days = Number(daysOfSupply(line)) - DAYS_UNDER_WAY;
  return dayOf(line.now + Math.max(0, days) * DAY_MS);
}

const alertOf = (line: StockLine): string => {
  if (line.shippedIn(30) === 0) return '';
  return line.fulfillable === 0 ? 'out_of_stock' : replenishmentOf(line) > 0 ? 'low_stock' : '';
};

/** GET_RESTOCK_INVENTORY_RECOMMENDATIONS_REPORT: of several marketplaces it answers for the first. */
export const restockReport = tableReport<StockLine>({
  values: {
    Country: ({ market }) => market.country,
    'Product Name': ({ row }) => row.title,
    FNSKU: ({ row }) => row.fnSku ?? '',
    'Merchant SKU': ({ row }) => row.sku,
    ASIN: ({ row }) => row.asin,
    Condition: 'New',
    Supplier: '',
    'Supplier part no.': '',
    'Currency code': ({ market }) => market.currency,
    Price: ({ row }) => row.price,
    'Sales last 30 days': (line) =>
      amountText(line.shippedIn(30) * (centsOf(line.row.price) ?? 0), line.market),
    'Units Sold Last 30 Days': ({ shippedIn }) => shippedIn(30),
    'Total Units': totalOf,
    Inbound: inboundOf,
    Available: ({ fulfillable }) => fulfillable,
    'FC transfer': ({ transferred }) => transferred,
    'FC Processing': 0,
    'Customer Order': ({ waiting }) => waiting,
    Unfulfillable: ({ unfulfillable }) => unfulfillable,
    Working: ({ inboundWorking }) => inboundWorking,
    Shipped: ({ inboundShipped }) => inboundShipped,
    Receiving: ({ inboundReceiving }) => inboundReceiving,
    'Fulfilled by': 'Amazon',
    'Total Days of Supply (including units from open shipments)': (line) =>
      daysOfSupply({ ...line, fulfillable: line.fulfillable + inboundOf(line) }),
    'Days of Supply at Amazon Fulfillment Network': daysOfSupply,
    Alert: alertOf,
    'Recommended replenishment qty': replenishmentOf,
    'Recommended ship date': shipDateOf,
  },
  rows: (world, { markets: [market] }) => linesOf(world, market),
});

/**
 * GET_FBA_STORAGE_FEE_CHARGES_DATA holds the months of that time which are over, or else the last one before. It is the
 * same whichever marketplace is asked for.
 */
export const storageFeeReport = tableReport<StorageFee>({
  head: columns.storageFees,
  values: {
    asin: ({ stock }) => stock.row.asin,
    fnsku: ({ stock }) => stock.row.fnSku ?? '',
    product_name: ({ stock }) => stock.row.title,
    fulfillment_center: 'SBX1',
    country_code: ({ market }) => market.country,
    item_volume: ({ stock }) => cubicFeetOf(stock.row.asin),
    volume_units: 'cubic feet',
    average_quantity_on_hand: ({ stock }) => onHandOf(stock),
    average_quantity_pending_removal: 0,
    estimated_total_item_volume: ({ cubicFeet }) => cubicFeet,
    month_of_charge: ({ start }) => dayOf(start).slice(0, 7),
    storage_rate: ({ market }) => amountText(storageRateCents(market), market),
    currency: ({ market }) => market.currency,
    estimated_monthly_storage_fee: ({ market, cents }) => amountText(cents, market),
  },
  rows(world, { start, end }) {
    // The ends of a month anywhere lie less than half a day within another month of UTC.
    const begun = world.storageFees().filter((fee) => fee.start < end - DAY_MS / 2);
    const inTime = begun.filter((fee) => fee.end > start + DAY_MS / 2);
    return inTime.length > 0 ? inTime : begun.filter((fee) => fee.end === begun.at(-1)?.end);
  },
});

/** GET_FBA_FULFILLMENT_LONGTERM_STORAGE_FEE_CHARGES_DATA is the same whichever marketplace is asked for, too. */
export const agedInventoryReport = tableReport<AgeSurcharge>({
  values: {
    'snapshot-date': ({ at }) => isoSeconds(at),
    sku: ({ stock }) => stock.row.sku,
    fnsku: ({ stock }) => stock.row.fnSku ?? '',
    asin: ({ stock }) => stock.row.asin,
    'product-name': ({ stock }) => stock.row.title,
    condition: 'New',
    'per-unit-volume': ({ stock }) => cubicFeetOf(stock.row.asin),
    currency: ({ market }) => market.currency,
    'volume-unit': 'cubic feet',
    country: ({ market }) => market.country,
    'qty-charged': ({ units }) => units,
    'amount-charged': ({ market, cents }) => amountText(cents, market),
    'surcharge-age-tier': ({ tier }) => tier,
    'rate-surcharge': ({ market, rateCents }) => amountText(rateCents, market),
  },
  rows: (world, request) => world.surcharges().filter(({ at }) => isInTime(request, at)),
});

interface FeePreview {
  row: ListingRow;
  market: Market;
  referral: number;
  fulfillment: number;
}

const preview = (row: ListingRow, market: Market): FeePreview => ({
  row,
  market,
  referral: referralFeeCents(centsOf(row.price) ?? 0, market),
  fulfillment: unitFulfillmentFeeCents(row.asin, market),
});

const amount =
  (of: (fees: FeePreview) => number) =>
  (fees: FeePreview): string =>
    amountText(of(fees), fees.market);

/** GET_FBA_ESTIMATED_FBA_FEES_TXT_DATA: it holds all marketplaces, whichever is asked for. */
export const feePreviewReport = tableReport<FeePreview>({
  head: columns.feePreview,
  values: {
    sku: ({ row }) => row.sku,
    fnsku: ({ row }) => row.fnSku ?? '',
    asin: ({ row }) => row.asin,
    'amazon-store': ({ market }) => market.country,
    'product-name': ({ row }) => row.title,
    brand: ({ market }) => market.words.brand,
    'fulfilled-by': 'Amazon',
    'your-price': ({ row }) => row.price,
    'sales-price': ({ row }) => row.price,
    currency: ({ market }) => market.currency,
    'estimated-fee-total': amount(({ referral, fulfillment }) => referral + fulfillment),
    'estimated-referral-fee-per-unit': amount(({ referral }) => referral),
    'expected-fulfillment-fee-per-unit': amount(({ fulfillment }) => fulfillment),
  },
  rows: (world) =>
    world.markets.flatMap((market) =>
      world.stock(market.id).flatMap(({ row }) => (row.price === '' ? [] : [preview(row, market)])),
    ),
});
