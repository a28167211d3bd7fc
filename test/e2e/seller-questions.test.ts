/** Questions of a seller through the real program: exact answers in at most three calls and a few kilobytes. */

import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildListings } from '../../sandbox/fixtures/listings.ts';
import { MARKETPLACES } from '../../sandbox/fixtures/marketplaces.ts';
import { createWorld, type World } from '../../sandbox/world/world.ts';
import { startHttpService } from '../helpers/http-service.ts';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { connect, type Session } from '../helpers/sessions.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_BYTES = 8_000;
const MAX_CALLS = 3;

/** Against a hang; the answers come in seconds. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** The time is the middle of an hour, so that the sandbox makes the same world as this test. */
const NOW = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS / 2;

let outside: Outside;
let session: Session;
let world: World;
beforeAll(async () => {
  const countries = ['DE', 'US'] as const;
  const began = performance.now();
  const now = () => NOW + performance.now() - began;
  outside = await startOutside({ countries, now, reportSpeed: 20 });
  world = createWorld(buildListings(NOW), countries, NOW);
  session = await connect({ args: outside.args, env: outside.env });
});
afterAll(async () => {
  await session.close();
  await outside.close();
});

/** Asks until it is done, within what one question may take. */
function startQuestion(asked: Session) {
  const spent = { calls: 0, text: 0, structured: 0 };
  return async (name: string, args: Record<string, unknown>) => {
    for (;;) {
      const answer = await asked.call(name, args);
      expect(answer.isError, answer.text).toBe(false);
      const isUnderWay = answer.structured.state === 'under way';
      spent.calls += isUnderWay ? 0 : 1;
      spent.text += Buffer.byteLength(answer.text);
      spent.structured += Buffer.byteLength(JSON.stringify(answer.structured));
      expect(spent.calls).toBeLessThanOrEqual(MAX_CALLS);
      expect(Math.max(spent.text, spent.structured)).toBeLessThan(MAX_BYTES);
      if (!isUnderWay) return answer;
    }
  };
}

interface Issue {
  sku: string;
  code: string;
  severity: string;
  actions: string[];
  exemption: string;
  until: string | null;
}

/** Out of the listings as the service holds them, one by one. */
function issuesIn(marketplaceId: string): Issue[] {
  return world
    .listings()
    .filter(({ marketplaceIds }) => marketplaceIds.includes(marketplaceId))
    .flatMap(({ item }) =>
      JSON.parse(JSON.stringify(item.issues ?? []))
        .filter(
          (issue: { marketplaceIds?: string[] }) => issue.marketplaceIds?.includes(marketplaceId) ?? true,
        )
        .map((issue: { code: string; severity: string; enforcements?: Enforcements }) => ({
          sku: item.sku,
          code: issue.code,
          severity: issue.severity,
          actions: issue.enforcements?.actions.map(({ action }) => action) ?? [],
          exemption: issue.enforcements?.exemption.status ?? '',
          until: issue.enforcements?.exemption.expiryDate ?? null,
        })),
    );
}

interface Enforcements {
  actions: { action: string }[];
  exemption: { status: string; expiryDate?: string };
}

const SUPPRESSES = ['LISTING_SUPPRESSED', 'SEARCH_SUPPRESSED', 'CATALOG_ITEM_REMOVED'];
const HIDES = 'SEARCH_SUPPRESSED';
const isSuppressing = ({ actions }: Issue) => actions.some((action) => SUPPRESSES.includes(action));

function countBy<T>(items: readonly T[], keyOf: (item: T) => readonly unknown[]): unknown[][] {
  const counts = new Map<string, number>();
  for (const item of items) {
    const key = JSON.stringify(keyOf(item));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => [...JSON.parse(key), count]).sort(compareRows);
}

const compareRows = (one: readonly unknown[], other: readonly unknown[]) =>
  JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;

const sorted = (rows: unknown) => (Array.isArray(rows) ? [...rows].sort(compareRows) : rows);

