/** Units grow old in the service's warehouses, which charges once a month for those that lie there longer than half a year. */

import type { Market } from './markets.ts';
import { DAY_MS, feeCents } from './plain-values.ts';
import { cubicFeetOf } from './products.ts';
import { createSequence, seedOf } from './sequence.ts';
import { STORAGE_MONTHS, type StorageCharge } from './storage-fees.ts';
import { reservedOf, type WarehouseStock } from './warehouse-stock.ts';

export interface AgeSurcharge extends StorageCharge {
  tier: string;
  units: number;
  rateCents: number;
  /** The service counted the units in that moment, in milliseconds. */
  at: number;
}

/** The keys are ages in days; the rates are in US cents for a cubic foot and a month. */
export const AGE_TIERS = {
  '181-210': 50,
  '211-240': 100,
  '241-270': 150,
  '271-300': 380,
  '301-330': 400,
  '331-365': 420,
  '365-plus': 690,
} as const;
const TIERS = Object.entries(AGE_TIERS);

/** One of so many products sells so slowly that it lies there in several lots. */
const SLOW_ONE_OF = 6;
const LOTS = 6;
const DAYS_APART = 75;
const CHARGED_AFTER_MS = 3 * DAY_MS;

/** A lot is not older than its listing. @param now in milliseconds */
function lotsOf(stock: WarehouseStock, now: number) {
  const { sku, createdDate } = stock.row;
  const next = createSequence(seedOf(`${sku} lots`));
  const listedDays = createdDate === undefined ? 0 : Math.floor((now - Date.parse(createdDate)) / DAY_MS);
  const lots = next() % SLOW_ONE_OF === 0 ? LOTS : 1;
  return Array.from({ length: lots }, (_, n) => ({
    units: Math.floor((stock.fulfillable + reservedOf(stock) + n) / lots),
    days: Math.min(listedDays, n * DAYS_APART + (next() % DAYS_APART)),
  }));
}

/**
 * Counts the units that can be sold or are reserved by their age.
 * @param age in days, both inclusive: `181-to-270`; `365-plus` is more than 365
 * @param at the moment that ages are counted to, in milliseconds
 */
export function unitsAged(stock: WarehouseStock, age: string, now: number, at = now): number {
  const [first = 0, last] = age.split('-').map(Number).filter(Number.isInteger);
  return lotsOf(stock, now)
    .map(({ units, days }) => ({ units, days: days - Math.round((now - at) / DAY_MS) }))
    .filter(({ days }) => (last === undefined ? days > first : days >= first && days <= last))
    .reduce((sum, { units }) => sum + units, 0);
}

/** Returns the tiers in which there are units. */
export const surchargesAt = (stock: WarehouseStock, market: Market, now: number, at = now): AgeSurcharge[] =>
  TIERS.flatMap(([tier, rate]) => {
    const units = unitsAged(stock, tier, now, at);
    const cents = feeCents(rate * units * cubicFeetOf(stock.row.asin), market);
    const rateCents = feeCents(rate, market);
    const charge = { stock, market, cents, chargedAt: at + CHARGED_AFTER_MS, name: 'StorageRenewalBilling' };
    return units === 0 ? [] : [{ ...charge, tier, units, rateCents, at }];
  });

/** The oldest stands first: units are counted on the 15th of each month. */
export function makeSurcharges(
  stock: readonly WarehouseStock[],
  market: Market,
  now: number,
): AgeSurcharge[] {
  const today = new Date(now);
  return Array.from({ length: STORAGE_MONTHS }, (_, n) =>
    Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - STORAGE_MONTHS + 1 + n, 15),
  )
    .filter((at) => at <= now)
    .flatMap((at) => stock.flatMap((one) => surchargesAt(one, market, now, at)));
}
