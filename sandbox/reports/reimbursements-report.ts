/** GET_FBA_REIMBURSEMENTS_DATA: what the service paid for units that it lost, or that buyers were refunded for. */

import type { ListingRow } from '../world/listing-row.ts';
import type { Order } from '../world/make-orders.ts';
import type { Market } from '../world/markets.ts';
import { amountText, centsOf, DAY_MS, toStep } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import { isInTime, longerThan, tableReport } from './report-type.ts';

interface Reimbursement {
  reason: 'CustomerReturn' | 'Lost_Warehouse' | 'Lost_Inbound';
  row: ListingRow;
  market: Market;
  units: number;
  approvedAt: number;
  /** Is absent where nobody had ordered the units. */
  order?: Order;
}

/** The service pays what it would sell for less its fees. */
const SHARE = 0.8;
/** A buyer has 45 days for sending something back. */
const DAYS_TO_RETURN = 45;

const centsPerUnit = ({ row, market }: Reimbursement): number =>
  toStep((centsOf(row.price) ?? 0) * SHARE, market);

/** They are the same whichever marketplace is asked for, as at the service. */
function reimbursementsOf(world: World): Reimbursement[] {
  const [market] = world.markets;
  if (market === undefined) return [];
  // Buyers were refunded and sent nothing back: none of these items is in the report on returns.
  const kept = world
    .orders()
    .filter(({ fulfilledBy, status }) => fulfilledBy === 'AMAZON' && status === 'Shipped')
    .flatMap((order) => order.items.map((item) => ({ order, item })))
    .filter(({ item }) => Number(item.id) % 47 === 0 && Number(item.id) % 11 !== 0)
    .map(
      ({ order, item }): Reimbursement => ({
        reason: 'CustomerReturn',
        row: item.row,
        market: order.market,
        units: 1,
        approvedAt: order.updatedAt + DAYS_TO_RETURN * DAY_MS,
        order,
      }),
    )
    .filter(({ approvedAt }) => approvedAt < world.madeAt);
  const lost = world
    .stock(market.id)
    .filter(({ reserved, row }) => reserved === 6 && row.price !== '')
    .map(
      ({ row }, index): Reimbursement => ({
        reason: 'Lost_Warehouse',
        row,
        market,
        units: 1 + (index % 3),
        approvedAt: world.madeAt - (2 + index * 5) * DAY_MS,
      }),
    );
  const missing = world
    .inboundShipments()
    .filter(({ status }) => status === 'CLOSED')
    .flatMap(({ items, updatedAt }) =>
      items.map(
        ({ row, shipped, received }): Reimbursement => ({
          reason: 'Lost_Inbound',
          row,
          market,
          units: shipped - received,
          approvedAt: updatedAt + 10 * DAY_MS,
        }),
      ),
    )
    .filter(({ units }) => units > 0);
  return [...kept, ...lost, ...missing].toSorted((a, b) => b.approvedAt - a.approvedAt);
}

/** Its number stays the same in every report. */
const idOf = ({ approvedAt, row }: Reimbursement): string =>
  String(7_000_000_000 + (Math.floor(approvedAt / DAY_MS) % 100_000) * 10_000 + Number(row.asin.slice(-4)));

export const reimbursementsReport = tableReport<Reimbursement>({
  failure: longerThan(549),
  head: `approval-date reimbursement-id case-id amazon-order-id reason sku fnsku asin product-name condition
    currency-unit amount-per-unit amount-total quantity-reimbursed-cash quantity-reimbursed-inventory
    quantity-reimbursed-total original-reimbursement-id original-reimbursement-type`,
  values: {
    'approval-date': ({ approvedAt }) => new Date(approvedAt).toISOString().replace(/\.\d+Z$/, '+00:00'),
    'reimbursement-id': idOf,
    'amazon-order-id': ({ order }) => order?.id ?? '',
    reason: ({ reason }) => reason,
    sku: ({ row }) => row.sku,
    fnsku: ({ row }) => row.fnSku ?? '',
    asin: ({ row }) => row.asin,
    'product-name': ({ row }) => row.title,
    condition: 'Sellable',
    'currency-unit': ({ market }) => market.currency,
    'amount-per-unit': (one) => amountText(centsPerUnit(one), one.market),
    'amount-total': (one) => amountText(centsPerUnit(one) * one.units, one.market),
    'quantity-reimbursed-cash': ({ units }) => units,
    'quantity-reimbursed-inventory': 0,
    'quantity-reimbursed-total': ({ units }) => units,
  },
  rows: (world, request) => reimbursementsOf(world).filter(({ approvedAt }) => isInTime(request, approvedAt)),
});
