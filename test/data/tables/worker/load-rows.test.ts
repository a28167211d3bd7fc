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
