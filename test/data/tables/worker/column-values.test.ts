/** A column is of one kind, as all of its values say; where they do not, it stays text as sent, and why is told. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dateReader } from '../../../../src/data/tables/dates.ts';
import {
  joinDecimals,
  newColumn,
  readText,
  settleColumn,
} from '../../../../src/data/tables/worker/column-values.ts';

const readDate = dateReader('GET_MERCHANT_LISTINGS_ALL_DATA');

/** Both passes, as a document is read: how the column ends, its values, and whether the first pass had them already. */
function readColumn(name: string, texts: readonly string[], others: readonly string[] = []) {
  const [column, other] = [newColumn(name), newColumn('fee')];
  const first = texts.map((text) => readText(column, text, readDate));
  for (const text of others) readText(other, text, readDate);
  const settled = settleColumn(column, joinDecimals([column, other]));
  const values = settled.again ? texts.map((text) => readText(settled.column, text, readDate)) : first;
  return { kind: settled.column.kind, note: settled.column.note, again: settled.again, values };
}

const asSent = (texts: readonly string[]) => texts.map((text) => (text === '' ? null : text));

it('of any texts a column holds one kind or each text as sent', () => {
  const text = fc.constantFrom(
    '',
    '5',
    '1.50',
    '1,50',
    '1.234',
    '1,234',
    'free',
    '2026-01-31',
    '01/02/2026',
    '31/01/2026',
  );
  fc.assert(
    fc.property(fc.constantFrom('price', 'x'), fc.array(text, { maxLength: 4 }), (name, texts) => {
      const { kind, note, values } = readColumn(name, texts);
      if (kind === 'text') expect(values).toEqual(asSent(texts));
      const filled = values.filter((value) => value !== null);
      if (kind === 'amount') expect(filled.every((value) => typeof value === 'number')).toBe(true);
      if (kind === 'date') expect(filled.every((value) => /^\d{4}-\d\d-\d\d/.test(String(value)))).toBe(true);
      expect(filled).toHaveLength(texts.filter((each) => each !== '').length);
      if (kind !== 'text') expect(note).toBeUndefined();
    }),
    { numRuns: 400 },
  );
});

const BOTH_WAYS = 'dates as sent: whether the day or the month stands first cannot be told';

it.each<[string, string[], string[], string, string | undefined, boolean]>([
  ['price', ['1.50', '2'], [], 'amount', undefined, false],
  ['price', ['1,234'], ['5,50'], 'amount', undefined, true],
  ['price', ['5,50', '1,234'], [], 'amount', undefined, true],
  ['price', ['5,50'], [], 'amount', undefined, false],
  ['price', ['1.234'], ['5.50'], 'amount', undefined, false],
  ['price', [], ['5.50'], 'amount', undefined, false],
  ['price', ['1', 'free'], [], 'text', 'text as sent: not all values are numbers', true],
  [
    'price',
    ['1.234'],
    [],
    'text',
    'text as sent: whether its points stand before decimals or thousands cannot be told',
    true,
  ],
  [
    'price',
    ['1,234'],
    [],
    'text',
    'text as sent: whether its commas stand before decimals or thousands cannot be told',
    true,
  ],
  [
    'price',
    ['1,234', '1.234'],
    [],
    'text',
    'text as sent: whether its commas and points stand before decimals or thousands cannot be told',
    true,
  ],
  [
    'price',
    ['1,5', '1.5'],
    [],
    'text',
    'text as sent: some values have a comma before their decimals, others a point',
    true,
  ],
  [
    'price',
    ['1234567890.1234567'],
    [],
    'text',
    'text as sent: it has values with more digits than a number keeps',
    true,
  ],
  [
    'price',
    ['1,234'],
    ['5,50', 'free'],
    'text',
    'text as sent: whether its commas stand before decimals or thousands cannot be told',
    true,
  ],
  ['x', ['a', 'b'], [], 'text', undefined, false],
  ['x', [''], [], 'text', undefined, false],
  ['x', ['2026-01-31', 'later'], [], 'text', 'text as sent: not all values are dates', false],
  ['x', ['31.01.2026', 'later'], [], 'text', 'text as sent: not all values are dates', true],
  ['x', ['2026-01-31T10:00:00+01:00', 'later'], [], 'text', 'text as sent: not all values are dates', true],
  ['x', ['2026-01-31T10:00:00+01:00'], [], 'date', undefined, false],
  ['x', ['31/01/2026 10:00:00 PST'], [], 'date', undefined, false],
  ['x', ['31/01/2026 10:00:00 PST', '05/11/2026 10:00:00 PST'], [], 'date', undefined, false],
  ['x', ['01/31/2026 10:00:00 PST'], [], 'date', undefined, false],
  ['x', ['05/11/2026 10:00:00 PST', '01/31/2026 10:00:00 PST'], [], 'date', undefined, true],
  ['x', ['05/11/2026 10:00:00 PST'], [], 'text', BOTH_WAYS, true],
  ['x', ['31/01/2026 10:00:00 PST', '01/31/2026 10:00:00 PST'], [], 'text', BOTH_WAYS, true],
])('a column %s of %j beside %j is %s', (name, texts, others, kind, note, again) => {
  expect(readColumn(name, texts, others)).toMatchObject({ kind, note, again });
});
