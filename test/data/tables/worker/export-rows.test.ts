/** All rows of a statement as a file, fetched piece by piece: whole, in clear, and told as the assistant may see it. */

import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { expect, it, vi } from 'vitest';
import { InputError } from '../../../../src/base/errors.ts';
import { createExporter } from '../../../../src/data/tables/worker/export-rows.ts';
import type { ExportRequest } from '../../../../src/data/tables/worker/messages.ts';
import { createQueryOpener } from '../../../../src/data/tables/worker/open-query.ts';
import { makeTestFolder } from '../../../helpers/tables-worker.ts';

const file = join(await makeTestFolder(), 'orders.db');
const made = new sqlite.Database(file);
made.exec('CREATE TABLE orders (item INTEGER PRIMARY KEY, buyer TEXT, price NUMERIC, currency TEXT)');
made.exec(
  `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 450)
  INSERT INTO orders SELECT n, 'Anna ' || n, n + 0.5, 'EUR' FROM c`,
);
made.close();
const masking = {
  key: new Uint8Array(32).fill(7),
  account: 'acme',
  tables: [
    {
      file: 0,
      name: 'orders',
      source: {},
      columns: [{ name: 'buyer', personal: 'buyer name' as const, members: undefined }],
    },
  ],
};

type Begin = Extract<ExportRequest, { do: 'export' }>;
const begin = (sql: string, more: Partial<Begin> = {}): Begin => ({
  do: 'export',
  sql,
  countSql: sql,
  maxRows: 2,
  maxBytes: 10_000,
  files: [file],
  builtIn: [],
  format: 'tsv',
  mostRows: undefined,
  ...more,
});

async function save(sql: string, more: Partial<Begin> = {}) {
  const ask = createExporter(createQueryOpener());
  const closed = vi.spyOn(sqlite.Database.prototype, 'close');
  expect(await ask(begin(sql, more))).toBeUndefined();
  let text = '';
  for (;;) {
    const piece = await ask({ do: 'more' });
    text += Buffer.from(piece?.bytes ?? []).toString('utf8');
    if (piece?.end === undefined && piece !== undefined) continue;
    expect(closed).toHaveBeenCalledTimes(1);
    closed.mockRestore();
    expect(await ask({ do: 'more' })).toBeUndefined();
    return { text, end: piece?.end };
  }
}

it('every row is in the file, in clear; the first ones are told with marks, and sums of all', async () => {
  const { text, end } = await save('SELECT buyer, price, currency FROM orders', { masking });
  const rows = Array.from({ length: 450 }, (_, at) => `Anna ${at + 1}\t${at + 1.5}\tEUR`);
  expect(text).toBe(['buyer\tprice\tcurrency', ...rows, ''].join('\n'));
  const mark = expect.stringMatching(/^«buyer name /);
  expect(end).toMatchObject({
    answer: {
      columns: ['buyer', 'price', 'currency'],
      rows: [
        [mark, 1.5, 'EUR'],
        [mark, 2.5, 'EUR'],
      ],
      total: 450,
    },
    personal: 450,
    unresolved: 0,
    sums: [{ column: 'price', sum: 450 * 226, currency: 'EUR' }],
  });
  expect([...(end?.answer.marks.values() ?? [])]).toEqual(['Anna 1', 'Anna 2']);
});

it.each([
  ['as many as are asked for', 3, 10_000, 3],
  ['as long as there is room', 10, 15, 2],
  ['numbers count as eight', 10, 17, 3],
  ['none', 0, 10_000, 0],
])('of the rows that are told: %s', async (what, maxRows, maxBytes, told) => {
  const value = what.startsWith('numbers') ? 'item' : "'0123456789'";
  const { end } = await save(`SELECT ${value} AS v FROM orders LIMIT 5`, { maxRows, maxBytes });
  expect(end?.answer.rows).toHaveLength(told);
  expect(end?.answer.total).toBe(5);
});

it('a mark that nobody knows stays, and counts, as does a part of one; without masks none is looked for', async () => {
  const sql =
    "SELECT '«address 3f2ak9xq»', substr(buyer, 1, 11), 'plain', 5, upper(buyer) FROM orders LIMIT 1";
  const { text, end } = await save(sql, { masking });
  expect(text.split('\n')[1]).toMatch(/^«address 3f2ak9xq»\t«buyer name\tplain\t5\t«BUYER NAME /);
  expect(end).toMatchObject({ personal: 0, unresolved: 3 });
  expect((await save(sql)).end).toMatchObject({ personal: 0, unresolved: 0 });
});

it('how a value looks that is not told is not counted either', async () => {
  const sql = "SELECT buyer, '=' || 'a', '0012' FROM orders LIMIT 3";
  const open = "SELECT '=b', '=' || 'a', '0012' FROM orders LIMIT 3";
  expect((await save(sql, { masking, format: 'csv' })).end).toMatchObject({ guarded: 3, digits: 3 });
  expect((await save(open, { format: 'csv' })).end).toMatchObject({ guarded: 6, digits: 3 });
});

it.each([
  ['csv', 'Excel opens of a CSV'],
  ['xlsx', 'a sheet of Excel holds'],
] as const)('as %s no more is written than a program opens', async (format, words) => {
  const ask = createExporter(createQueryOpener());
  const refused = ask(begin('SELECT item FROM orders', { format, mostRows: 449 }));
  await expect(refused).rejects.toThrow(InputError);
  await expect(refused).rejects.toThrow(
    `Not saved: the result has more than 449 rows, which is all that ${words}.`,
  );
  expect(await ask({ do: 'more' })).toBeUndefined();
  expect(await ask(begin('SELECT item FROM orders', { format, mostRows: 450 }))).toBeUndefined();
  expect(await ask({ do: 'stop' })).toBeUndefined();
  expect(await ask({ do: 'more' })).toBeUndefined();
});

it('another one takes the place of one that was begun, and what fails on its way ends it', async () => {
  const ask = createExporter(createQueryOpener());
  await ask(begin('SELECT item FROM orders'));
  await ask(begin("SELECT 'other' AS v"));
  expect(Buffer.from((await ask({ do: 'more' }))?.bytes ?? []).toString()).toBe('v\nother\n');
  await ask(begin('SELECT iif(item < 300, item, local_date(item)) FROM orders'));
  await expect(ask({ do: 'more' })).rejects.toThrow('local_date: ');
  expect(await ask({ do: 'more' })).toBeUndefined();
  await expect(ask(begin('SELECT * FROM missing'))).rejects.toThrow('no such table');
});