/** Returns the listings in Germany that are suppressed now, with their price x stock, exact. */
function moneyStandingStill(most: number): unknown[][] {
  const stock = new Map(world.stock(MARKETPLACES.DE).map(({ row, fulfillable }) => [row.sku, fulfillable]));
  const skus = new Set(
    issuesIn(MARKETPLACES.DE)
      .filter((issue) => isSuppressing(issue) && issue.exemption === 'NOT_EXEMPT')
      .map(({ sku }) => sku),
  );
  const worst = world
    .rows(MARKETPLACES.DE)
    .filter(({ sku }) => skus.has(sku))
    .map(({ sku, price, quantity }) => {
      const pieces = quantity ?? stock.get(sku) ?? 0;
      return { sku, cents: Math.round(Number(price) * 100) * pieces };
    })
    .sort((one, other) => other.cents - one.cents || (one.sku < other.sku ? -1 : 1))
    .slice(0, most);
  return worst.map(({ sku, cents }) => [sku, cents / 100, 'EUR']);
}

describe('of the listings in Germany', () => {
  const LISTINGS = {
    operation: 'searchListingsItems',
    parameters: { marketplaceIds: ['DE'], includedData: ['summaries', 'issues', 'offers'] },
    as: 'catalog',
  };

  it('which are suppressed, by cause, and which are exempt until when', async () => {
    const ask = startQuestion(session);
    const collected = await ask('collect_data', LISTINGS);
    expect(collected.text).toContain('item and parent_n = catalog_issues.n');
    const answer = await ask('query_data', {
      sql: `SELECT i.code, i.enforcements_exemption_status AS exemption, min(i.enforcements_exemption_expiry_date) AS until,
              count(DISTINCT i.item) AS listings
            FROM catalog_issues i
            JOIN catalog_issues_enforcements_actions a ON a.item = i.item AND a.parent_n = i.n
            WHERE a.action IN ('LISTING_SUPPRESSED', 'SEARCH_SUPPRESSED', 'CATALOG_ITEM_REMOVED')
            GROUP BY 1, 2 ORDER BY 4 DESC`,
    });
    const suppressing = issuesIn(MARKETPLACES.DE).filter(isSuppressing);
    expect(suppressing.length).toBeGreaterThan(30);
    const expected = countBy(suppressing, ({ code, exemption }) => [code, exemption]).map(
      ([code, exemption, count]) => {
        const of = suppressing.filter((issue) => issue.code === code && issue.exemption === exemption);
        return [code, exemption, of.map(({ until }) => until).sort()[0] ?? null, count];
      },
    );
    expect(sorted(answer.structured.rows)).toEqual(sorted(expected));
  });

  it('what warnings there are, by code', async () => {
    const ask = startQuestion(session);
    await ask('collect_data', LISTINGS);
    const answer = await ask('query_data', {
      sql: "SELECT code, count(*) FROM catalog_issues WHERE severity = 'WARNING' GROUP BY code",
    });
    const warnings = issuesIn(MARKETPLACES.DE).filter(({ severity }) => severity === 'WARNING');
    expect(warnings.length).toBeGreaterThan(20);
    expect(sorted(answer.structured.rows)).toEqual(countBy(warnings, ({ code }) => [code]));
  });

  it('which suppressed ones have the most money of inventory affected', async () => {
    const ask = startQuestion(session);
    await ask('collect_data', {
      ...LISTINGS,
      parameters: {
        ...LISTINGS.parameters,
        includedData: ['issues', 'offers', 'fulfillmentAvailability'],
      },
      as: 'stocked',
    });
    await ask('collect_data', {
      operation: 'getInventorySummaries',
      parameters: {
        marketplaceIds: ['DE'],
        details: true,
        granularityType: 'Marketplace',
        granularityId: MARKETPLACES.DE,
      },
      as: 'fba',
    });
    const answer = await ask('query_data', {
      sql: `WITH suppressed AS (
              SELECT DISTINCT i.item, i.item_sku AS sku FROM stocked_issues i
              JOIN stocked_issues_enforcements_actions a ON a.item = i.item AND a.parent_n = i.n
              WHERE i.enforcements_exemption_status = 'NOT_EXEMPT' AND a.action <> 'ATTRIBUTE_SUPPRESSED'),
            own AS (SELECT item, sum(quantity) AS quantity FROM stocked_fulfillment_availability
              WHERE fulfillment_channel_code = 'DEFAULT' GROUP BY item)
            SELECT s.sku, o.price_amount * coalesce(own.quantity, f.inventory_details_fulfillable_quantity, 0) AS money,
              o.price_currency_code
            FROM suppressed s JOIN stocked_offers o USING (item) LEFT JOIN own USING (item)
            LEFT JOIN fba f ON f.seller_sku = s.sku
            ORDER BY money DESC, s.sku LIMIT 10`,
    });
    expect(answer.structured.rows).toEqual(moneyStandingStill(10));
  });

  describe('asked with review_listings', () => {
    const REVIEW = { marketplaces: ['DE'] };
    const ofCode = (issues: readonly Issue[]) =>
      [...new Set(issues.map(({ code }) => code))]
        .sort()
        .map((code) => [
          code,
          [...new Set(issues.filter((one) => one.code === code).map(({ sku }) => sku))].sort(),
        ]);
    const shownBy = (section: unknown, skuOf = (text: string) => text) =>
      Array.isArray(section)
        ? section
            .map(({ code, where }) => [
              code,
              where
                .flatMap(({ skus }: { skus: string[] }) => skus)
                .map(skuOf)
                .sort(),
            ])
            .sort(compareRows)
        : section;

    it('suppressed by cause and exempt, in one call', async () => {
      const ask = startQuestion(session);
      const { structured, text } = await ask('review_listings', REVIEW);
      const suppressing = issuesIn(MARKETPLACES.DE).filter(isSuppressing);
      const [now, exempt] = [true, false].map((isNow) =>
        suppressing.filter(({ exemption }) => (exemption === 'NOT_EXEMPT') === isNow),
      );
      expect(shownBy(structured.causes)).toEqual(ofCode(now ?? []).sort(compareRows));
      expect(shownBy(structured.exempt, (words) => words.replace(/ until .*/, ''))).toEqual(
        ofCode(exempt ?? []).sort(compareRows),
      );
      for (const { sku, until } of exempt ?? []) {
        const words = until === null ? sku : `${sku} until ${until.slice(0, 10)}`;
        for (const form of [text, JSON.stringify(structured.exempt)]) expect(form).toContain(words);
      }
    });

    it('the worst by money of inventory affected, in the same call', async () => {
      const { structured } = await startQuestion(session)('review_listings', REVIEW);
      const shown = Array.isArray(structured.worst) ? structured.worst : [];
      expect(shown.length).toBeGreaterThanOrEqual(10);
      const gone = new Set(
        issuesIn(MARKETPLACES.DE)
          .filter(
            ({ actions, exemption }) =>
              exemption === 'NOT_EXEMPT' && actions.some((one) => one !== HIDES && SUPPRESSES.includes(one)),
          )
          .map(({ sku }) => sku),
      );
      const all = moneyStandingStill(1_000);
      const isGone = ([sku]: unknown[]) => gone.has(String(sku));
      // Listings that cannot be sold at all come before those that are not found.
      const worst = [...all.filter(isGone), ...all.filter((row) => !isGone(row))];
      expect(shown.map(({ sku, standing_still: money, currency }) => [sku, money, currency])).toEqual(
        worst.slice(0, shown.length),
      );
    });

    it('warnings by code, from its tables', async () => {
      const ask = startQuestion(session);
      await ask('review_listings', REVIEW);
      const { structured } = await ask('query_data', {
        sql: "SELECT code, count(*) FROM listing_issues WHERE severity = 'WARNING' GROUP BY code",
      });
      const warnings = issuesIn(MARKETPLACES.DE).filter(({ severity }) => severity === 'WARNING');
      expect(sorted(structured.rows)).toEqual(countBy(warnings, ({ code }) => [code]));
    });
  });

  it('which that the seller ships cost more than 100 EUR and are out of stock, from the report', async () => {
    const ask = startQuestion(session);
    await ask('collect_data', {
      report: { type: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaces: ['DE'] },
      as: 'listed',
    });
    const answer = await ask('query_data', {
      sql: "SELECT seller_sku, price FROM listed WHERE fulfillment_channel = 'DEFAULT' AND price > 100 AND quantity = 0",
    });
    const expected = world
      .rows(MARKETPLACES.DE)
      .filter(({ quantity, price }) => quantity === 0 && Number(price) > 100)
      .map(({ sku, price }) => [sku, Number(price)]);
    expect(expected.length).toBeGreaterThan(2);
    expect(sorted(answer.structured.rows)).toEqual(expected.sort(compareRows));
  });

  it('of which fewer than 10 are in the warehouses, with nothing inbound', async () => {
    const ask = startQuestion(session);
    await ask('collect_data', {
      operation: 'getInventorySummaries',
      parameters: {
        marketplaceIds: ['DE'],
        details: true,
        granularityType: 'Marketplace',
        granularityId: MARKETPLACES.DE,
      },
      as: 'fba',
    });
    const answer = await ask('query_data', {
      sql: `SELECT seller_sku, inventory_details_fulfillable_quantity FROM fba
            WHERE inventory_details_fulfillable_quantity < 10 AND inventory_details_inbound_working_quantity
              + inventory_details_inbound_shipped_quantity + inventory_details_inbound_receiving_quantity = 0`,
    });
    const expected = world
      .stock(MARKETPLACES.DE)
      .filter(({ fulfillable }) => fulfillable < 10)
      .filter((each) => each.inboundWorking + each.inboundShipped + each.inboundReceiving === 0)
      .map(({ row, fulfillable }) => [row.sku, fulfillable]);
    expect(expected.length).toBeGreaterThan(10);
    expect(sorted(answer.structured.rows)).toEqual(expected.sort(compareRows));
  });
});

