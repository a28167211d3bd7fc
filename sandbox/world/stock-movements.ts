/** Units come to the service's warehouses, leave them, come back and get lost: what an inventory ledger tells. */

import { groupBy } from '../../src/base/group-by.ts';
import type { ListingRow } from './listing-row.ts';
import { DAY_MS } from './plain-values.ts';
import { createSequence, seedOf } from './sequence.ts';
import { onHandOf, type WarehouseStock } from './warehouse-stock.ts';
import type { World } from './world.ts';

export const MOVEMENT_KINDS = [
  'Receipts',
  'Shipments',
  'CustomerReturns',
  'Adjustments',
  'Disposed',
] as const;
type MovementKind = (typeof MOVEMENT_KINDS)[number];

export interface StockMovement {
  kind: MovementKind;
  row: ListingRow;
  /** The moment of the movement, in milliseconds. */
  at: number;
  /** Counts the units; those that leave are negative. */
  units: number;
  /** Names the order or the shipment. */
  reference: string;
  /** True for lost units that the service has reimbursed. */
  isReconciled: boolean;
}

/** Holds a month's movements, or a day's, with the units that were there before and after them. */
export interface StockBalance {
  stock: WarehouseStock;
  start: number;
  movements: readonly StockMovement[];
  /** Counts units that left and that no movement tells of. */
  others: number;
  end: number;
}

/** The service pays for lost units so long after it lost them. */
const PAID_AFTER_MS = 7 * DAY_MS;
/** Units of one of so many products were lost, and never paid for. */
const UNPAID_ONE_OF = 17;
const UNPAID_AFTER_DAYS = 45;

/** Holds all movements of the stock in the first marketplace's warehouses; the oldest stands first. */
export function listMovements(world: World): StockMovement[] {
  const [home] = world.markets;
  if (home === undefined) return [];
  const shipped = world
    .orders()
    .filter(({ status, fulfilledBy }) => status === 'Shipped' && fulfilledBy === 'AMAZON')
    .flatMap(({ id, updatedAt, items }) =>
      items.map((item) => move('Shipments', item.row, updatedAt, -item.shipped, id)),
    );
  const returned = world
    .refunds()
    .filter(({ isReturned, order }) => isReturned && order.fulfilledBy === 'AMAZON')
    .flatMap(({ order, item, at, units, reason }) => {
      const back = move('CustomerReturns', item.row, at, units, order.id);
      // Damaged units are thrown away at once.
      const isDamaged = reason === 'DAMAGED_BY_CARRIER';
      return isDamaged ? [back, move('Disposed', item.row, at, -units, order.id)] : [back];
    });
  const received = world
    .inboundShipments()
    .flatMap(({ id, updatedAt, items }) =>
      items.map((item) => move('Receipts', item.row, updatedAt, item.received, id)),
    );
  const paid = world
    .reimbursements()
    .filter(({ reason }) => reason === 'Lost_Warehouse')
    .map(({ row, units, approvedAt }) => move('Adjustments', row, approvedAt - PAID_AFTER_MS, -units, ''));
  const unpaid = world.stock(home.id).flatMap(({ row }) => {
    const next = createSequence(seedOf(`${row.sku} lost`));
    if (next() % UNPAID_ONE_OF !== 0) return [];
    const at = world.madeAt - (UNPAID_AFTER_DAYS + (next() % 60)) * DAY_MS;
    return [{ ...move('Adjustments', row, at, -1 - (next() % 3), ''), isReconciled: false }];
  });
  const held = new Set(world.stock(home.id).map(({ row }) => row.sku));
  return [...shipped, ...returned, ...received, ...paid, ...unpaid]
    .filter(({ units, row }) => units !== 0 && held.has(row.sku))
    .toSorted((one, other) => one.at - other.at);
}

const move = (
  kind: MovementKind,
  row: ListingRow,
  at: number,
  units: number,
  reference: string,
): StockMovement => ({ kind, row, at, units, reference, isReconciled: true });

/**
 * Counts back from the units that are there now, so that each balance begins with the end of the one before.
 * @param keyOf the day or month of a movement
 * @param keys all of them, the oldest first
 */
export function balanceStock(
  stock: WarehouseStock,
  movements: readonly StockMovement[],
  keys: readonly string[],
  keyOf: (movement: StockMovement) => string,
): (StockBalance & { key: string })[] {
  const own = groupBy(
    movements.filter(({ row }) => row.sku === stock.row.sku),
    keyOf,
  );
  let end = onHandOf(stock) - stock.unfulfillable;
  return keys
    .toReversed()
    .map((key) => {
      const moved = own.get(key) ?? [];
      const net = moved.reduce((sum, { units }) => sum + units, 0);
      const start = Math.max(0, end - net);
      const balance = { key, stock, start, movements: moved, others: end - start - net, end };
      end = start;
      return balance;
    })
    .toReversed();
}
