/** One statement over everything collected: exact rows, or a clear reason why not. */

import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CollectionSource, Tables } from '../../../src/data/tables/table-types.ts';
import { createWorkerPool } from '../../../src/data/tables/worker-thread.ts';
import {
  ASK,
  collectItems,
  makeTestFolder,
  ORDERS,
  openTestTables,
  tablesWorker,
} from '../../helpers/tables-worker.ts';

const CHANGE = {
  time: '2026-11-20T10:00:00Z',
  operation: 'listings-items/patchListingsItem',
  outcome: 'done',
  status: 200,
};
let tables: Tables & { folder: string };

beforeAll(async () => {
  tables = await openTestTables({ changes: async () => ({ rows: [CHANGE], leftOut: 2 }) });
  await collectItems(tables, 'orders', [
    {
      orderId: '1',
      purchaseDate: '2026-11-15T22:30:00Z',
      total: { amount: '10.10', currencyCode: 'EUR' },
      quantity: 2,
    },
    {
      orderId: '2',
      purchaseDate: '2026-11-15T23:30:00Z',
      total: { amount: '20.20', currencyCode: 'EUR' },
      quantity: 1,
    },
    {
      orderId: '3',
      purchaseDate: '2026-11-22T12:00:00Z',
      total: { amount: '5.00', currencyCode: 'GBP' },
      quantity: 7,
    },
  ]);
});
afterAll(() => tables.close());

const rows = async (sql: string) => (await tables.query(sql, ASK)).rows;

test('the order of the rows is kept, and all rows are counted', async () => {
  const all = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)';
  const answer = await tables.query(`${all} SELECT i FROM n ORDER BY i % 7 DESC, i`, { ...ASK, maxRows: 3 });
  expect(answer).toMatchObject({ rows: [[6], [13], [20]], total: 5000 });
  const limited = await tables.query(`${all} SELECT i FROM n ORDER BY i DESC LIMIT 10 OFFSET 2`, {
    ...ASK,
    maxRows: 2,
  });
  expect(limited).toMatchObject({ rows: [[4998], [4997]], total: 10 });
  const wide = await tables.query(`${all} SELECT i, printf('%.*c', 1000, 'x') FROM n`, {
    ...ASK,
    maxBytes: 2500,
  });
  expect(wide.rows).toHaveLength(2);
  expect(wide.total).toBe(5000);
});

test('two columns of one name are both kept, in their order', async () => {
  const answer = await tables.query(
    'SELECT a.order_id, b.order_id, 2 AS "2", 1 AS "1" FROM orders a JOIN orders b ON a.item = b.item LIMIT 1',
    ASK,
  );
  expect(answer.columns).toEqual(['order_id', 'order_id:1', '2', '1']);
  expect(answer.rows).toEqual([['1', '1', 2, 1]]);
});

test('an answer without rows has its columns', async () => {
  expect(await tables.query('SELECT order_id, total_amount AS t FROM orders WHERE 0', ASK)).toMatchObject({
    columns: ['order_id', 't'],
    rows: [],
    total: 0,
  });
});

test('days, weeks and hours are those of the zone', async () => {
  expect(
    await rows(
      "SELECT local_date(purchase_date, 'Europe/Berlin'), local_week(purchase_date, 'Europe/Berlin'), local_hour(purchase_date, 'Europe/Berlin') FROM orders",
    ),
  ).toEqual([
    ['2026-11-15', '2026-W46', 23],
    ['2026-11-16', '2026-W47', 0],
    ['2026-11-22', '2026-W47', 13],
  ]);
  expect(
    await rows(
      "SELECT local_week('2026-12-31', 'UTC'), local_week('2027-01-03', 'UTC'), local_week('2027-01-04', 'UTC'), local_date(NULL, 'UTC'), local_week('1965-01-01', 'UTC')",
    ),
  ).toEqual([['2026-W53', '2026-W53', '2027-W01', null, '1964-W53']]);
  expect(
    await rows(
      "SELECT local_date('2026-03-29T00:59:59Z', 'Europe/Berlin'), local_hour('2026-03-29T00:59:59Z', 'Europe/Berlin'), local_hour('2026-03-29T01:00:00Z', 'Europe/Berlin'), local_date('2026-11-20T15:00:00+00:00', 'Asia/Tokyo'), local_hour('2026-11-20T18:30:00Z', 'Asia/Kolkata')",
    ),
  ).toEqual([['2026-03-29', 1, 3, '2026-11-21', 0]]);
});

