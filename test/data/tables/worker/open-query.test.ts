/** A statement over the files that it names: its first rows as JSON can hold them, how many there are, and marks for whom they are made. */

import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { expect, it } from 'vitest';
import type { QueryRequest } from '../../../../src/data/tables/worker/messages.ts';
import { createQueryOpener, marksIn, runQuery } from '../../../../src/data/tables/worker/open-query.ts';
import { makeTestFolder } from '../../../helpers/tables-worker.ts';

const file = join(await makeTestFolder(), 'orders.db');
const made = new sqlite.Database(file);
made.exec(
  "CREATE TABLE orders (item INTEGER PRIMARY KEY, buyer TEXT, zip TEXT); INSERT INTO orders VALUES (1, 'Anna', '10115')",
);
made.close();

const opener = createQueryOpener();
const run = (sql: string, more: Partial<QueryRequest> = {}, open = opener) =>
  runQuery(open, {
    do: 'query',
    sql,
    countSql: sql,
    maxRows: 100,
    maxBytes: 100_000,
    files: [file],
    builtIn: [],
    ...more,
  });
const masking = (account = 'acme', key = new Uint8Array(32).fill(7)) => ({
  key,
  account,
  tables: [
    {
      file: 0,
      name: 'orders',
      source: {},
      columns: [
        { name: 'buyer', personal: 'buyer name' as const, members: undefined },
        { name: 'zip', personal: 'postcode' as const, members: undefined },
      ],
    },
  ],
});
const numbers = (count: number, as = 'n') =>
  `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${count}) SELECT ${as} AS v FROM c`;

it('values are as JSON can hold them, in columns that may have one name', () => {
  const { columns, rows } = run(
    "SELECT 1.5 AS a, 0.1 + 0.2 AS a, 9007199254740993, 9e999, x'0102', NULL, 'a', 2, 1e300",
  );
  expect(columns.slice(0, 2)).toEqual(['a', 'a:1']);
  expect(rows).toEqual([[1.5, 0.3, '9007199254740993', 'Infinity', '(2 bytes)', null, 'a', 2, 1e300]]);
});

it.each([
  [9, 10, 9, 9],
  [10, 10, 10, 10],
  [11, 10, 10, 1],
])(
  'of %i rows, where %i are given, there are %i, and all are counted where there are more',
  (count, maxRows, given, total) => {
    const answer = run(numbers(count), { maxRows, countSql: 'SELECT 1' });
    expect(answer.rows).toEqual(Array.from({ length: given }, (_, at) => [at + 1]));
    expect(answer.total).toBe(total);
  },
);

it.each([
  ['texts', "'0123456789'", 25, 2],
  ['texts up to the last byte', "'0123456789'", 20, 2],
  ['numbers, which count as eight', 'n', 25, 3],
  ['a first row that is too long alone', "'0123456789'", 5, 1],
  ['all of them', 'n', 40, 5],
])('as many bytes are given as there is room for: %s', (_what, as, maxBytes, given) => {
  const { rows, total } = run(numbers(5, as), { maxBytes });
  expect(rows).toHaveLength(given);
  expect(total).toBe(5);
});

it('a long text is cut, and what is left of it counted', () => {
  const { rows } = run("SELECT hex(zeroblob(10000)), hex(zeroblob(10000)) || 'x'");
  expect(rows).toEqual([['0'.repeat(20_000), `${'0'.repeat(20_000)}... (1 more characters)`]]);
});

it('whom a mark stands for is told beside the rows; the same account has the same marks, and no other', () => {
  const sql = 'SELECT buyer, zip FROM orders';
  const clear = run(sql);
  expect(clear.rows).toEqual([['Anna', '10115']]);
  expect(clear.marks).toEqual(new Map());
  const masked = run(sql, { masking: masking() });
  const [[mark = '', zip = ''] = []] = masked.rows;
  expect([mark, zip]).toEqual([
    expect.stringMatching(/^«buyer name /),
    expect.stringMatching(/^«postcode 10/),
  ]);
  expect(masked.marks).toEqual(
    new Map([
      [mark, 'Anna'],
      [zip, '10115'],
    ]),
  );
  expect(run(`SELECT '${mark}'`, { masking: masking() }).marks).toEqual(new Map([[mark, 'Anna']]));
  for (const other of [masking('other'), masking('acme', new Uint8Array(32).fill(8))]) {
    expect(run(`SELECT '${mark}'`, { masking: other }).marks).toEqual(new Map());
    expect(run(sql, { masking: other }).rows[0]?.[0]).not.toBe(mark);
  }
  expect(marksIn([[mark]], undefined)).toEqual(new Map());
});

it('an area is that of a postcode and of its mark', () => {
  const areas = (more: Partial<QueryRequest>) =>
    run(
      "SELECT postcode_area(zip), postcode_area(NULL), postcode_area(x'00'), postcode_area('«x»') FROM orders",
      more,
    ).rows;
  expect(areas({})).toEqual([[expect.stringMatching(/^10/), null, null, null]]);
  expect(areas({ masking: masking() })).toEqual(areas({}));
});

it('days are those of the zone that is named, else of the account', () => {
  const moment = "'2026-11-20T23:30:00Z'";
  const sql = `SELECT local_date(${moment}), local_week(${moment}), local_month(${moment}), local_hour(${moment}), local_date(${moment}, 'UTC'), local_date(${moment}, NULL), local_date(NULL)`;
  expect(run(sql, { home: 'Europe/Berlin' }).rows).toEqual([
    ['2026-11-21', '2026-W47', '2026-11', 0, '2026-11-20', '2026-11-21', null],
  ]);
  expect(run(`SELECT local_date(${moment}, 'UTC')`).rows).toEqual([['2026-11-20']]);
  expect(() => run(`SELECT local_date(${moment})`)).toThrow('local_date: no zone');
});

it('tables that are made for it are there, and nothing can be changed', () => {
  const builtIn = [
    {
      name: 'changes',
      columns: ['a', 'b "c"'],
      rows: [
        [1, null],
        ['x', 2],
      ],
    },
  ];
  expect(run('SELECT * FROM changes', { builtIn })).toMatchObject({
    columns: ['a', 'b "c"'],
    rows: [
      [1, null],
      ['x', 2],
    ],
  });
  for (const sql of ['DELETE FROM orders', 'SELECT 1) ; DELETE FROM orders --', 'SELECT * FROM nothing']) {
    expect(() => run(sql)).toThrow(/syntax error|no such table/);
  }
  expect(run('SELECT count(*) FROM orders').rows).toEqual([[1]]);
});
