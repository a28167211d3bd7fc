/** A report is collected twice, and broken the second time: the answer says so with the figures of both. */

import { afterEach, expect, it } from 'vitest';
import { collectData } from '../../tools/collect-data.ts';
import { type ReportScript, startReports } from '../helpers/report-service.ts';
import type { ToolRunner } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
afterEach(() => runner.close());

const TYPE = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';
const REPORT = { type: TYPE, marketplaces: ['DE'], start: '2025-11-03', end: '2025-11-24' };
const HEADINGS = ['amazon-order-id', 'purchase-date', 'sku', 'quantity', 'item-price', 'sales-channel'];

/** Two orders a day, every other one of France. */
const ORDERS = Array.from({ length: 42 }, (_, at) => [
  `304-0000001-${String(at).padStart(7, '0')}`,
  `2025-11-${String(3 + Math.floor(at / 2)).padStart(2, '0')}T10:00:00+00:00`,
  `S${at % 5}`,
  '1',
  `${10 + (at % 7)}.50`,
  at % 2 === 0 ? 'Amazon.de' : 'Amazon.fr',
]);

const tsv = (rows: readonly string[][], headings = HEADINGS) =>
  [headings, ...rows].map((line) => line.join('\t')).join('\r\n');

/** Each row with another value in one column. */
const withValue = (heading: string, value: (old: string) => string) =>
  ORDERS.map((row) => row.map((old, at) => (HEADINGS[at] === heading ? value(old) : old)));

/** What is said of the second of two collections in both forms. */
async function collectTwice(second: string | undefined, more: object = {}) {
  const documents: ReportScript = { [TYPE]: tsv(ORDERS) };
  runner = await startReports(documents);
  const first = await runner.run(collectData, { report: REPORT, as: 'orders' });
  documents[TYPE] = second;
  const told = await runner.run(collectData, { report: REPORT, as: 'orders', fresh: true, ...more });
  return { first, ...told };
}

const noteOf = (structured: { notes?: unknown }) =>
  Array.isArray(structured.notes) ? String(structured.notes[0]) : '';

it.each<[string, string, string[]]>([
  ['no rows', tsv([]), ['42', 'no rows']],
  ['a quarter of the rows', tsv(ORDERS.filter((_, at) => at % 4 === 0)), ['11 rows', '42']],
  ['a measure of zeros', tsv(withValue('quantity', () => '0')), ['quantity', '42 of 42']],
  ['an empty measure', tsv(withValue('quantity', () => '')), ['quantity', '42 of 42']],
  ['amounts far below', tsv(withValue('item-price', () => '1.50')), ['item_price', '63', '567']],
  [
    'a week without rows',
    tsv(ORDERS.filter(([, date = '']) => date < '2025-11-10' || date > '2025-11-17')),
    ['2025-11-10', '2025-11-16'],
  ],
  ['one country of two', tsv(ORDERS.filter((row) => row[5] === 'Amazon.de')), ['France', '21']],
  [
    'a column less',
    tsv(
      ORDERS.map((row) => row.filter((_, at) => at !== 4)),
      HEADINGS.filter((_, at) => at !== 4),
    ),
    ['item_price'],
  ],
  [
    'headings of another language',
    tsv(ORDERS, ['numer', 'data', 'sku', 'ilosc', 'cena', 'kanal']),
    ['ilosc', 'quantity'],
  ],
])('tells %s first among the notes, with the figures', async (_what, second, figures) => {
  const { structured, text } = await collectTwice(second);
  const note = noteOf(structured);
  for (const figure of figures) expect(note).toContain(figure);
  expect(text).toContain(note);
});

it('says nothing where the same comes again', async () => {
  const { first, structured } = await collectTwice(tsv(ORDERS));
  const notes = JSON.stringify([first.structured.notes, structured.notes]);
  expect(notes).not.toContain('last collection');
});

it('says it beside the rows of a statement too', async () => {
  const { structured, text } = await collectTwice(tsv([]), { sql: 'SELECT count(*) FROM orders' });
  expect(structured.rows).toEqual([[0]]);
  expect(noteOf(structured)).toContain('42');
  expect(text).toContain(noteOf(structured));
});

it('says with a canceled report how many rows the last one had', async () => {
  await expect(collectTwice(undefined)).rejects.toMatchObject({ hint: expect.stringContaining('42') });
});