test("days without a zone are those of the account's marketplace, and need one", async () => {
  const sql = "SELECT local_date('2026-11-20T03:00:00Z'), local_hour('2026-11-20T03:00:00Z', 'UTC')";
  const american = await openTestTables({ marketplaceId: 'ATVPDKIKX0DER' });
  expect((await american.query(sql, ASK)).rows).toEqual([['2026-11-19', 3]]);
  await american.close();
  await expect(rows(sql)).rejects.toThrow('local_date');
});

test('moments that a statement makes are compared in the form of those that are kept', async () => {
  const late = (now: string) =>
    rows(`SELECT order_id FROM orders WHERE purchase_date < ${now} ORDER BY order_id`);
  expect(await late("datetime('2026-11-15T23:00:00Z')")).toEqual([['1']]);
  expect(await late("datetime('2026-11-14 23:00:00', '+1 day')")).toEqual([['1']]);
  expect(await late("'2026-11-15T00:00:00Z' AND purchase_date < CURRENT_TIMESTAMP")).toEqual([]);
  const { notes } = await tables.query("SELECT purchase_date < datetime('now') FROM orders", ASK);
  expect(notes).toEqual([]);
  const local = await tables.query("SELECT purchase_date < datetime('now', 'localtime') FROM orders", ASK);
  expect(local.notes).toEqual([expect.stringContaining('come out wrong')]);
});

test('a column may be called as the service calls it, where only one can be meant', async () => {
  const answer = await tables.query(
    "SELECT OrderId, o.purchaseDate, 'orderId' FROM orders o WHERE orderID = '3' ORDER BY TotalAmount",
    ASK,
  );
  expect(answer).toMatchObject({
    columns: ['order_id', 'purchase_date', "'orderId'"],
    rows: [['3', '2026-11-22T12:00:00Z', 'orderId']],
    total: 1,
  });
});

test('a name that could mean two columns means neither', async () => {
  const two = await openTestTables();
  await collectItems(two, 'things', [{ a_bc: 1, ab_c: 2, a_d: 3 }]);
  expect((await two.query('SELECT AD FROM things', ASK)).rows).toEqual([[3]]);
  await expect(two.query('SELECT ABC FROM things', ASK)).rejects.toThrow('There is no column ABC');
  await two.close();
});

test.each([
  ["SELECT local_date(purchase_date, 'Europe/Berln') FROM orders", "The nearest name is 'Europe/Berlin'"],
  ["SELECT local_date(purchase_date, '+01:00') FROM orders", 'is no time zone'],
  ["SELECT local_date('20/11/2026', 'UTC')", 'is no day and no time with an offset'],
  ["SELECT local_date('2026-11-20 10:00:00', 'UTC')", 'is no day and no time with an offset'],
  ['SELECT order_idd FROM orders', 'The nearest name is order_id.'],
  ['SELECT "Order Id" FROM orders', 'There is no column "Order Id"'],
  ['SELECT * FROM order_s', 'The nearest name is orders.'],
  ['SELECT * FROM sqlite_master', 'the catalogue of SQLite'],
  ['SELECT median(quantity) FROM orders', 'There is no function median'],
  ['SELECT item FROM orders a JOIN orders b', 'More than one table has a column item'],
  ['SELECT FROM WHERE', 'SQLite does not take this statement'],
  ['SELECT ?', 'SQLite does not take this statement'],
])('%s is told what is wrong', async (sql, message) => {
  await expect(tables.query(sql, ASK)).rejects.toThrow(message);
});

test('the columns of the table are told with a wrong one', async () => {
  await expect(tables.query('SELECT skuu FROM orders', ASK)).rejects.toMatchObject({
    hint: 'Columns of orders: order_id, purchase_date, total_amount, total_currency_code, quantity.',
  });
});

test('money is never added up across currencies, quantities are', async () => {
  await expect(rows('SELECT sum(total_amount) FROM orders')).rejects.toThrow(
    'amounts of 2 currencies (EUR, GBP)',
  );
  await expect(rows('SELECT avg(x) FROM (SELECT total_amount AS x FROM orders)')).rejects.toThrow(
    '2 currencies',
  );
  await expect(rows('SELECT total(o.quantity * o."total_amount") FROM orders o')).rejects.toThrow(
    '2 currencies',
  );
  await expect(rows('SELECT sum(quantity), max(total_amount) FROM orders')).rejects.toThrow('2 currencies');
  expect(await rows("SELECT sum(quantity), max(total_amount) FROM orders WHERE order_id < '3'")).toEqual([
    [3, 20.2],
  ]);
  expect(
    await rows('SELECT total_currency_code, sum(total_amount) FROM orders GROUP BY 1 ORDER BY 1'),
  ).toEqual([
    ['EUR', 30.3],
    ['GBP', 5],
  ]);
});

