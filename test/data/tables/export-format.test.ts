/** The ending of a name says which file a result becomes. */

import { expect, it } from 'vitest';
import { exportFormatOf } from '../../../src/data/tables/export-format.ts';

it.each([
  ['a.xlsx', 'xlsx'],
  ['a.CSV', 'csv'],
  ['a.tsv', 'tsv'],
  ['a.txt', 'tsv'],
  ['a.jsonl', 'jsonl'],
  ['a.csv.json', 'json'],
])('%s is %s', (name, format) => {
  expect(exportFormatOf(name)).toBe(format);
});

it.each(['csv', 'a.', 'a.csv ', 'a.pdf', 'a.toString', 'a.csv.'])('nothing is written under %s', (name) => {
  expect(() => exportFormatOf(name)).toThrow('Not saved: rows are not written as ');
});
