import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { buildHomeListings, buildListings } from '../../../sandbox/fixtures/listings.ts';
import { isForSale, priceCentsAt } from '../../../sandbox/world/prices.ts';
import { createWorld, type World } from '../../../sandbox/world/world.ts';
import { NOON } from '../helpers.ts';
import { itemSchema } from '../operations/documented-item.ts';

const open = (countries: readonly string[] = ['US', 'CA', 'MX'], now = NOON): World =>
  createWorld(buildListings(now), countries, now);
const world = open();
const made = world.listings().slice(buildListings(NOON).length);

const enforcementSchema = z.looseObject({
  actions: z.array(z.strictObject({ action: z.string() })),
  exemption: z.looseObject({ status: z.string(), expiryDate: z.iso.datetime().optional() }),
});
const listingSchema = z.looseObject({
  sku: z.string(),
  summaries: z.array(
    z.looseObject({
      marketplaceId: z.string(),
      status: z.array(z.string()),
      itemName: z.string().optional(),
      mainImage: z.looseObject({}).optional(),
    }),
  ),
  issues: z.array(
    z.looseObject({
      code: z.string(),
      message: z.string(),
      severity: z.string(),
      enforcements: enforcementSchema.optional(),
      marketplaceIds: z.array(z.string()).optional(),
    }),
  ),
  offers: z.array(
    z.looseObject({
      marketplaceId: z.string(),
      price: z.strictObject({ currencyCode: z.string(), amount: z.string() }),
    }),
  ),
});
const listings = made.map(({ item }) => listingSchema.parse(item));
const count = <T>(all: readonly T[], is: (one: T) => boolean): number => all.filter(is).length;

describe('listings', () => {
  it('are some hundred in three marketplaces, and the same every time', () => {
    expect(world.listings()).toHaveLength(260);
    expect(open().listings()).toEqual(world.listings());
    for (const ids of [made.map(({ item }) => item.sku), made.map(({ asin }) => asin)]) {
      expect(new Set(ids).size).toBe(made.length);
    }
    for (const { id } of world.markets) expect(world.rows(id).length).toBeGreaterThan(50);
    expect(listings.some(({ sku }) => /^0\d+$/.test(sku))).toBe(true);
  });

  it('have the documented shape, and prices in the currency of the marketplace', () => {
    for (const { item } of made) itemSchema.parse(item);
    const currencies = new Map(world.markets.map(({ id, currency }) => [id, currency]));
    for (const { marketplaceId, price } of listings.flatMap(({ offers }) => offers)) {
      expect(price.currencyCode).toBe(currencies.get(marketplaceId));
      expect(price.amount).toMatch(/^\d+\.\d\d$/);
    }
  });

  it('have what can be wrong, enforced by errors and warnings, and neither', () => {
    const issues = listings.flatMap((listing) => listing.issues);
    const kinds = new Set(
      issues.map(({ severity, enforcements }) => {
        const actions = enforcements?.actions.map(({ action }) => action).join('+');
        return [severity, actions ?? 'nothing', enforcements?.exemption.status ?? ''].join(' ').trim();
      }),
    );
    expect([...kinds].sort()).toEqual([
      'ERROR CATALOG_ITEM_REMOVED+LISTING_SUPPRESSED NOT_EXEMPT',
      'ERROR LISTING_SUPPRESSED EXEMPT',
      'ERROR LISTING_SUPPRESSED EXEMPT_UNTIL_EXPIRY_DATE',
      'ERROR LISTING_SUPPRESSED NOT_EXEMPT',
      'ERROR SEARCH_SUPPRESSED NOT_EXEMPT',
      'ERROR nothing',
      'INFO nothing',
      'WARNING ATTRIBUTE_SUPPRESSED NOT_EXEMPT',
      'WARNING SEARCH_SUPPRESSED EXEMPT_UNTIL_EXPIRY_DATE',
      'WARNING SEARCH_SUPPRESSED NOT_EXEMPT',
      'WARNING nothing',
    ]);
    for (const { exemption } of issues.flatMap(({ enforcements }) => enforcements ?? [])) {
      const until = exemption.expiryDate === undefined ? undefined : Date.parse(exemption.expiryDate);
      expect(until !== undefined).toBe(exemption.status === 'EXEMPT_UNTIL_EXPIRY_DATE');
      if (until !== undefined) expect(until).toBeGreaterThan(NOON);
    }
  });

  it('have the faults that their issues claim, and no others', () => {
    const claims = { '99300': 0, '18320': 0 };
    for (const { item } of made) {
      const { sku, issues, summaries } = listingSchema.parse(item);
      for (const { marketplaceId, itemName = '', mainImage } of summaries) {
        const codes = issues
          .filter(({ marketplaceIds }) => marketplaceIds?.includes(marketplaceId) ?? true)
          .map(({ code }) => code);
        const words = itemName.toLowerCase().match(/\p{L}+/gu) ?? [];
        const most = Math.max(...words.map((word) => words.filter((other) => other === word).length));
        expect(most > 2, `${sku}: ${itemName}`).toBe(codes.includes('99300'));
        expect(mainImage === undefined, sku).toBe(codes.includes('18320'));
        for (const code of ['99300', '18320'] as const) if (codes.includes(code)) claims[code] += 1;
      }
    }
    expect(Math.min(...Object.values(claims))).toBeGreaterThan(5);
  });

  it('have the units of their marketplace', () => {
    for (const country of ['US', 'GB', 'DE']) {
      const [market] = open([country]).markets;
      const home = createWorld(buildHomeListings(NOON, market ? [market] : []), [country], NOON);
      const text = JSON.stringify(home.listings());
      expect([/\d (?:cm|ml)\b|kilograms|E27 /.test(text), /\d (?:in|oz)\b|pounds|\d\\"/.test(text)]).toEqual([
        country !== 'US',
        country === 'US',
      ]);
    }
  });

  it('have a status that agrees with what is enforced where, and with the stock', () => {
    const stock = new Map(
      world.markets.flatMap(({ id }) => world.rows(id)).map((row) => [row.sku, row.quantity]),
    );
    const warehoused = new Map(
      world.markets
        .flatMap(({ id }) => world.stock(id))
        .map(({ row, fulfillable }) => [row.sku, fulfillable]),
    );
    for (const { sku, summaries, issues } of listings) {
      for (const { marketplaceId, status } of summaries) {
        const done = issues
          .filter(({ marketplaceIds }) => marketplaceIds?.includes(marketplaceId) ?? true)
          .flatMap(({ enforcements: made }) => (made?.exemption.status === 'NOT_EXEMPT' ? made.actions : []))
          .map(({ action }) => action);
        const left = stock.get(sku) ?? warehoused.get(sku);
        const isBuyable = !done.includes('LISTING_SUPPRESSED') && left !== 0;
        const isHidden = done.includes('SEARCH_SUPPRESSED') || done.includes('CATALOG_ITEM_REMOVED');
        expect(status, sku).toEqual([
          ...(isBuyable ? ['BUYABLE'] : []),
          ...(isHidden ? [] : ['DISCOVERABLE']),
        ]);
      }
    }
  });

  it("are partly the seller's to ship, some sold out and dear, and partly in the warehouses, some short", () => {
    for (const current of [world, open(['DE', 'US'])]) {
      const [first] = current.markets;
      const rows = current.rows(first?.id ?? '');
      expect(count(rows, ({ quantity, price }) => quantity === 0 && Number(price) > 100)).toBeGreaterThan(2);
      const stock = current.stock(first?.id ?? '');
      expect(stock.length).toBeGreaterThan(100);
      expect(
        count(stock, ({ fulfillable, inboundShipped }) => fulfillable < 10 && inboundShipped === 0),
      ).toBeGreaterThan(5);
      expect(rows.length - stock.length).toBeGreaterThan(100);
    }
  });
});

