/** Rows that are read many at once, where what repeats is not read again, become the table that each by itself becomes. */

import fc from 'fast-check';
import sqlite from 'node-sqlite3-wasm';
import { expect, test } from 'vitest';
import type { DocumentReader } from '../../../../src/data/documents/document.ts';
import { dateReader, newDayOrder } from '../../../../src/data/tables/dates.ts';
import { loadRows } from '../../../../src/data/tables/worker/load-rows.ts';

const COLUMNS = ['order-id', 'purchase-date', 'item-price', 'quantity', 'note', 'currency'];

/** A document of rows that come in batches. */
function readerOf(batches: readonly (readonly (readonly string[])[])[]): DocumentReader {
  return {
    head: async () => ({ format: 'tab', columns: COLUMNS }),
    async *batches() {
      for (const rows of batches) yield { kind: 'rows', rows: rows.map((row) => [...row]), extra: [] };
    },
    progress: () => ({ rows: 0, bytes: 0, ofBytes: 0 }),
    summary: () => ({ unpackedBytes: 0, notes: [] }),
    close: async () => {},
  };
}

async function load(batches: readonly (readonly (readonly string[])[])[], reportType: string) {
  const database = new sqlite.Database();
  const parts = { database, open: () => readerOf(batches), source: { reportType }, onPass: () => {} };
  const { table } = await loadRows('report', parts);
  const columns = table.columns.map(({ name }) => name);
  const stored = columns.map((name) => `typeof("${name}") || ' ' || hex("${name}") AS "${name}"`);
  const rows = database.all(`SELECT item, ${stored.join(', ')} FROM report ORDER BY item`);
  database.close();
  // A mark of an example is made with a key of its own each time.
  return { rows, table: { ...table, columns: table.columns.map(({ sample: _, ...column }) => column) } };
}

const anyCell = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      '2026-11-20T10:00:00+00:00',
      '2026-11-20T10:00:00+01:00',
      '2026-02-31T10:00:00+00:00',
      '2026-11-20',
      '20.11.2026 10:00:00 UTC',
      '05/06/2026 10:00:00 PST',
      '12.50',
      '1.234',
      '1,234',
      '1.234,56',
      '007',
      '12',
      'EUR',
      'Köln «buyer name 3f2ak9xq»',
      'someone@example.com',
      '"quoted"',
      '👍',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
);

test('any rows, cut into batches anywhere', async () => {
  const row = fc.tuple(...COLUMNS.map(() => anyCell)).filter((cells) => cells.some((cell) => cell !== ''));
  const batches = fc.array(fc.array(row, { maxLength: 8 }), { maxLength: 3 });
  const types = fc.constantFrom('GET_X', 'GET_MERCHANT_LISTINGS_ALL_DATA');
  await fc.assert(
    fc.asyncProperty(batches, types, async (given, reportType) => {
      const each = given.flat().map((one) => [one]);
      expect(await load(given, reportType)).toEqual(await load(each, reportType));
    }),
  );
});

test('a moment as most reports write it is read as the same in another notation is', () => {
  const two = (most: number) => fc.nat(most).map((number) => String(number).padStart(2, '0'));
  const order = newDayOrder();
  fc.assert(
    fc.property(fc.nat(9999), two(14), two(33), two(60), (year, month, day, minute) => {
      const moment = `${String(year).padStart(4, '0')}-${month}-${day}T07:${minute}:59`;
      expect(dateReader('GET_X')(`${moment}+00:00`, order)).toBe(
        dateReader('GET_X')(`${moment}+0000`, order),
      );
    }),
    { numRuns: 1000 },
  );
});

test('a date is told from the one before it', () => {
  const read = dateReader('GET_X');
  const order = newDayOrder();
  const texts = ['2026-11-20', '2026-11-20', 'none', 'none', '', '2026-11-21T10:00:00+00:00'];
  expect(texts.map((text) => read(text, order))).toEqual([
    '2026-11-20',
    '2026-11-20',
    undefined,
    undefined,
    undefined,
    '2026-11-21T10:00:00Z',
  ]);
});

type Batch = { rows: string[][]; extra?: { row: number; fields: string[] }[] };