test.each([
  ["SELECT count(*) FROM orders WHERE purchase_date < datetime('now', 'localtime')", true],
  ["SELECT count(*) FROM orders WHERE purchase_date < datetime('now', '-1 day')", false],
  ['SELECT count(*) FROM orders WHERE purchase_date < CURRENT_TIMESTAMP', false],
  ["SELECT count(*) FROM orders WHERE datetime(purchase_date) < datetime('now')", false],
  ["SELECT count(*) FROM orders WHERE purchase_date < strftime('%Y-%m-%dT%H:%M:%SZ', 'now')", false],
  ["SELECT count(*), datetime('now') FROM orders", false],
])(
  'moments of two forms that are compared are told where they cannot be made alike: %s',
  async (sql, isTold) => {
    const { notes } = await tables.query(sql, ASK);
    expect(notes.join()).toEqual(isTold ? expect.stringContaining('datetime(column)') : '');
  },
);

test('money of two tables is not added up across their currencies, whatever each of them holds alone', async () => {
  const own = await openTestTables();
  const collect = (name: string, currency: string) => {
    const source: CollectionSource = { kind: 'operation', operation: name, parameters: {} };
    const items = [{ price: '5.00', currency, quantity: 3 }];
    return collectItems(own, name, items, source);
  };
  await collect('de', 'EUR');
  await collect('uk', 'GBP');
  await collect('odd', '$ (see "note")');
  const refused = (sql: string) => expect(own.query(sql, ASK)).rejects;
  const both = 'SELECT price FROM de UNION ALL SELECT price FROM uk';
  await refused(`SELECT sum(price) FROM (${both})`).toThrow('2 currencies (EUR, GBP) in tables');
  await refused('SELECT sum(de.price + uk.price) FROM de, uk').toThrow('2 currencies');
  await refused("SELECT sum(u.price + d.price) FROM 'de' d JOIN 'uk' u").toThrow('2 currencies');
  const positions =
    'WITH t(a, b, c, d) AS (SELECT * FROM de UNION ALL SELECT * FROM uk) SELECT sum(b) FROM t';
  await refused(positions).toThrow('2 currencies');
  await refused('SELECT sum(de.price + odd.price) FROM de, odd').toMatchObject({
    message: expect.stringContaining('(«$ (see "note")», EUR)'),
    hint: "Choose one currency for all of them: WHERE de.currency = 'EUR' AND odd.currency = 'EUR'.",
  });
  const rowsOf = async (sql: string) => (await own.query(sql, ASK)).rows;
  expect(await rowsOf('SELECT sum(price) FROM de')).toEqual([[5]]);
  expect(await rowsOf("SELECT sum(u.price) FROM 'de' d JOIN 'uk' u")).toEqual([[5]]);
  expect(await rowsOf('SELECT sum(de.quantity + uk.quantity) FROM de, uk')).toEqual([[6]]);
  expect(
    await rowsOf(`SELECT currency, sum(price) FROM (SELECT * FROM de UNION ALL SELECT * FROM uk) GROUP BY 1`),
  ).toHaveLength(2);
  await own.close();
});

test('the writes made from here are the table changes, what there is to query are tables and columns', async () => {
  expect(await rows('SELECT operation, outcome, status, error FROM changes')).toEqual([
    ['listings-items/patchListingsItem', 'done', 200, null],
  ]);
  const { notes } = await tables.query('SELECT 1 FROM changes', ASK);
  expect(notes).toEqual([expect.stringContaining('2 writes of this account name are left out of changes')]);
  expect((await tables.query('SELECT 1 FROM tables', ASK)).notes).toEqual([]);
  expect(await rows('SELECT name, rows, currencies FROM tables')).toEqual([['orders', 3, 'EUR, GBP']]);
  expect(
    await rows("SELECT name, type, example FROM columns WHERE table_name = 'orders' AND type = 'number'"),
  ).toEqual([
    ['total_amount', 'number', '10.1'],
    ['quantity', 'number', '2'],
  ]);
});