describe('orders', () => {
  it('are some thousand of two marketplaces, each with its own id, the same every time', () => {
    const orders = world.orders();
    expect(orders.length).toBeGreaterThan(3_000);
    expect(new Set(orders.map(({ id }) => id)).size).toBe(orders.length);
    const items = orders.flatMap(({ items: all }) => all);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    expect(new Set(orders.map(({ market }) => market.country))).toEqual(new Set(['US', 'CA']));
    expect(open().orders()).toEqual(orders);
  });

  it('wait, are late, are shipped and are cancelled, in both', () => {
    for (const country of ['US', 'CA'] as const) {
      const own = world.orders().filter(({ market }) => market.country === country);
      const isLate = ({ status, shipBy }: (typeof own)[number]) => status === 'Unshipped' && shipBy[1] < NOON;
      expect(count(own, isLate)).toBeGreaterThan(3);
      expect(count(own, ({ status, shipBy }) => status === 'Unshipped' && shipBy[1] >= NOON)).toBeGreaterThan(
        1,
      );
      for (const status of ['Shipped', 'Canceled', 'PartiallyShipped'] as const) {
        expect(
          count(own, (order) => order.status === status),
          `${country} ${status}`,
        ).toBeGreaterThan(0);
      }
    }
  });

  it('that the warehouses have not shipped yet are the units that wait there', () => {
    const open = world
      .orders()
      .filter(({ status, fulfilledBy }) => fulfilledBy === 'AMAZON' && status === 'Pending')
      .flatMap(({ items }) => items);
    expect(open.length).toBeGreaterThan(0);
    for (const { row, waiting } of world.markets.flatMap(({ id }) => world.stock(id))) {
      const ordered = open.filter((item) => item.row.sku === row.sku).map((item) => item.ordered);
      expect(waiting).toBe(ordered.reduce((sum, units) => sum + units, 0));
    }
  });

  it('are of listings of their marketplace, at its prices, never in the future', () => {
    for (const { market, items, purchasedAt, updatedAt, fulfilledBy } of world.orders()) {
      expect(purchasedAt).toBeLessThan(NOON);
      expect(updatedAt).toBeLessThanOrEqual(NOON);
      expect(updatedAt).toBeGreaterThanOrEqual(purchasedAt);
      for (const { row, priceCents, ordered } of items) {
        expect(isForSale(row, purchasedAt), row.sku).toBe(true);
        expect([row.currency, row.fulfilledBy]).toEqual([market.currency, fulfilledBy]);
        expect(priceCents).toBe(priceCentsAt(row, market, purchasedAt) * ordered);
      }
    }
  });

  it('come from nobody: addresses that no mail reaches', () => {
    for (const { buyer } of world.orders()) {
      expect(buyer.email).toMatch(/@marketplace\.example$/);
      expect(buyer.phone).toMatch(/-555-01\d\d$/);
    }
  });
});

it('is the same at any hour, but for its dates', () => {
  const later = open(['US', 'CA', 'MX'], NOON + 40 * 86_400_000);
  const shapes = (one: World) => one.orders().map(({ id, status, items }) => [id, status, items.length]);
  expect(shapes(later)).toEqual(shapes(world));
});
