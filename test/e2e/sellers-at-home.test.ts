/** A seller of any country tries the sandbox: each answer in its currency, weeks and names, and undo in a new process. */

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { buildHomeListings } from '../../sandbox/fixtures/listings.ts';
import { marketOf } from '../../sandbox/world/markets.ts';
import { createWorld } from '../../sandbox/world/world.ts';
import { runInside } from '../helpers/inside.ts';
import { homeEnvironment, SHOP } from '../helpers/outside-service.ts';
import { readWorkbook } from '../helpers/read-workbook.ts';
import { runProgram } from '../helpers/run-program.ts';
import { connect, type Session } from '../helpers/sessions.ts';

const DAY_MS = 86_400_000;
/** Lists words of a seller in the United States, which must not appear for one in another marketplace. */
const ABROAD = ['USD', 'United States'];

let home: string;
const sessions: Session[] = [];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'seller-at-home-'));
});
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
  await rm(home, { recursive: true, force: true, maxRetries: 10 });
});

/** A process of its own, as a host starts it for a chat. */
const chat = (...args: string[]) => open(args, true);
/** In the test's own process, where one answer matters. */
const chatHere = (...args: string[]) => open(args, false);

async function open(args: readonly string[], spawn: boolean): Promise<Session> {
  const session = await connect({
    spawn,
    args: ['--sandbox', '--writes=allow', ...args],
    env: homeEnvironment(home),
  });
  sessions.push(session);
  return session;
}

/** Again until it is done: a busy machine may leave it in the background. */
async function ask(session: Session, tool: string, args: object = {}) {
  for (;;) {
    const answer = await session.call(tool, { ...args });
    expect(answer.isError, answer.text).toBe(false);
    if (answer.structured.state !== 'under way') return answer;
  }
}

const priceSchema = z.object({ offers: z.array(z.object({ price: z.object({ amount: z.string() }) })) });

async function priceOf(session: Session, sku: string): Promise<string | undefined> {
  const read = await ask(session, 'read_operation', {
    operation: 'getListingsItem',
    parameters: { sku, includedData: ['offers'] },
  });
  return priceSchema.parse(read.structured.value).offers[0]?.price.amount;
}

const weeksSchema = z.object({ rows: z.array(z.tuple([z.string(), z.number(), z.string()])) });

/** ISO week of the day that it is there; told by another way than the program's. */
function localWeek(ms: number, timeZone: string): string {
  const day = Date.parse(new Intl.DateTimeFormat('en-CA', { timeZone }).format(ms));
  const thursday = new Date(day + (3 - ((new Date(day).getUTCDay() + 6) % 7)) * DAY_MS);
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = 1 + Math.floor((thursday.getTime() - first) / (7 * DAY_MS));
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}

describe.each([
  {
    named: ['--marketplace-id', 'DE'],
    country: 'DE',
    name: 'Germany',
    price: 21,
    words: /price: 17\.99 EUR -> 21\.00 EUR/,
  },
  {
    named: ['--region', 'fe'],
    country: 'JP',
    name: 'Japan',
    price: 3100,
    words: /price: 2780 JPY -> 3100 JPY/,
  },
])('$name', ({ named, country, name, price, words }) => {
  const market = marketOf(country);
  const SKU = 'MUG-SAND-350';

  it('is reviewed, counted by week, changed and taken back as there', async () => {
    // The world is made at its first call: at the hour before, or at that behind.
    const begun = Date.now();
    const first = await chat(...named);
    const review = await ask(first, 'review_listings');
    expect(review.text).toMatch(new RegExp(`${name}: (\\d+) of \\1 listings read`));
    expect(review.text).toMatch(new RegExp(`${name}, .*${market.currency} of inventory affected`));
    for (const elsewhere of ABROAD) expect(review.text).not.toContain(elsewhere);

    const [start, end] = [40, 2].map((days) =>
      new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10),
    );
    const type = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';
    await ask(first, 'collect_data', { report: { type, start, end }, as: 'orders' });
    const { structured } = await ask(first, 'query_data', {
      sql: `SELECT local_week(purchase_date) AS week, sum(item_price) AS revenue, currency FROM orders
        WHERE order_status <> 'Cancelled' AND item_price IS NOT NULL GROUP BY 1, 3 ORDER BY 1`,
    });
    const expected = [begun, Date.now()].map((now) => expectedWeeks(country, `${start}`, `${end}`, now));
    expect(expected).toContainEqual(weeksSchema.parse(structured).rows);

    const before = await priceOf(first, SKU);
    const changed = await ask(first, 'change_listings', { items: [{ sku: SKU, set: { price } }] });
    expect(changed.text).toContain('1 accepted');
    expect(changed.text).toMatch(words);
    const [facts] = market.stores;
    const hours = { configuration: { operationalConfiguration: { operatingHoursByDay: { sunday: [] } } } };
    const closed = await ask(first, 'update_supply_source', { supplySourceId: SHOP, changes: hours });
    expect(closed.text).toContain(`${facts?.alias} (${facts?.code})`);
    expect(closed.text).toContain('Sundays 11:00-16:00 -> closed');
    await first.close();

    const second = await chat(...named);
    expect(Number(await priceOf(second, SKU))).toBe(price);
    const listed = z
      .object({ changes: z.array(z.looseObject({ id: z.string() })) })
      .parse((await ask(second, 'undo_change')).structured);
    expect(listed.changes).toHaveLength(2);
    for (const { id } of listed.changes) {
      const undone = await ask(second, 'undo_change', { id });
      expect(undone.text).toMatch(/^Done: /m);
    }
    expect(await priceOf(second, SKU)).toBe(before);
    const store = await ask(second, 'read_operation', {
      operation: 'getSupplySource',
      parameters: { supplySourceId: SHOP },
    });
    expect(store.structured.value).toMatchObject({
      alias: facts?.alias,
      address: { city: facts?.town[0], countryCode: country },
      configuration: {
        timezone: market.timeZone,
        operationalConfiguration: {
          operatingHoursByDay: { sunday: [{ startTime: '11:00', endTime: '16:00' }] },
        },
      },
    });
  });
});