test('numbers that JavaScript cannot hold, bytes and infinity are told as texts', async () => {
  expect(await rows("SELECT 9007199254740993, x'00ff', 1e999, 1.5")).toEqual([
    ['9007199254740993', '(2 bytes)', 'Infinity', 1.5],
  ]);
});

test('nothing collected yet is said with the next step', async () => {
  const empty = await openTestTables();
  await expect(empty.query('SELECT * FROM orders', ASK)).rejects.toThrow('nothing has been collected yet');
  expect((await empty.query('SELECT 1', ASK)).rows).toEqual([[1]]);
  await empty.close();
});

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n';

test('an endless query is ended at its time limit, and the next one works', async () => {
  await expect(tables.query(`${ENDLESS}, orders`, { ...ASK, timeoutMs: 300 })).rejects.toThrow(
    'took longer than 300 ms',
  );
  expect(await rows('SELECT count(*) FROM orders')).toEqual([[3]]);
  // Nor does the library's lock stay behind.
  const [own = ''] = await readdir(join(tables.folder, 'readers'));
  expect(await readdir(join(tables.folder, 'readers', own))).toEqual([]);
});

test.each([
  ['other', 'memory access out of bounds'],
  ['sql', 'Could not open the database ":memory:"'],
])('an engine that fails by its own fault (%s) is started anew for the next query', async (kind, message) => {
  // A second answer of the same thread would be another one.
  const workerFile = join(await makeTestFolder(), 'worker.mjs');
  const failures = JSON.stringify([
    { kind, message, hint: '' },
    { kind: 'sql', message: 'the same thread', hint: '' },
  ]);
  await writeFile(
    workerFile,
    `import { parentPort } from 'node:worker_threads';
     const failures = ${failures};
     parentPort.on('message', ({ id }) => parentPort.postMessage({ id, failure: failures.shift() }));`,
  );
  const workers = createWorkerPool(workerFile);
  const failing = await openTestTables({ workers });
  for (let time = 0; time < 2; time += 1) {
    await expect(failing.query('SELECT 1', ASK)).rejects.toThrow('was started anew');
  }
  await failing.close();
  await workers.close();
});

test('a query that waited for another is told with the limit that was asked for', async () => {
  const first = tables.query(ENDLESS.replace('FROM n)', 'FROM n LIMIT 5000)'), ASK);
  const second = tables.query(`${ENDLESS}, orders`, { ...ASK, timeoutMs: 990 });
  await expect(second).rejects.toThrow(/took longer than 990 ms/);
  await first;
});

test('a query that is cancelled is ended', async () => {
  const cancel = new AbortController();
  const asked = tables.query(ENDLESS, { ...ASK, signal: cancel.signal });
  setTimeout(() => cancel.abort(), 100);
  await expect(asked).rejects.toThrow('cancelled');
  expect(await rows('SELECT 1')).toEqual([[1]]);
});

test('a query that waits for another ends at its own limit, and when it is cancelled', async () => {
  const cancel = new AbortController();
  const long = tables.query(ENDLESS, { ...ASK, signal: cancel.signal });
  const ended = expect(long).rejects.toThrow('cancelled');
  const waits = new AbortController();
  const waiting = expect(tables.query('SELECT 1', { ...ASK, signal: waits.signal })).rejects.toThrow(
    'cancelled',
  );
  await expect(tables.query('SELECT 1', { ...ASK, timeoutMs: 100 })).rejects.toThrow(
    'was not run: others of this session took longer than 100 ms',
  );
  waits.abort();
  await waiting;
  cancel.abort();
  await ended;
  expect(await rows('SELECT 1')).toEqual([[1]]);
});

test('a folder for links that cannot be made, or is taken away, is told, and the next query finds it mended', async () => {
  const own = await openTestTables();
  await collectItems(own, 'orders', [{ id: 1 }]);
  const readers = join(own.folder, 'readers');
  await writeFile(readers, 'no folder');
  const asked = own.query('SELECT count(*) FROM orders', ASK);
  await expect(asked).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(/is full, or cannot be written \((?:EEXIST|ENOTDIR)\)/),
  });
  await rm(readers);
  expect((await own.query('SELECT count(*) FROM orders', ASK)).rows).toEqual([[1]]);
  await rm(readers, { recursive: true });
  expect((await own.query('SELECT count(*) FROM orders', ASK)).rows).toEqual([[1]]);
  await own.close();
});

