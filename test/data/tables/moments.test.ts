/** Moments that a statement makes are in the form of the tables, where dates of these stand beside them and in no other. */

import { expect, it } from 'vitest';
import { noteOnMixedMoments, withTableMoments } from '../../../src/data/tables/moments.ts';
import { readStatement } from '../../../src/data/tables/statement.ts';
import type { TableInfo } from '../../../src/data/tables/table-types.ts';

const TABLES: TableInfo[] = [
  {
    name: 'items',
    rows: 1,
    columns: [
      { name: 'bought', type: 'date' },
      { name: 'sku', type: 'text' },
    ],
    notes: [],
  },
];
const kept = (arguments_: string) => `strftime('%Y-%m-%dT%H:%M:%SZ', ${arguments_})`;

it.each([
  ["bought < datetime('now')", `bought < ${kept("'now'")}`],
  ["\"Bought\" < DateTime ('now', '-1 day')", `"Bought" < ${kept("'now', '-1 day'")}`],
  ['bought < datetime()', `bought < ${kept("'now'")}`],
  ['bought < CURRENT_TIMESTAMP', `bought < ${kept("'now'")}`],
  [
    "bought BETWEEN datetime('now', '-2 days') AND current_timestamp, datetime(0)",
    `bought BETWEEN ${kept("'now', '-2 days'")} AND ${kept("'now'")}, ${kept('0')}`,
  ],
  ["datetime < datetime('now'), bought", `datetime < ${kept("'now'")}, bought`],
  ["\"datetime\"('now') < datetime('now'), bought", `"datetime"('now') < ${kept("'now'")}, bought`],
  ["'datetime(' < datetime('now'), bought", `'datetime(' < ${kept("'now'")}, bought`],
])('%s reads %s', (given, meant) => {
  const statement = readStatement(`SELECT ${given} FROM items`);
  expect(withTableMoments(statement, TABLES)).toBe(`SELECT ${meant} FROM items`);
  expect(noteOnMixedMoments(statement.tokens, TABLES)).toContain('Write datetime(column) as well');
  expect(withTableMoments(statement, [])).toBe(statement.sql);
  expect(noteOnMixedMoments(statement.tokens, [])).toBeUndefined();
});

it.each([
  "sku < datetime('now')",
  "'bought' < datetime('now')",
  "datetime(bought) < datetime('now')",
  'datetime("bought") < CURRENT_TIMESTAMP',
  "bought < 'datetime(1)'",
  'bought < datetime',
  "bought < strftime('%Y', 'now')",
])('%s stays as it is, and needs no note', (given) => {
  const statement = readStatement(`SELECT ${given} FROM items`);
  expect(withTableMoments(statement, TABLES)).toBe(statement.sql);
  expect(noteOnMixedMoments(statement.tokens, TABLES)).toBeUndefined();
});

it.each(["datetime('now', 'localtime')", "datetime('now', 'LocalTime')"])(
  '%s is of the clock here, and is told',
  (given) => {
    const statement = readStatement(`SELECT bought < ${given} FROM items`);
    expect(withTableMoments(statement, TABLES)).toBe(statement.sql);
    expect(noteOnMixedMoments(statement.tokens, TABLES)).toContain('moments of the same day come out wrong');
  },
);
