/** collect_data in the built program: questions answered exactly, several servers at once, and what a killed one leaves. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HttpService, startHttpService } from '../helpers/http-service.ts';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { connect, type Session } from '../helpers/sessions.ts';
import { onStore } from '../helpers/state-rows.ts';

let outside: Outside;
let service: HttpService;
let sessions: Session[];
let held: Promise<void>;
let letGo: () => void;

const ORDERS = 20_000;
const WEEK_ROWS = ['order-id\tpurchase-date\tstatus\tcurrency\titem-price'];
for (let i = 0; i < ORDERS; i++) {
  const day = String(1 + (i % 14)).padStart(2, '0');
  // The last hour of a day in UTC is the next day in Germany.
  const hour = i % 2 === 0 ? '10' : '23';
  const fields = [
    `00${i}`,
    `2026-11-${day}T${hour}:30:00+00:00`,
    i % 5 === 0 ? 'Cancelled' : 'Shipped',
    'EUR',
    '1234,56',
  ];
  WEEK_ROWS.push(fields.join('\t'));
}
const REPORT = gzipSync(Buffer.from(`${WEEK_ROWS.join('\r\n')}\r\n`, 'latin1'));

beforeEach(async () => {
  sessions = [];
  held = Promise.resolve();
  letGo = () => undefined;
  outside = await startOutside();
  service = await startHttpService(async ({ path, method, headers }) => {
    if (path === '/auth/o2/token')
      return { body: { access_token: 'Atza|1', token_type: 'bearer', expires_in: 3600 } };
    if (path === '/signed') return { body: REPORT };
    if (path.includes('/documents/')) return { body: { url: `http://${headers.host}/signed` } };
    if (method === 'POST') return { status: 202, body: { reportId: 'R1' } };
    if (path.includes('/reports/R1')) {
      return { body: { reportId: 'R1', processingStatus: 'DONE', reportDocumentId: 'D1' } };
    }
    if (path.includes('/reports')) return { body: { reports: [] } };
    const from = Number(new URL(path, 'http://x').searchParams.get('pageToken') ?? '0');
    if (from === 40) await held;
    const items = Array.from({ length: 20 }, (_, i) => ({ sku: `S${from + i}` }));
    const next = from < 80 ? { nextToken: String(from + 20) } : {};
    return { body: { numberOfResults: 100, items, pagination: next } };
  });
});
afterEach(async () => {
  letGo();
  await Promise.all(sessions.map((session) => session.close()));
  await service.close();
  await outside.close();
});

const env = () => ({ ...outside.env, SELLER_BASE_URL: service.url, SELLER_AUTH_URL: service.url });

async function open(more: Record<string, string> = {}, spawn = false): Promise<Session> {
  const session = await connect({ args: outside.args, env: { ...env(), ...more }, spawn });
  sessions.push(session);
  return session;
}

function hold() {
  ({ promise: held, resolve: letGo } = Promise.withResolvers<void>());
}

const LISTINGS = { operation: 'searchListingsItems', parameters: { marketplaceIds: ['DE'] } };
const pages = () => service.requests.filter(({ path }) => path.includes('/listings/')).length;

it('revenue per local week from a report of 20,000 rows: two calls, exact, a few kilobytes', async () => {
  const session = await open();
  const report = {
    type: 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
    marketplaces: ['DE', 'FR'],
    start: '2026-11-01',
    end: '2026-11-14',
  };
  const collected = await session.call('collect_data', { report, as: 'orders' });
  expect(collected.structured).toMatchObject({
    state: 'done',
    complete: true,
    tables: [{ name: 'orders', rows: ORDERS }],
  });
  const answer = await session.call('query_data', {
    sql: "SELECT local_week(purchase_date, 'Europe/Berlin') AS week, currency, sum(item_price) FROM orders WHERE status <> 'Cancelled' GROUP BY 1, 2 ORDER BY 1",
  });
  const week = (day: number, isLate: boolean) => 44 + Math.floor((day + (isLate ? 1 : 0) + 5) / 7);
  const cents = new Map<string, number>();
  for (let i = 0; i < ORDERS; i++) {
    if (i % 5 === 0) continue;
    const name = `2026-W${week(1 + (i % 14), i % 2 === 1)}`;
    cents.set(name, (cents.get(name) ?? 0) + 123_456);
  }
  expect(answer.structured.rows).toEqual([...cents].sort().map(([name, sum]) => [name, 'EUR', sum / 100]));
  expect(Buffer.byteLength(collected.text + answer.text)).toBeLessThan(8_000);
});

it('two servers collect the same once, and the one that waits tells how far it is', async () => {
  hold();
  const [first, second] = [await open({ SELLER_CALL_TIMEOUT_MS: '5000' }, true), await open()];
  expect((await first.call('collect_data', LISTINGS)).structured).toMatchObject({ state: 'under way' });
  const messages: string[] = [];
  const waiting = second.call('collect_data', LISTINGS, { onprogress: (message) => messages.push(message) });
  await expect.poll(() => messages.join()).toContain('40 of about 100 items');
  letGo();
  expect((await waiting).structured).toMatchObject({ state: 'done', tables: [{ rows: 100 }] });
  expect((await first.call('collect_data', LISTINGS)).structured).toMatchObject({ state: 'done' });
  expect(pages()).toBe(5);
});

it('a client that cancels leaves it running, and the same arguments find it', async () => {
  hold();
  const session = await open();
  const call = new AbortController();
  const cancelled = session.call('collect_data', LISTINGS, { signal: call.signal }).catch(() => 'cancelled');
  await expect.poll(pages).toBe(3);
  call.abort();
  expect(await cancelled).toBe('cancelled');
  letGo();
  expect((await session.call('collect_data', LISTINGS)).structured).toMatchObject({
    tables: [{ rows: 100 }],
  });
  expect(pages()).toBe(5);
});

it('of a killed server nothing is left that looks whole, and the next one collects it', async () => {
  hold();
  const killed = await open({ SELLER_CALL_TIMEOUT_MS: '5000' }, true);
  expect((await killed.call('collect_data', LISTINGS)).structured).toMatchObject({ state: 'under way' });
  const pid = killed.pid() ?? 0;
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isRunning(pid)).toBe(false);
  letGo();
  const next = await open();
  expect((await next.call('query_data', { sql: 'SELECT name FROM tables' })).structured).toMatchObject({
    total: 0,
  });
  expect((await next.call('collect_data', LISTINGS)).structured).toMatchObject({
    state: 'done',
    complete: true,
  });
  await expect.poll(leftovers).toEqual([]);
});

it('the end of the program ends what is under way, in time, and nothing is left', async () => {
  hold();
  const session = await open({ SELLER_CALL_TIMEOUT_MS: '5000' }, true);
  expect((await session.call('collect_data', LISTINGS)).structured).toMatchObject({ state: 'under way' });
  const pid = session.pid() ?? 0;
  await session.close();
  await expect.poll(() => isRunning(pid)).toBe(false);
  await expect.poll(leftovers).toEqual([]);
});

it('is there under --read-only, and says how it is called', async () => {
  const session = await connect({ args: [...outside.args, '--read-only'], env: env() });
  sessions.push(session);
  expect((await session.call('collect_data', LISTINGS)).structured).toMatchObject({ state: 'done' });
  const report = { type: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaces: ['DE'] };
  expect((await session.call('collect_data', { report })).structured).toMatchObject({ state: 'done' });
});

/** Lists what loads and runs that did not end have left: folders, where anything was loaded, and leases. */
async function leftovers(): Promise<unknown[]> {
  const folders = await readdir(join(outside.folder, 'data'), { recursive: true }).catch(() => []);
  const leases = onStore(join(outside.folder, 'state'), 'SELECT name FROM leases');
  return [...folders.filter((name) => /loading\/./.test(name)), ...leases];
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
