/** The service pays for units that it lost, and for those that a buyer was refunded for and kept. */

import type { InboundShipment } from './inbound-shipments.ts';
import type { ListingRow } from './listing-row.ts';
import type { Order } from './make-orders.ts';
import type { Market } from './markets.ts';
import { centsOf, DAY_MS, toStep } from './plain-values.ts';
import type { Refund } from './refunds.ts';
import type { WarehouseStock } from './warehouse-stock.ts';

export interface Reimbursement {
  reason: 'CustomerReturn' | 'Lost_Warehouse' | 'Lost_Inbound';
  row: ListingRow;
  market: Market;
  units: number;
  centsPerUnit: number;
  /** The moment of the approval, in milliseconds. */
  approvedAt: number;
  /** The order of the units; absent if they had not been ordered. */
  order?: Order;
}

/** The service pays what it would sell for less its fees. */
const SHARE = 0.8;
/** A buyer has 45 days for sending something back. */
const DAYS_TO_RETURN = 45;
/** Units of one of so many products were lost. */
const LOST_ONE_OF = 9;

interface Causes {
  market: Market;
  refunds: readonly Refund[];
  /** Holds what the warehouses of that marketplace have. */
  stock: readonly WarehouseStock[];
  shipments: readonly InboundShipment[];
}

/** The newest stands first. @param now none is younger, in milliseconds */
export function makeReimbursements(
  { market, refunds, stock, shipments }: Causes,
  now: number,
): Reimbursement[] {
  const pay = (one: Omit<Reimbursement, 'centsPerUnit'>): Reimbursement => ({
    ...one,
    centsPerUnit: toStep((centsOf(one.row.price) ?? 0) * SHARE, one.market),
  });
  const kept = refunds
    .filter(({ isReturned }) => !isReturned)
    .map(({ order, item, units }) =>
      pay({
        reason: 'CustomerReturn',
        row: item.row,
        market: order.market,
        units,
        approvedAt: order.updatedAt + DAYS_TO_RETURN * DAY_MS,
        order,
      }),
    );
  const lost = stock
    .filter(({ row }, index) => row.price !== '' && index % LOST_ONE_OF === LOST_ONE_OF - 1)
    .map(({ row }, index) =>
      pay({
        reason: 'Lost_Warehouse',
        row,
        market,
        units: 1 + (index % 3),
        approvedAt: now - (2 + index * 5) * DAY_MS,
      }),
    );
  const missing = shipments
    .filter(({ status }) => status === 'CLOSED')
    .flatMap(({ items, updatedAt }) =>
      items.map(({ row, shipped, received }) => {
        const approvedAt = updatedAt + 10 * DAY_MS;
        return pay({ reason: 'Lost_Inbound', row, market, units: shipped - received, approvedAt });
      }),
    );
  return [...kept, ...lost, ...missing]
    .filter(({ units, approvedAt }) => units > 0 && approvedAt <= now)
    .toSorted((one, other) => other.approvedAt - one.approvedAt);
}

/** Its number stays the same in every report. */
export const reimbursementId = ({ approvedAt, row }: Reimbursement): string =>
  String(7_000_000_000 + (Math.floor(approvedAt / DAY_MS) % 100_000) * 10_000 + Number(row.asin.slice(-4)));