test('a query that takes too much memory is ended and told as such, and the next one works', async () => {
  const big = 'SELECT length(a || a) FROM (SELECT hex(zeroblob(220000000)) AS a) UNION SELECT 1';
  await expect(tables.query(big, { ...ASK, timeoutMs: 60_000 })).rejects.toThrow(
    'more than 512 MB of memory',
  );
  expect(await rows('SELECT 1')).toEqual([[1]]);
}, 90_000);

test('a query during which the process grows by more than that is ended, whatever the engine says', async () => {
  let bytes = 0;
  let growth = 300_000_000;
  const own = await openTestTables({ residentBytes: () => (bytes += growth) });
  const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
  await expect(own.query(endless, { ...ASK, timeoutMs: 60_000 })).rejects.toThrow(
    'more than 512 MB of memory',
  );
  growth = 0;
  expect((await own.query('SELECT 1', ASK)).rows).toEqual([[1]]);
  await own.close();
}, 90_000);

test('where several people use the process, what it grows by for others ends no query, and its own does', async () => {
  let bytes = 0;
  const shared = await openTestTables({ by: 'anna', residentBytes: () => (bytes += 600_000_000) });
  const some =
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000) SELECT count(*) FROM n';
  expect((await shared.query(some, { ...ASK, timeoutMs: 60_000 })).rows).toEqual([[1_000_000]]);
  const big = 'SELECT length(a || a) FROM (SELECT hex(zeroblob(220000000)) AS a) UNION SELECT 1';
  await expect(shared.query(big, { ...ASK, timeoutMs: 60_000 })).rejects.toThrow(
    'more than 512 MB of memory',
  );
  expect((await shared.query('SELECT 1', ASK)).rows).toEqual([[1]]);
  await shared.close();
}, 90_000);

test('the queries of several people together hold no more than one may: the largest is ended, the other answers', async () => {
  const [anna, ben] = [await openTestTables({ by: 'anna' }), await openTestTables({ by: 'ben' })];
  /** Builds a query that holds so many megabytes while it counts. */
  const holding = (megabytes: number) =>
    `WITH RECURSIVE big AS MATERIALIZED (SELECT hex(zeroblob(${megabytes * 250_000})) AS a),
     n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 4000000)
     SELECT count(typeof(a)) FROM big, n`;
  const asked = { ...ASK, timeoutMs: 120_000 };
  const [large, small] = await Promise.allSettled([
    anna.query(holding(170), asked),
    ben.query(holding(100), asked),
  ]);
  expect([large.status, small.status]).toEqual(['rejected', 'fulfilled']);
  // The next query succeeds, because the memory of the ones before it is released.
  expect((await anna.query('SELECT 1', ASK)).rows).toEqual([[1]]);
  await Promise.all([anna.close(), ben.close()]);
}, 180_000);

test('what the process held before a query is no growth of it', async () => {
  const large = await openTestTables({ residentBytes: () => 4_000_000_000 });
  const some =
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000) SELECT count(*) FROM n';
  expect((await large.query(some, { ...ASK, timeoutMs: 60_000 })).rows).toEqual([[1_000_000]]);
  await large.close();
}, 90_000);

test('at most ten collections are read at once', async () => {
  const many = await openTestTables();
  const names = Array.from({ length: 11 }, (_, i) => `t${i}`);
  for (const name of names) {
    const source: CollectionSource = { kind: 'operation', operation: name, parameters: {} };
    await collectItems(many, name, [{ a: 1 }], source);
  }
  await expect(many.query(`SELECT * FROM ${names.join(', ')}`, ASK)).rejects.toThrow('at most 10');
  expect((await many.query(`SELECT count(*) FROM ${names.slice(1).join(', ')}`, ASK)).rows).toEqual([[1]]);
  await many.close();
});

test('who has collected ends no thread that works for somebody else by then', async () => {
  const workers = createWorkerPool(tablesWorker);
  const collecting = await openTestTables({ workers });
  const loader = await collecting.openLoader(ORDERS);
  await loader.addItems('orders', [{ id: 1 }], 'id');
  await loader.finish({ source: ORDERS, complete: true, notes: [] });
  const taken = workers.take('query');
  await loader.abandon();
  expect(taken.isEnded()).toBe(false);
  workers.giveBack(taken);
  expect((await collecting.query('SELECT id FROM orders', ASK)).rows).toEqual([[1]]);
  await collecting.close();
  await workers.close();
});
