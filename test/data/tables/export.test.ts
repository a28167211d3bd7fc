/** All rows of a statement as a file: read back by other programs, with personal values as they are, or nothing at all. */

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExportFormat, Tables } from '../../../src/data/tables/table-types.ts';
import { createPersonalData } from '../../../src/privacy/personal/personal-data.ts';
import { RUNS_ALL } from '../../helpers/launch.ts';
import { momentOf, readWorkbook } from '../../helpers/read-workbook.ts';
import { ASK, collectItems, makeTestFolder, openTestTables } from '../../helpers/tables-worker.ts';

const ROWS = RUNS_ALL ? 20_000 : 3_000;
const CELLS = [
  '=1+1',
  '+49 170 1234567',
  '-5,50 EUR',
  '-5,50',
  '-12.5',
  '@SUM(A1)',
  '\ttab',
  '\rreturn',
  '＝1',
  'quote " and , and ; and \t tab',
  'two\nlines',
  'two\r\nlines',
  ' spaces ',
  'Grüße, 日本 😀',
  "'quoted'",
  '',
  null,
  'plain',
];
const ASK_ALL = { ...ASK, maxRows: 3, timeoutMs: 60_000 };

let tables: Tables & { folder: string };
let folder: string;
const emailOf = (i: number) => `büyer"${i % 7_000}@example.de`;

beforeAll(async () => {
  folder = await makeTestFolder();
  tables = await openTestTables({ personal: createPersonalData({ isMasking: true }) });
  await collectItems(
    tables,
    'orders',
    Array.from({ length: ROWS }, (_, i) => ({
      BuyerEmail: emailOf(i),
      text: CELLS[i % CELLS.length],
      amount: `${i - 5}.10`,
      at: '2026-11-15T22:30:00Z',
      BuyerInfo: { deep: [{ BuyerEmail: emailOf(i), Phone: 49_170_000 + i, other: i }, 'x'] },
    })),
    { kind: 'operation', operation: 'orders/getOrders', parameters: {} },
  );
}, 60_000);
afterAll(() => tables.close());

async function save(sql: string, format: ExportFormat, options = {}) {
  const file = join(folder, `${Math.random()}.${format}`);
  let largest = 0;
  const exported = await tables.export(sql, { ...ASK_ALL, format, ...options }, async (content, about) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of content) {
      largest = Math.max(largest, piece.length);
      pieces.push(piece);
    }
    await writeFile(file, Buffer.concat(pieces));
    return { file, about };
  });
  return {
    ...exported,
    file,
    largest,
    text: Buffer.from(await (await import('node:fs/promises')).readFile(file)).toString('utf8'),
  };
}

/** Reads with Python's csv module, because it is not our own code. */
async function readWithPython(file: string, delimiter: string): Promise<string[][]> {
  const code =
    'import csv,json,sys; print(json.dumps(list(csv.reader(open(sys.argv[1], newline="", encoding="utf-8-sig"), delimiter=sys.argv[2]))))';
  const { stdout } = await promisify(execFile)('python3', ['-c', code, file, delimiter], {
    maxBuffer: 100_000_000,
  });
  return JSON.parse(stdout);
}

/** Returns a cell with the quote that keeps Excel from taking it for a formula. */
const guarded = (cell: string | null | undefined) =>
  /^[=+@\t\r＝]/.test(cell ?? '') || cell === '-5,50 EUR' ? `'${cell}` : (cell ?? '');