/** Revenue by week, out of the same world, whatever the report makes of it. */
function expectedWeeks(country: string, start: string, end: string, now: number): [string, number, string][] {
  const market = marketOf(country);
  const countries = [country, ...market.alsoIn];
  const world = createWorld(buildHomeListings(now, countries.map(marketOf)), countries, now);
  const weeks = new Map<string, number>();
  for (const order of world.orders()) {
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: market.timeZone }).format(order.purchasedAt);
    if (order.market !== market || day < start || day > end) continue;
    if (order.status === 'Canceled' || order.status === 'Pending') continue;
    const week = localWeek(order.purchasedAt, market.timeZone);
    const cents = order.items.reduce((sum, { priceCents }) => sum + priceCents, 0);
    weeks.set(week, (weeks.get(week) ?? 0) + cents);
  }
  return [...weeks].sort().map(([week, cents]) => [week, cents / 100, market.currency]);
}

const savedSchema = z.object({ saved: z.object({ path: z.string() }) });

it.each([
  ['DE', [], 'sku;price\r\n', '17,99'],
  ['DE', ['--csv=comma'], 'sku,price\r\n', '17.99'],
  ['JP', [], 'sku,price\r\n', '2780'],
])(
  'a file for a seller of %s (%j) is written as there, or as was set',
  async (country, set, header, price) => {
    const session = await chatHere(`--marketplace-id=${country}`, ...set);
    const sql = `SELECT 'MUG' AS sku, ${price.replace(',', '.')} AS price`;
    const csv = await ask(session, 'query_data', { sql, save_as: 'prices.csv' });
    const text = await readFile(savedSchema.parse(csv.structured).saved.path, 'utf8');
    expect(text.replace(/^\uFEFF/, '')).toBe(`${header}MUG${header[3]}${price}\r\n`);
    const asked = await ask(session, 'query_data', { sql, save_as: 'asked.csv', csv: 'semicolon' });
    expect(await readFile(savedSchema.parse(asked.structured).saved.path, 'utf8')).toContain('sku;price');
    const workbook = await ask(session, 'query_data', { sql, save_as: 'prices.xlsx' });
    const { rows } = readWorkbook(await readFile(savedSchema.parse(workbook.structured).saved.path));
    expect(rows[1]).toMatchObject([
      { type: 'text', value: 'MUG' },
      { type: 'number', value: Number(price.replace(',', '.')) },
    ]);
  },
);

it('two servers on one world see what the other has changed', async () => {
  const [one, other] = await Promise.all([chat('--region=eu'), chat('--region=eu')]);
  await Promise.all([priceOf(one, 'LAMP-OAK-E27'), priceOf(other, 'LAMP-OAK-E27')]);
  await ask(one, 'change_listings', { items: [{ sku: 'LAMP-OAK-E27', set: { price: 71 } }] });
  expect(await priceOf(other, 'LAMP-OAK-E27')).toBe('71.00');
  await ask(other, 'change_listings', { items: [{ sku: 'LAMP-OAK-E27', set: { price: 72 } }] });
  expect(await priceOf(one, 'LAMP-OAK-E27')).toBe('72.00');
});

