/** What is bound where it lies is what the engine's own binding would have stored, byte for byte. */

import fc from 'fast-check';
import sqlite from 'node-sqlite3-wasm';
import { expect, test } from 'vitest';
import type { SqlValue } from '../../../../src/data/tables/tables.ts';
import { createRowInserter } from '../../../../src/data/tables/worker/row-inserter.ts';

const INSERT = 'INSERT INTO t VALUES (?, ?, ?)';
const STORED = ['a', 'b', 'c'].map((name) => `typeof(${name}) || ' ' || hex(${name}) AS ${name}`).join(', ');

/** One column that keeps texts, one that makes numbers of them, one that keeps both. */
function createTable() {
  const database = new sqlite.Database();
  database.exec('CREATE TABLE t (a TEXT, b NUMERIC, c)');
  return {
    database,
    read: () => database.all(`SELECT ${STORED}, quote(b) AS number FROM t ORDER BY rowid`),
  };
}

/** @param batches rows that are handed over at once, as the loader tells them: undefined is what stands above */
function insertAtOnce(batches: readonly (readonly (readonly SqlValue[])[])[]) {
  const { database, read } = createTable();
  const insert = createRowInserter(database, INSERT, 3);
  for (const rows of batches) {
    for (const [at, row] of rows.entries()) {
      const above = rows[at - 1];
      for (const [place, value] of row.entries()) insert.add(above?.[place] === value ? undefined : value);
    }
    insert.flush();
  }
  insert.close();
  const stored = read();
  database.close();
  return stored;
}

function insertCarefully(rows: readonly (readonly SqlValue[])[]) {
  const { database, read } = createTable();
  for (const row of rows) database.run(INSERT, [...row]);
  const stored = read();
  database.close();
  return stored;
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '\uFFFD')),
  fc.constantFrom('', 'EUR', '007', '1e3', ' 12.50 ', 'Köln', '日本', '👍', '👍🏽 ü', 'x'.repeat(5_000)),
);
const anyValue = fc.oneof(
  { weight: 4, arbitrary: anyText },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.double({ noNaN: true }) },
  { weight: 1, arbitrary: fc.maxSafeInteger() },
  { weight: 1, arbitrary: fc.constantFrom(0, -0, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 53) },
);

test('any rows, in any batches', () => {
  const row = fc.tuple(anyValue, anyValue, anyValue);
  fc.assert(
    fc.property(fc.array(fc.array(row, { maxLength: 6 }), { maxLength: 4 }), (batches) => {
      expect(insertAtOnce(batches)).toEqual(insertCarefully(batches.flat()));
    }),
  );
});

test('a text is stored whole behind a zero character, at which the engine ends it', () => {
  const rows = [['a\0b', 1, 'c']];
  expect(insertAtOnce([rows])).toMatchObject([{ a: 'text 610062', c: 'text 63' }]);
  expect(insertCarefully(rows)).toMatchObject([{ a: 'text 61', c: 'text 63' }]);
});

test('halves of one character that come as two texts are no rows', () => {
  const { database } = createTable();
  const insert = createRowInserter(database, INSERT, 3);
  for (const value of ['a\ud83d', '\ude00b', null]) insert.add(value);
  expect(() => insert.flush()).toThrow('Texts were cut apart between their characters');
  database.close();
});

test('what the engine refuses is told in its own words', () => {
  const { database } = createTable();
  database.exec('CREATE UNIQUE INDEX once ON t (a)');
  const insert = createRowInserter(database, INSERT, 3);
  for (const value of ['x', 1, 2, 'x', 1, 3]) insert.add(value);
  expect(() => insert.flush()).toThrow('UNIQUE constraint failed: t.a');
  database.close();
});