test('thousands of rows as CSV are read back by Python as they are in the table, personal values in clear', async () => {
  const saved = await save(
    'SELECT BuyerEmail AS buyer, text, amount, at FROM (SELECT buyer_email AS BuyerEmail, * FROM orders) ORDER BY item',
    'csv',
  );
  expect(saved.text.startsWith('\uFEFFbuyer,text,amount,at\r\n')).toBe(true);
  expect(saved.largest).toBeLessThan(2_000_000);
  expect(saved).toMatchObject({ isPersonal: true, unresolved: 0, result: { total: ROWS } });
  expect(saved.saved.about).toEqual({ personal: true });
  const rows = await readWithPython(saved.file, ',');
  expect(rows).toHaveLength(ROWS + 1);
  const expected = Array.from({ length: ROWS }, (_, i) => [
    emailOf(i),
    guarded(CELLS[i % CELLS.length]),
    String(Number(`${i - 5}.10`)),
    '2026-11-15T22:30:00Z',
  ]);
  expect(rows.slice(1)).toEqual(expected);
  // The count leaves out cells that the assistant sees as placeholders.
  expect(saved.guarded).toBe(expected.filter(([, text = '']) => /^'[^q+]/.test(text)).length);
}, 60_000);

test('of the first rows no more come back than there is room for, all told', async () => {
  const sql = "SELECT printf('%.40c', 'x') AS text, 1 AS one FROM orders";
  for (const [maxBytes, shown] of [
    [1, 1],
    [48, 1],
    [49, 2],
    [97, 3],
    [1_000, 9],
  ]) {
    const { result } = await save(sql, 'jsonl', { maxRows: 9, maxBytes });
    expect([result.rows.length, result.total]).toEqual([shown, ROWS]);
  }
});

test('the first rows come back masked, whatever the file holds', async () => {
  const { result } = await save('SELECT buyer_email, count(*) AS n FROM orders GROUP BY 1', 'csv');
  expect(result.rows).toHaveLength(3);
  expect(JSON.stringify(result)).not.toContain('@');
  expect(result.rows[0]?.[0]).toMatch(/^«e-mail \w{8}»$/);
});

test('no cell of a CSV begins within another where semicolons separate, and digits that Excel changes are counted', async () => {
  const cells = [
    'red; green',
    'x;=1+1',
    'x;+1;y',
    'a\tb',
    '0012345678905',
    '4006381333931',
    '1234567890123456',
    '12E3',
  ];
  const sql = cells.map((cell) => `SELECT 1 AS n, '${cell}' AS text`).join(' UNION ALL ');
  const saved = await save(sql, 'csv');
  expect(saved.text.slice(1).trimEnd().split('\r\n')).toEqual([
    'n,text',
    '1,"red; green"',
    `1,"x;'=1+1"`,
    `1,"x;'+1;y"`,
    '1,"a\tb"',
    ...cells.slice(4).map((cell) => `1,${cell}`),
  ]);
  expect(saved).toMatchObject({ guarded: 2, digits: 3 });
  expect(await save(sql, 'jsonl')).toMatchObject({ guarded: 0, digits: 0 });
});

test('marks that the statement itself has changed are counted, since nobody can resolve them', async () => {
  const changed = 'upper(buyer_email), substr(buyer_email, 1, 12), substr(buyer_email, 4)';
  const saved = await save(
    `SELECT ${changed}, buyer_email, '« oh là là »' FROM orders WHERE item <= 10`,
    'csv',
  );
  expect(saved).toMatchObject({ unresolved: 30 });
});

test('tab-separated values and JSON lines hold the same', async () => {
  const sql = 'SELECT buyer_email, text, amount FROM orders WHERE item <= 100 ORDER BY item';
  const tabs = await save(sql, 'tsv');
  const rows = await readWithPython(tabs.file, '\t');
  expect(rows.slice(1)).toEqual(
    Array.from({ length: 100 }, (_, i) => [
      emailOf(i),
      guarded(CELLS[i % CELLS.length]),
      String(Number(`${i - 5}.10`)),
    ]),
  );
  const objects = Array.from({ length: 100 }, (_, i) => ({
    buyer_email: emailOf(i),
    text: CELLS[i % CELLS.length] || null,
    amount: Number(`${i - 5}.10`),
  }));
  const lines = await save(sql, 'jsonl');
  expect(
    lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(objects);
  expect(JSON.parse((await save(sql, 'json')).text)).toEqual(objects);
  expect(lines.guarded).toBe(0);
  expect(JSON.parse((await save('SELECT 1 WHERE 0', 'json')).text)).toEqual([]);
  expect((await save('SELECT 1 AS one WHERE 0', 'csv')).text).toBe('\uFEFFone\r\n');
  expect(
    await readWithPython((await save('SELECT NULL AS one UNION ALL SELECT 2', 'csv')).file, ','),
  ).toEqual([['one'], [''], ['2']]);
});

test('JSON in a cell is the JSON of the table: numbers stay numbers, quotes stay escaped', async () => {
  const { text, unresolved } = await save(
    "SELECT buyer_info_deep, json_object('who', buyer_email) AS made, 'to ' || buyer_email AS words FROM orders WHERE item = 3",
    'jsonl',
  );
  const row = JSON.parse(text);
  expect(JSON.parse(row.buyer_info_deep)).toEqual([
    { BuyerEmail: emailOf(2), Phone: 49_170_002, other: 2 },
    'x',
  ]);
  expect(JSON.parse(row.made)).toEqual({ who: emailOf(2) });
  expect(row.words).toBe(`to ${emailOf(2)}`);
  expect(unresolved).toBe(0);
});

test('a mark that stands for nothing stays, and is counted', async () => {
  const { text, unresolved, isPersonal } = await save("SELECT '«e-mail 00000000»' AS x", 'jsonl');
  expect(JSON.parse(text)).toEqual({ x: '«e-mail 00000000»' });
  expect({ unresolved, isPersonal }).toEqual({ unresolved: 1, isPersonal: false });
});

test.each([
  // Where values are masked, a file that holds them as they are is the person's alone, whatever is in it.
  [true, 'orders', true, true],
  [true, 'stock', true, false],
  [false, 'orders', true, true],
  [false, 'stock', false, false],
])(
  'masking %s: a file of %s is kept as personal: %s, and told as that: %s',
  async (isMasking, table, kept, told) => {
    const own = await openTestTables({ personal: createPersonalData({ isMasking }) });
    const sourceOf = (operation: string) => ({ kind: 'operation' as const, operation, parameters: {} });
    await collectItems(own, 'orders', [{ BuyerEmail: emailOf(1) }], sourceOf('orders/getOrders'));
    await collectItems(own, 'stock', [{ quantity: 3 }], sourceOf('x/stock'));
    const exported = await own.export(
      `SELECT * FROM ${table}`,
      { ...ASK_ALL, format: 'jsonl' },
      async (content, { personal }) => {
        for await (const piece of content) void piece;
        return personal;
      },
    );
    expect([exported.saved, exported.isPersonal]).toEqual([kept, told]);
    await own.close();
  },
);

test('a CSV with semicolons has commas before its decimals, in no quotes, and no formula behind either sign', async () => {
  const cells = ['a;b', 'a,b', 'x,=1+1', 'x,-2', '5,- EUR', '-1e5', '=1', '1,5', 'x;=1'];
  const sql = [
    'SELECT -1234.5 AS n, 0.5 AS text',
    'SELECT -1.5e-7, 3',
    ...cells.map((cell) => `SELECT 1, '${cell}'`),
  ].join(' UNION ALL ');
  const saved = await save(sql, 'csv', { csv: 'semicolon' });
  expect(saved.text.slice(1).trimEnd().split('\r\n')).toEqual([
    'n;text',
    '-1234,5;0,5',
    '-1,5e-7;3',
    '1;"a;b"',
    '1;"a,b"',
    `1;"x,'=1+1"`,
    `1;"x,'-2"`,
    '1;"5,- EUR"',
    `1;"'-1e5"`,
    `1;"'=1"`,
    '1;1,5',
    '1;"x;=1"',
  ]);
  expect(saved.guarded).toBe(4);
  const point = await save(sql, 'csv', { csv: 'semicolon-point' });
  expect(point.text.slice(1).split('\r\n').slice(0, 2)).toEqual(['n;text', '-1234.5;0.5']);
  expect((await save(sql, 'csv', { csv: 'comma' })).text).toBe((await save(sql, 'csv')).text);
});

test('a workbook holds every row, with real values and no formula, and what is cut is counted', async () => {
  const file = join(folder, 'orders.xlsx');
  const sql = `SELECT buyer_email, text, amount, at, iif(item = 1, replace(hex(zeroblob(20000)), '0', 'x'), NULL) AS long
    FROM orders ORDER BY item`;
  const exported = await tables.export(
    sql,
    { ...ASK_ALL, format: 'xlsx', name: 'orders.xlsx' },
    async (content) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of content) pieces.push(piece);
      await writeFile(file, Buffer.concat(pieces));
      return readWorkbook(Buffer.concat(pieces));
    },
  );
  const { rows, sheets, frozen } = exported.saved;
  expect({ sheets, frozen }).toEqual({ sheets: ['orders'], frozen: 1 });
  expect(rows).toHaveLength(ROWS + 1);
  const values = rows
    .slice(1)
    .map(([email, text, amount, at]) => [
      email?.value,
      text?.type === 'formula' ? text : (text?.value ?? ''),
      amount?.value,
      momentOf(Number(at?.value)),
    ]);
  expect(values).toEqual(
    Array.from({ length: ROWS }, (_, i) => [
      emailOf(i),
      CELLS[i % CELLS.length] ?? '',
      Number(`${i - 5}.10`),
      '2026-11-15T22:30:00.000Z',
    ]),
  );
  expect(exported).toMatchObject({ isPersonal: true, unresolved: 0, guarded: 0, digits: 0, long: 1 });
  expect(JSON.stringify(exported.result)).not.toContain('@example');
});

test.each([
  ['SELECT * FROM orders', 'added here: item.'],
  ['SELECT o.* FROM orders o', 'added here: item.'],
  ['SELECT item, amount * 2 FROM orders', undefined],
  ['SELECT count(*) AS item FROM orders', undefined],
])('of %s, a saved file names the columns that are ours: %s', async (sql, words) => {
  const { notes } = (await save(sql, 'csv')).result;
  if (words === undefined) expect(notes).toEqual([]);
  else expect(notes.join(' ')).toContain(words);
  expect((await tables.query(sql, ASK)).notes).toEqual([]);
});

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';

test.each(['csv', 'xlsx'] as const)(
  'more rows than a sheet has are refused as %s before anything is written',
  async (format) => {
    let isAsked = false;
    const work = tables.export(ENDLESS, { ...ASK_ALL, format }, async () => {
      isAsked = true;
    });
    await expect(work).rejects.toThrow('more than 1,048,575 rows');
    expect(isAsked).toBe(false);
  },
  30_000,
);

test.each([
  ['its time', 700, 'took longer'],
  ['a cancel', undefined, 'cancelled'],
])(
  '%s ends it when what was begun is cleared away, and the next query works',
  async (_what, timeoutMs, message) => {
    const cancel = new AbortController();
    const more = timeoutMs === undefined ? { signal: cancel.signal } : { timeoutMs };
    let begun = 0;
    let cleared = 0;
    const work = tables.export(ENDLESS, { ...ASK_ALL, format: 'jsonl', ...more }, async (content) => {
      begun += 1;
      try {
        for await (const piece of content) {
          void piece;
          cancel.abort();
        }
      } finally {
        await new Promise((resolve) => setTimeout(resolve, 100));
        cleared += 1;
      }
    });
    await expect(work).rejects.toThrow(message);
    // The time limit may pass on a busy machine before anything has begun.
    expect(cleared).toBe(begun);
    if (timeoutMs === undefined) expect(cleared).toBe(1);
    expect((await tables.query('SELECT 1', ASK)).rows).toEqual([[1]]);
  },
  30_000,
);

test('what fails to be saved is told as it is, and leaves nothing open', async () => {
  const work = tables.export(ENDLESS, { ...ASK_ALL, format: 'jsonl' }, async (content) => {
    for await (const piece of content) {
      void piece;
      throw new Error('The disk is full');
    }
  });
  await expect(work).rejects.toThrow('The disk is full');
  await expect(
    tables.export('SELECT nope FROM orders', { ...ASK_ALL, format: 'csv' }, async () => undefined),
  ).rejects.toThrow('There is no column');
  expect((await tables.query('SELECT count(*) FROM orders', ASK)).rows).toEqual([[ROWS]]);
});