/** Loads a document with these headings, with pieces between that hold no rows. */
async function loadTable(columns: string[], batches: Batch[], reportType = 'GET_X') {
  const database = new sqlite.Database();
  const open = (): DocumentReader => ({
    ...readerOf([]),
    head: async () => ({ format: 'tab', columns }),
    async *batches() {
      yield { kind: 'bytes', bytes: new Uint8Array([1]) };
      for (const { rows, extra = [] } of batches)
        yield { kind: 'rows', rows: rows.map((row) => [...row]), extra };
    },
  });
  const passes: DocumentReader[] = [];
  const onPass = (reader: DocumentReader) => passes.push(reader);
  const { table, reader } = await loadRows('report', { database, open, source: { reportType }, onPass });
  expect(passes.at(-1)).toBe(reader);
  const rows = database.all('SELECT * FROM report ORDER BY item').map((row) => Object.values(row));
  database.close();
  expect(table).toMatchObject({ name: 'report', rows: rows.length, notes: [] });
  return { columns: table.columns.map(({ sample: _, ...column }) => column), rows, passes: passes.length };
}

test.each([
  [['order-id', 'price'], false],
  [['someone@example.com', 'x', 'y', 'z'], true],
  [['5', 'x', 'y'], false],
  [['5', 'x'], true],
  [['5', 'x', ' '], true],
  [['902-1234567-1234567', 'x'], true],
  [['2026-11-20 10:00', 'x'], true],
  [['20.11.26', 'x'], true],
  [[' "5" ', 'x'], true],
  [['-1.234,56', 'x'], true],
  [['5x', 'y'], false],
  [['x 5', 'y'], false],
  [['', ' '], false],
])('a first line %j is data: %s', async (line, isData) => {
  const { columns, rows } = await loadTable(line, [{ rows: [line.map(() => 'a')] }]);
  expect(rows).toHaveLength(isData ? 2 : 1);
  expect(columns.every(({ name }) => /^column_\d$/.test(name))).toBe(isData || line[0] === '');
  expect(columns.every(({ personal }) => personal === 'buyer text')).toBe(isData);
});

test('what buyers say is known by its heading, or by what stands in it; what is the seller’s own is not', async () => {
  const headings = ['sku', 'buyer-email', 'remark', 'price'];
  const rows = [
    ['A', 'x@y.example', 'write to z@y.example', '1,234'],
    ['A', 'x@y.example', 'now', '5,50'],
  ];
  const { columns, rows: stored, passes } = await loadTable(headings, [{ rows }]);
  expect(columns).toEqual([
    { name: 'sku', type: 'text' },
    { name: 'buyer_email', type: 'text', personal: 'e-mail' },
    { name: 'remark', type: 'text', personal: 'free text' },
    { name: 'price', type: 'number' },
  ]);
  expect(stored).toEqual([
    [1, 'A', 'x@y.example', 'write to z@y.example', 1.234],
    [2, 'A', 'x@y.example', 'now', 5.5],
  ]);
  expect(passes).toBe(2);
  const own = await loadTable(
    ['item-name', 'remark', 'price'],
    [{ rows: [['L', 'write to z@y.example', '1.50']] }],
    'GET_VENDOR_REAL_TIME_SALES_REPORT',
  );
  expect(own.columns.map(({ personal }) => personal)).toEqual([undefined, undefined, undefined]);
  expect(own.passes).toBe(1);
  const data = await loadTable(['5', 'x'], [], 'GET_VENDOR_REAL_TIME_SALES_REPORT');
  expect(data.columns.map(({ personal }) => personal)).toEqual([undefined, undefined]);
});

test.each([
  ['sku', 'free text', 'extra_fields'],
  ['buyer-name', 'buyer text', 'extra_fields'],
  ['extra fields', 'free text', 'extra_fields_2'],
])(
  'fields beyond the header stand with their row: beside %s they are %s in %s',
  async (heading, personal, name) => {
    const batches = [
      { rows: [['a'], ['b']], extra: [{ row: 1, fields: ['1', '2'] }] },
      { rows: [['c'], ['d']] },
      { rows: [['e']], extra: [{ row: 0, fields: ['3'] }] },
    ];
    const { columns, rows } = await loadTable([heading], batches);
    expect(columns.at(-1)).toEqual({
      name,
      type: 'json',
      note: 'fields beyond the header, as a list',
      personal,
    });
    expect(rows.map((row) => row.at(-1))).toEqual([null, '["1","2"]', null, null, '["3"]']);
  },
);
