/** Half a year of orders, made from a seed: shipped, waiting, late and cancelled ones from two marketplaces. */

import type { ListingRow } from './listing-row.ts';
import type { Market } from './markets.ts';
import { DAY_MS, HOUR_MS, toStep } from './plain-values.ts';
import { isForSale, priceCentsAt } from './prices.ts';
import { createSequence, pick } from './sequence.ts';
import { taxOf } from './taxes.ts';

export type OrderStatus = 'Pending' | 'Unshipped' | 'PartiallyShipped' | 'Shipped' | 'Canceled';

export type OrderItem = ReturnType<typeof buildItem>;
/** Moments in milliseconds. */
export type Order = ReturnType<typeof buildOrder>;

const COUNT = 3_600;
const DAYS = 180;
const SEED = 77_003;

interface Shop {
  market: Market;
  rows: readonly ListingRow[];
}

/** One order is shipped by one party: what each of them can ship. */
type Shelves = Shop & { by: Readonly<Record<ListingRow['fulfilledBy'], readonly ListingRow[]>> };

function sortShelves({ market, rows }: Shop): Shelves[] {
  const priced = rows.filter(({ price }) => price !== '');
  const of = (by: ListingRow['fulfilledBy']) => priced.filter(({ fulfilledBy }) => fulfilledBy === by);
  const by = { AMAZON: of('AMAZON'), MERCHANT: of('MERCHANT') };
  return priced.length > 0 ? [{ market, rows: priced, by }] : [];
}

/** Oldest first, the last a few minutes before `now`. @param shops the first gets two orders of three. */
export function makeOrders(shops: readonly Shop[], now: number): Order[] {
  const next = createSequence(SEED);
  const spacing = (DAYS * DAY_MS) / COUNT;
  const open = shops.flatMap(sortShelves);
  return Array.from({ length: COUNT }, (_, index) => {
    const age = Math.floor(((COUNT - index) * spacing) / 1000 - (next() % (spacing / 1000))) * 1000;
    const shop = open[next() % 3 === 0 ? open.length - 1 : 0];
    return shop === undefined ? [] : [buildOrder(index, shop, now, Math.max(age, 5 * 60_000), next)];
  }).flat();
}

function buildOrder(
  index: number,
  { market, rows, by }: Shelves,
  now: number,
  age: number,
  next: () => number,
) {
  const purchasedAt = now - age;
  const choose = (from: readonly ListingRow[]) => findForSale(from, next(), purchasedAt);
  const fulfilledBy = choose(rows)?.fulfilledBy ?? 'MERCHANT';
  const chosen = Array.from({ length: next() % 4 === 0 ? 2 : 1 }, () => choose(by[fulfilledBy]));
  const status = statusAt(index, fulfilledBy, age, chosen.length);
  const id = `${market.orderPrefix}-${digits(index, 7919)}-${digits(index, 104_729)}`;
  const isOver = status === 'Shipped' || status === 'Canceled';
  return {
    id,
    market,
    status,
    fulfilledBy,
    purchasedAt,
    updatedAt: now - Math.max(0, age - (isOver ? 26 * HOUR_MS : 20 * 60_000)),
    shipBy: between(purchasedAt + HOUR_MS, purchasedAt + 2 * DAY_MS),
    deliverBy: between(purchasedAt + 3 * DAY_MS, purchasedAt + 6 * DAY_MS),
    isBusiness: next() % 12 === 0,
    // The seller ships a third of its own orders as Prime.
    isPrime: fulfilledBy === 'AMAZON' || index % 3 === 1,
    buyer: inventBuyer(market, next),
    items: chosen.flatMap((row, n) =>
      row === undefined
        ? []
        : [buildItem(`${digits(index * 4 + n, 15_485_863)}1`, { row, market, status, purchasedAt, n }, next)],
    ),
  };
}

const between = (earliest: number, latest: number) => [earliest, latest] as const;

/** Returns the status of an order by its age; some that the seller ships are late. */
function statusAt(index: number, by: ListingRow['fulfilledBy'], age: number, items: number): OrderStatus {
  if (age > 6 * HOUR_MS && index % 14 === 5) return 'Canceled';
  if (by === 'AMAZON') return age < 18 * HOUR_MS && index % 2 === 0 ? 'Pending' : 'Shipped';
  if (age < 1.5 * DAY_MS) return age < 6 * HOUR_MS && index % 4 === 0 ? 'Pending' : 'Unshipped';
  if (age < 5 * DAY_MS && items > 1 && index % 2 === 0) return 'PartiallyShipped';
  const isLate = age > 2 * DAY_MS && age < 12 * DAY_MS && index % 7 === 3;
  return isLate || (age < 2 * DAY_MS && index % 3 === 0) ? 'Unshipped' : 'Shipped';
}

/** Returns the first from this place on that could be bought then. */
function findForSale(rows: readonly ListingRow[], place: number, at: number): ListingRow | undefined {
  const start = place % rows.length;
  return [...rows.slice(start), ...rows.slice(0, start)].find((row) => isForSale(row, at));
}

interface Choice {
  row: ListingRow;
  market: Market;
  status: OrderStatus;
  purchasedAt: number;
  /** Counts the items of the order. */
  n: number;
}

/** Amounts are what the marketplace shows to buyers: with tax where its prices include it. */
function buildItem(id: string, { row, market, status, purchasedAt, n }: Choice, next: () => number) {
  const ordered = next() % 5 === 0 ? 2 + (next() % 3) : 1;
  const priceCents = priceCentsAt(row, market, purchasedAt) * ordered;
  const shippingCents = row.fulfilledBy === 'MERCHANT' ? market.shippingCents : 0;
  const isOut = status === 'Shipped' || (status === 'PartiallyShipped' && n === 0);
  const discountCents = next() % 10 === 0 ? toStep(priceCents / 10, market) : 0;
  return {
    id,
    row,
    ordered,
    priceCents,
    shipped: isOut ? ordered : 0,
    taxCents: taxOf(priceCents - discountCents, market),
    shippingCents,
    shippingTaxCents: taxOf(shippingCents, market),
    discountCents,
  };
}

/** Seven digits, another for every index. */
const digits = (index: number, step: number): string => String(1_000_000 + ((index * step) % 9_000_000));

// Buyers who do not exist: names put together by chance, streets and telephone numbers that nobody has.

function inventBuyer(market: Market, next: () => number) {
  const [first, last] = [pick(next, market.firstNames), pick(next, market.lastNames)];
  return {
    name: market.familyFirst ? `${last} ${first}` : `${first} ${last}`,
    /** Ends in `.example`, which no mail ever reaches. */
    email: `buyer${next() % 100_000}@marketplace.example`,
    town: pick(next, market.towns),
    street: inventStreet(`${1 + (next() % 240)}`, pick(next, market.streets)),
    phone: market.phone.replace('##', String(next() % 100).padStart(2, '0')),
    countryCode: market.country,
  };
}

const inventStreet = (number: string, street: string) => street.replace('#', number);