it('orders of two marketplaces that still have to be shipped, and those that are late', async () => {
  const ask = startQuestion(session);
  const since = new Date(NOW - 30 * DAY_MS).toISOString();
  const collected = await ask('collect_data', {
    operation: 'searchOrders',
    parameters: {
      marketplaceIds: ['DE', 'US'],
      createdAfter: since,
      fulfilledBy: ['MERCHANT'],
      fulfillmentStatuses: ['UNSHIPPED', 'PARTIALLY_SHIPPED'],
      includedData: ['FULFILLMENT'],
    },
    as: 'waiting',
  });
  // The answer states which time counts as now.
  const statedNow = /now (\S+Z)/.exec(collected.text)?.[1] ?? '';
  const now = `${statedNow.slice(0, 16)}:00Z`;
  const answer = await ask('query_data', {
    sql: `SELECT sales_channel_marketplace_name, count(*),
            sum(fulfillment_ship_by_window_latest_date_time < '${now}')
          FROM waiting GROUP BY 1`,
  });
  const waiting = world
    .orders()
    .filter(({ status }) => status === 'Unshipped' || status === 'PartiallyShipped')
    .filter(({ purchasedAt, fulfilledBy }) => fulfilledBy === 'MERCHANT' && purchasedAt >= Date.parse(since));
  const expected = world.markets.map(({ channel, id }) => {
    const here = waiting.filter(({ market }) => market.id === id);
    return [channel, here.length, here.filter(({ shipBy }) => shipBy[1] < Date.parse(now)).length];
  });
  expect(expected.map(([, count, late]) => Number(count) > Number(late) && Number(late) > 0)).toEqual([
    true,
    true,
  ]);
  expect(sorted(answer.structured.rows)).toEqual(expected.sort(compareRows));
});

