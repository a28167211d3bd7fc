/** Rows of the reports on listings and on the service's stock: how long it lasts, and what it costs to store and to sell. */

import { AGE_TIERS, surchargesAt, unitsAged } from '../world/aged-inventory.ts';
import { referralFeeCents, unitFulfillmentFeeCents } from '../world/fees.ts';
import { listDays } from '../world/listing-days.ts';
import type { ListingRow } from '../world/listing-row.ts';
import type { Market } from '../world/markets.ts';
import { dayOf } from '../world/periods.ts';
import { centsOf, DAY_MS, HOUR_MS } from '../world/plain-values.ts';
import { cubicFeetOf } from '../world/products.ts';
import { reimbursementId } from '../world/reimbursements.ts';
import { balanceStock, listMovements, MOVEMENT_KINDS } from '../world/stock-movements.ts';
import { storageRateCents } from '../world/storage-fees.ts';
import { inboundOf, onHandOf, reservedOf, totalOf, type WarehouseStock } from '../world/warehouse-stock.ts';
import type { World } from '../world/world.ts';
import { isInTime, type ReportRequest, type Rows } from './report-type.ts';

type Activity = 'Active' | 'Inactive' | 'Incomplete';

function activityOf({ status, createdDate }: ListingRow): Activity {
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

/** The service looks at the first of several marketplaces. */
const listings =
  (...only: readonly Activity[]): Rows =>
  (world, { markets: [market] }) =>
    (market === undefined ? [] : world.rows(market.id)).flatMap((row) => {
      const activity = activityOf(row);
      const asinTail = row.asin.slice(5);
      return market !== undefined && only.includes(activity)
        ? [{ ...row, market, activity, asinTail, opened: openDate(row.createdDate, market) }]
        : [];
    });

const stockRowOf = (stock: WarehouseStock) => ({
  ...stock,
  reserved: reservedOf(stock),
  onHand: onHandOf(stock),
  inbound: inboundOf(stock),
  total: totalOf(stock),
  cubicFeet: cubicFeetOf(stock.row.asin),
});

/** The seller wants stock for so many days, and a shipment takes so many. */
const TARGET_DAYS = 60;
const DAYS_UNDER_WAY = 14;
const AGES = ['0-to-90', '91-to-180', '181-to-270', '271-to-365', '365-plus'];

/** It answers for the first of several marketplaces. */
function stockLines(world: World, { markets: [market] }: ReportRequest): object[] {
  if (market === undefined) return [];
  const now = world.madeAt;
  const orders = world
    .orders()
    .filter(({ status, fulfilledBy }) => status === 'Shipped' && fulfilledBy === 'AMAZON')
    .filter((order) => order.market === market);
  return world.stock(market.id).map((stock) => {
    const { row, fulfillable } = stock;
    const shippedIn = (days: number) =>
      orders
        .filter(({ updatedAt }) => updatedAt > now - days * DAY_MS)
        .flatMap(({ items }) => items.filter((item) => item.row.sku === row.sku))
        .reduce((sum, item) => sum + item.shipped, 0);
    const [shipped30, shipped90] = [shippedIn(30), shippedIn(90)];
    // Days of supply are unknown where nothing was shipped.
    const daysOf = (units: number) => (shipped30 === 0 ? '' : Math.round((units * 30) / shipped30));
    const daysOfSupply = daysOf(fulfillable);
    const missing = Math.max(0, Math.ceil((shipped30 * TARGET_DAYS) / 30) - fulfillable - inboundOf(stock));
    // A shipment has to leave until then, or today where that day is over.
    const daysLeft = Math.max(0, Number(daysOfSupply) - DAYS_UNDER_WAY);
    const surcharges = surchargesAt(stock, market, now);
    const none = { units: 0, cents: 0 };
    return {
      ...stockRowOf(stock),
      market,
      now,
      shipped7: shippedIn(7),
      shipped30,
      shipped60: shippedIn(60),
      shipped90,
      aged: Object.fromEntries(AGES.map((age) => [age, unitsAged(stock, age, now)])),
      surcharges: Object.fromEntries(
        Object.keys(AGE_TIERS).map((tier) => [tier, surcharges.find((one) => one.tier === tier) ?? none]),
      ),
      sellThrough: fulfillable === 0 ? '' : (shipped90 / fulfillable).toFixed(2),
      soldCents: shipped30 * (centsOf(row.price) ?? 0),
      daysOfSupply,
      daysOfAllSupply: daysOf(fulfillable + inboundOf(stock)),
      missing,
      alert: shipped30 === 0 ? '' : fulfillable === 0 ? 'out_of_stock' : missing > 0 ? 'low_stock' : '',
      shipDay: missing === 0 ? '' : dayOf(now + daysLeft * DAY_MS),
    };
  });
}

/** A row for each product and month, or day. */
function ledgerBalances(world: World, { start, end, options }: ReportRequest): object[] {
  const [home] = world.markets;
  if (home === undefined) return [];
  const isDaily = options.aggregatedByTimePeriod === 'DAILY';
  const cut = (day: string) => (isDaily ? day : day.slice(0, 7));
  const location = options.aggregateByLocation === 'FC' ? 'SBX1' : home.country;
  const [first, last] = [cut(dayOf(start)), cut(dayOf(Math.min(end, world.madeAt)))];
  const keys = [...new Set(listDays(dayOf(start), dayOf(world.madeAt)).map(cut))];
  const movements = listMovements(world);
  return world.stock(home.id).flatMap((stock) =>
    balanceStock(stock, movements, keys, ({ at }) => cut(dayOf(at)))
      .filter(({ key }) => key >= first && key <= last)
      .flatMap((balance) => {
        const [year, ...rest] = balance.key.split('-');
        const about = { row: stock.row, location, date: [...rest, year].join('/') };
        const units = stock.unfulfillable;
        const moved = Object.fromEntries(
          MOVEMENT_KINDS.map((kind) => [
            kind,
            balance.movements.filter((one) => one.kind === kind).reduce((sum, one) => sum + one.units, 0),
          ]),
        );
        const still = Object.fromEntries(MOVEMENT_KINDS.map((kind) => [kind, 0]));
        return [
          { ...balance, ...about, moved, disposition: 'SELLABLE' },
          ...(units > 0
            ? [{ ...about, start: units, moved: still, others: 0, end: units, disposition: 'DEFECTIVE' }]
            : []),
        ];
      }),
  );
}

function stockMovements(world: World, request: ReportRequest): object[] {
  const country = world.markets[0]?.country ?? '';
  return listMovements(world)
    .filter(({ at }) => isInTime(request, at))
    .map((one) => {
      const lost = one.kind === 'Adjustments' ? -one.units : 0;
      return {
        ...one,
        country,
        reconciled: one.isReconciled ? lost : 0,
        unreconciled: one.isReconciled ? 0 : lost,
      };
    });
}

/** The months of that time which are over, or else the last one before; the same whichever marketplace is asked for. */
function storageFees(world: World, { start, end }: ReportRequest): object[] {
  // The ends of a month anywhere lie less than half a day within another month of UTC.
  const begun = world.storageFees().filter((fee) => fee.start < end - DAY_MS / 2);
  const inTime = begun.filter((fee) => fee.end > start + DAY_MS / 2);
  const found = inTime.length > 0 ? inTime : begun.filter((fee) => fee.end === begun.at(-1)?.end);
  return found.map((fee) => ({
    ...fee,
    row: fee.stock.row,
    unitCubicFeet: cubicFeetOf(fee.stock.row.asin),
    onHand: onHandOf(fee.stock),
    rateCents: storageRateCents(fee.market),
  }));
}

/** All marketplaces, whichever is asked for. */
const feePreviews: Rows = (world) =>
  world.markets.flatMap((market) =>
    world
      .stock(market.id)
      .filter(({ row }) => row.price !== '')
      .map(({ row }) => {
        const referralCents = referralFeeCents(centsOf(row.price) ?? 0, market);
        const fulfillmentCents = unitFulfillmentFeeCents(row.asin, market);
        return {
          ...row,
          market,
          referralCents,
          fulfillmentCents,
          feeCents: referralCents + fulfillmentCents,
        };
      }),
  );

export const stockRows = {
  listings: listings('Active', 'Inactive', 'Incomplete'),
  activeListings: listings('Active'),
  inactiveListings: listings('Inactive', 'Incomplete'),
  warehouseStock: (world, { markets: [market] }) =>
    market === undefined ? [] : world.stock(market.id).map(stockRowOf),
  stockLines,
  ledgerBalances,
  stockMovements,
  storageFees,
  surcharges: (world, request) =>
    world
      .surcharges()
      .filter(({ at }) => isInTime(request, at))
      .map((one) => ({ ...one, row: one.stock.row, unitCubicFeet: cubicFeetOf(one.stock.row.asin) })),
  feePreviews,
  reimbursements: (world, request) =>
    world
      .reimbursements()
      .filter(({ approvedAt }) => isInTime(request, approvedAt))
      .map((one) => ({ ...one, id: reimbursementId(one), cents: one.centsPerUnit * one.units })),
} satisfies Readonly<Record<string, Rows>>;
