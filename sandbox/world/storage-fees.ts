/** The service charges once a month for what its warehouses held in the month before, by the volume. */

import type { Market } from './markets.ts';
import { DAY_MS, feeCents } from './plain-values.ts';
import { cubicFeetOf } from './products.ts';
import { onHandOf, type WarehouseStock } from './warehouse-stock.ts';

export interface StorageCharge {
  stock: WarehouseStock;
  /** The warehouses stand there. */
  market: Market;
  cents: number;
  /** The moment of the charge, in milliseconds. */
  chargedAt: number;
  /** The name of the fee in settlements. */
  name: string;
}

/** Moments are in milliseconds; the end is exclusive. */
export interface StorageFee extends StorageCharge {
  start: number;
  end: number;
  cubicFeet: number;
}

/** The rate is in US cents for a cubic foot and a month. */
const STORAGE_CENTS = 78;
/** Orders reach back about as far. */
export const STORAGE_MONTHS = 6;
const CHARGED_AFTER_MS = 6 * DAY_MS;

export const storageRateCents = (market: Market): number => feeCents(STORAGE_CENTS, market);

/** The oldest month stands first; the last one is over. A product is charged for from the month on in which it was listed. */
export function makeStorageFees(stock: readonly WarehouseStock[], market: Market, now: number): StorageFee[] {
  const today = new Date(now);
  const monthAgo = (n: number) => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - n, 1);
  return Array.from({ length: STORAGE_MONTHS }, (_, n) => STORAGE_MONTHS - n).flatMap((n) => {
    const [start, end] = [monthAgo(n), monthAgo(n - 1)];
    return stock
      .filter((one) => onHandOf(one) > 0 && Date.parse(one.row.createdDate ?? '') < end)
      .map((one): StorageFee => {
        const cubicFeet = Math.round(onHandOf(one) * cubicFeetOf(one.row.asin) * 100) / 100;
        const cents = feeCents(STORAGE_CENTS * cubicFeet, market);
        const charge = { stock: one, market, cents, chargedAt: end + CHARGED_AFTER_MS, name: 'Storage Fee' };
        return { ...charge, start, end, cubicFeet };
      });
  });
}
