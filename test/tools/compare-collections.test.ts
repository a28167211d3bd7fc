/** A report is collected twice, and broken the second time: the answer says so with the figures of both. */

import { afterEach, expect, it } from 'vitest';
import { collectData } from '../../tools/collect-data.ts';
import { queryData } from '../../tools/query-data.ts';
import { type ReportScript, startReports } from '../helpers/report-service.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

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

/** Collects twice, and returns what both forms say of the second collection. */
async function collectTwice(second: string | undefined, more: object = {}) {
  const documents: ReportScript = { [TYPE]: tsv(ORDERS) };
  runner = await startReports(documents);
  const first = await runner.run(collectData, { report: REPORT, as: 'orders' });
  documents[TYPE] = second;
  const answer = await runner.run(collectData, { report: REPORT, as: 'orders', fresh: true, ...more });
  return { first, ...answer };
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
  expect(structured.notes).toEqual(first.structured.notes);
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

it.each<[string, string, string, string]>([
  ['no rows', tsv([]), 'SELECT count(*) FROM orders', 'had 42'],
  [
    'a measure of zeros',
    tsv(withValue('quantity', () => '0')),
    'SELECT sum(quantity) FROM orders',
    'quantity is zero in all rows',
  ],
])('says %s at each later query of the table too', async (_what, second, sql, figure) => {
  await collectTwice(second);
  for (const ask of [sql, 'SELECT * FROM orders']) {
    const { structured, text } = await runner.run(queryData, { sql: ask });
    expect(structured.note).toContain(figure);
    expect(text).toContain(figure);
  }
  const { structured } = await runner.run(queryData, { sql: 'SELECT 1' });
  expect(structured.note).not.toContain(figure);
});

it('says it once where the statement comes with the collection', async () => {
  const { text } = await collectTwice(tsv([]), { sql: 'SELECT count(*) FROM orders' });
  expect(text.split('had 42')).toHaveLength(2);
});

// Documents of Data Kiosk, which name neither their query nor their time.

const kioskRows = (units: number, many = 30) =>
  Array.from({ length: many }, (_, at) =>
    JSON.stringify({ msku: `S${at}`, sales: { unitsOrdered: units, netUnitsSold: 3 + at } }),
  ).join('\n');
const kioskQuery = (day: number) =>
  `query { analytics { sales(startDate: "2025-11-0${day}", endDate: "2025-11-0${day + 6}") { msku } } }`;

/** Two documents, one after the other. @param queries what the service lists of them; undefined: the account may not list any */
async function collectKiosk(documents: Record<string, string>, queries: object[] | undefined) {
  runner = await startToolRunner(({ path, headers }) => {
    const id = path.split('/').at(-1) ?? '';
    if (path.startsWith('/signed/')) return { body: Buffer.from(documents[id] ?? '') };
    if (path.includes('/documents/')) return { body: { documentUrl: `http://${headers.host}/signed/${id}` } };
    return queries === undefined
      ? { status: 403, body: { errors: [{ code: 'Unauthorized', message: 'no' }] } }
      : { body: { queries } };
  });
  let structured: { notes?: unknown } = {};
  for (const id of Object.keys(documents)) {
    ({ structured } = await runner.run(collectData, { document: { id, of: 'data-kiosk' }, as: id }));
  }
  return noteOf(structured);
}

it('finds zeros in a document of Data Kiosk, whether or not its query can be listed', async () => {
  const documents = { D1: kioskRows(4), D2: kioskRows(0) };
  const queries = [
    { queryId: 'Q2', query: kioskQuery(2), dataDocumentId: 'D2', processingStatus: 'DONE' },
    { queryId: 'Q1', query: kioskQuery(1), dataDocumentId: 'D1', processingStatus: 'DONE' },
  ];
  for (const listed of [queries, [], undefined]) {
    expect(await collectKiosk(documents, listed)).toContain('sales_units_ordered is zero in all rows');
    await runner.close();
  }
});

it('compares the sizes of documents of the same query alone', async () => {
  const documents = { D1: kioskRows(4), D2: kioskRows(4, 9) };
  const query = (id: string, day: number, more: object = {}) => ({
    queryId: id,
    query: kioskQuery(day),
    dataDocumentId: id,
    processingStatus: 'DONE',
    ...more,
  });
  const pagination = { nextToken: 'more' };
  const note = await collectKiosk(documents, [query('D1', 1), query('D2', 2)]);
  for (const figure of ['9 rows', '30']) expect(note).toContain(figure);
  await runner.close();
  const others = [
    [],
    [query('D1', 1), { ...query('D2', 2), query: 'query { economics { sales } }' }],
    // The last page of an answer is shorter than the others.
    [query('D1', 1, { pagination }), query('D2', 1)],
  ];
  for (const listed of others) {
    expect(await collectKiosk(documents, listed)).toBe('');
    await runner.close();
  }
});