it('a world of an older version is made anew and told, and so is one after a reset', async () => {
  const first = await chat();
  await ask(first, 'change_listings', { items: [{ sku: 'MUG-SAND-350', set: { price: 20 } }] });
  await first.close();
  const folder = join(home, 'xdg-state', 'seller-commerce-mcp', 'sandbox', 'world-us');
  const marker = join(folder, 'world.json');
  await writeFile(marker, (await readFile(marker, 'utf8')).replace('"version":1', '"version":0'));
  const second = await chat();
  expect(await priceOf(second, 'MUG-SAND-350')).toBe('18.90');
  expect(second.stderr()).toContain('it was made anew');
  await ask(second, 'change_listings', { items: [{ sku: 'MUG-SAND-350', set: { price: 21 } }] });
  await second.close();
  const reset = await runProgram(['sandbox', 'reset'], { env: homeEnvironment(home) });
  expect(reset.stdout).toContain('starts anew: United States');
  expect(await readdir(folder)).toEqual([]);
  const third = await chat();
  expect(await priceOf(third, 'MUG-SAND-350')).toBe('18.90');
  expect((await ask(third, 'undo_change')).structured.changes).toEqual([]);
});

it.each([
  [['--marketplace-id', 'Germnay'], 'did you mean Germany?\n'],
  [['--marketplace-id', 'CH'], 'In Switzerland there is none. Known: United States, Canada,'],
  [['--marketplace-id', 'Atlantis'], 'Known: United States, Canada,'],
  [['--marketplace-id', 'A9NEWMARKETPLACE'], 'The sandbox does not know the marketplace that is set'],
  [['--marketplace-id', 'DE', '--region', 'na'], 'Germany, is not of the region that is set'],
])('%j is told, and no other marketplace is taken', async (args, words) => {
  const session = await chatHere(...args);
  const { isError, text } = await session.call('review_listings', {});
  expect([isError, text]).toEqual([true, expect.stringContaining(words)]);
  const { stderr, code } = await runProgram(['sandbox', ...args], { env: homeEnvironment(home) });
  expect([code === 0, stderr]).toEqual([false, expect.stringContaining(words)]);
});

it('a review of a country where the account does not sell says so', async () => {
  const session = await chatHere('--marketplace-id=DE');
  const { text } = await ask(session, 'review_listings', { marketplaces: ['GB'] });
  expect(text).toContain('United Kingdom: this account does not sell there');
  expect(text).toContain('It sells in Germany, France, Italy.');
  // The marketplace has this line only, and none that tells how many of its listings were read.
  expect(text.split('\n').filter((line) => line.startsWith('United Kingdom'))).toHaveLength(1);
});

it('a watch of a country where the account does not sell says so each time, and does not end as if nothing were new', async () => {
  const env = homeEnvironment(home);
  const run = () => runInside(['watch', '--once', '--sandbox', '--marketplaces', 'US,GB'], { env });
  await run();
  const { code, stdout } = await run();
  expect(stdout).toMatch(/^United States, since .*: nothing is new\.$/m);
  expect(stdout).toMatch(
    /^United Kingdom: this account does not sell there, .* It sells in United States, /m,
  );
  expect(code).toBe(1);
});

it('the figures of the answer that the README shows are those of the sandbox', async () => {
  const readme = await readFile('README.md', 'utf8');
  const [shown = ''] = /^> I read all .*$/m.exec(readme) ?? [];
  const figures = shown.match(/\d[\d,.]*\d/g) ?? [];
  expect(figures.length).toBeGreaterThan(4);
  const { text } = await ask(await chatHere(), 'review_listings');
  for (const figure of figures) expect(text.replaceAll(',', '')).toContain(figure.replaceAll(',', ''));
  const [suppressed = ''] = text.split('Exempt for now:');
  const amounts = [...suppressed.matchAll(/^- .* \(([\d.]+) USD\)/gm)].map(([, amount]) => Number(amount));
  const most = /The most money, ([\d,.]+) USD/.exec(shown)?.[1]?.replaceAll(',', '');
  expect(Number(most)).toBe(Math.max(...amounts));
});

it('the picture in the README holds the question that is asked today', async () => {
  const asked: string[] = [];
  const session = await connect({
    args: ['--sandbox'],
    env: homeEnvironment(home),
    elicit: async ({ message }) => {
      asked.push(message);
      return { action: 'decline' };
    },
  });
  sessions.push(session);
  const hours = { configuration: { operationalConfiguration: { operatingHoursByDay: { sunday: [] } } } };
  await session.call('update_supply_source', { supplySourceId: SHOP, changes: hours });
  const picture = await readFile('docs/images/conversation.png', 'latin1');
  expect(asked).toHaveLength(1);
  expect(picture, 'npx tsx scripts/screenshot-conversation.ts makes it anew').toContain(asked[0]);
});