describe('from a report of 20,000 rows', () => {
  const ROWS = 20_000;
  const daysOf = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone });
  const CHANNELS = [
    { name: 'Amazon.de', days: daysOf('Europe/Berlin'), currency: 'EUR' },
    { name: 'Amazon.com', days: daysOf('America/Los_Angeles'), currency: 'USD' },
  ] as const;
  const plain = (cents: number) => (cents / 100).toFixed(2);

  const lines = Array.from({ length: ROWS }, (_, i) => {
    const channel = CHANNELS[i % 3 === 0 ? 1 : 0];
    const at = NOW - Math.floor(((i * 7919) % ROWS) * ((29 * DAY_MS) / ROWS)) - 60_000;
    const status = ['Shipped', 'Shipped', 'Cancelled', 'Shipped', 'Pending', 'Shipping'][i % 6] ?? '';
    const cents = status === 'Cancelled' && i % 4 === 0 ? undefined : 199 + ((i * 104_729) % 250_000);
    return { channel, at, status, cents };
  });

  const text = [
    'amazon-order-id\tpurchase-date\torder-status\tsales-channel\tproduct-name\tcurrency\titem-price',
    ...lines.map(({ channel, at, status, cents }, i) =>
      [
        `302-${String(i).padStart(7, '0')}`,
        new Date(at).toISOString().replace(/\.\d+Z$/, '+00:00'),
        status,
        channel.name,
        'Lampe „Grün“ 19" – ½ €',
        ...(cents === undefined ? ['', ''] : [channel.currency, plain(cents)]),
      ].join('\t'),
    ),
  ].join('\r\n');
  // Cp1252 has the bytes of Latin-1 for all but these.
  const BYTES: Record<string, number> = { '„': 0x84, '“': 0x93, '–': 0x96, '€': 0x80 };
  const document = () =>
    gzipSync(Buffer.from([...text].map((char) => BYTES[char] ?? char.codePointAt(0) ?? 0x3f)));

  /** ISO week of the local calendar day, worked out with the calendar alone. */
  function weekOf(at: number, days: Intl.DateTimeFormat): string {
    const [year = 0, month = 1, day = 1] = days.format(at).split('-').map(Number);
    const date = Date.UTC(year, month - 1, day);
    const thursday = date + (4 - (new Date(date).getUTCDay() || 7)) * DAY_MS;
    const ofYear = new Date(thursday).getUTCFullYear();
    const week = 1 + Math.floor((thursday - Date.UTC(ofYear, 0, 1)) / (7 * DAY_MS));
    return `${ofYear}-W${String(week).padStart(2, '0')}`;
  }

  it('revenue per local week of two marketplaces, cancelled orders left out', async () => {
    const service = await startHttpService(({ path, method, headers }) => {
      if (path === '/auth/o2/token')
        return { body: { access_token: 'Atza|1', token_type: 'bearer', expires_in: 3600 } };
      if (path === '/signed') return { body: document() };
      if (path.includes('/documents/')) return { body: { url: `http://${headers.host}/signed` } };
      if (method === 'POST') return { status: 202, body: { reportId: 'R1' } };
      if (path.includes('/reports/R1'))
        return { body: { reportId: 'R1', processingStatus: 'DONE', reportDocumentId: 'D1' } };
      return { body: { reports: [] } };
    });
    const other = await startOutside();
    const env = { ...other.env, SELLER_BASE_URL: service.url, SELLER_AUTH_URL: service.url };
    const own = await connect({ args: other.args, env });
    try {
      const ask = startQuestion(own);
      const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
      const collected = await ask('collect_data', {
        report: {
          type: 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
          marketplaces: ['DE', 'US'],
          start: day(NOW - 29 * DAY_MS),
          end: day(NOW),
        },
        as: 'sales',
      });
      expect(collected.structured).toMatchObject({ complete: true, tables: [{ name: 'sales', rows: ROWS }] });
      const answer = await ask('query_data', {
        sql: `SELECT sales_channel, local_week(purchase_date, CASE sales_channel WHEN 'Amazon.de' THEN 'Europe/Berlin'
                ELSE 'America/Los_Angeles' END) AS week, currency, sum(item_price) AS revenue
              FROM sales WHERE order_status <> 'Cancelled' GROUP BY 1, 2, 3`,
      });
      const cents = new Map<string, number>();
      for (const { channel, at, status, cents: price } of lines) {
        if (status === 'Cancelled' || price === undefined) continue;
        const key = JSON.stringify([channel.name, weekOf(at, channel.days), channel.currency]);
        cents.set(key, (cents.get(key) ?? 0) + price);
      }
      const expected = [...cents].map(([key, sum]) => [...JSON.parse(key), sum / 100]);
      expect(expected.length).toBeGreaterThanOrEqual(8);
      expect(sorted(answer.structured.rows)).toEqual(expected.sort(compareRows));
    } finally {
      await own.close();
      await service.close();
      await other.close();
    }
  });
});
