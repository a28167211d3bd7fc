/**
 * Tests what reports leave unsaid: marketplaces of their rows, account-wide ones, currencies in first rows,
 * missing keys.
 */

import { afterEach, expect, it } from 'vitest';
import { traitsOfReport } from '../../src/service/facts/report-traits.ts';
import { reportTypes } from '../../src/service/facts/report-types.ts';
import { collectData } from '../../tools/collect-data.ts';
import { queryData } from '../../tools/query-data.ts';
import { type ReportScript, startReports } from '../helpers/report-service.ts';
import type { ToolRunner } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
afterEach(() => runner.close());

async function start(documents: ReportScript) {
  runner = await startReports(documents);
}

const collect = async (report: object, more: object = {}) =>
  (await runner.run(collectData, { report, ...more })).structured;

const rows = async (sql: string): Promise<unknown> => (await runner.run(queryData, { sql })).structured.rows;

const requested = () =>
  runner.calls().filter(({ method, path }) => method === 'POST' && path.endsWith('/reports'));

const tsv = (...lines: string[][]) => lines.map((line) => line.join('\t')).join('\r\n');

const ORDERS = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';
const TIME = { start: '2026-11-01', end: '2026-11-20' };

const REGION = tsv(
  ['amazon-order-id', 'purchase-date', 'sales-channel', 'sku', 'currency', 'item-price'],
  ['304-0000001-0000001', '2026-11-02T10:00:00+00:00', 'Amazon.de', 'S1', 'EUR', '5.00'],
  ['304-0000001-0000002', '2026-11-03T10:00:00+00:00', 'Amazon.de', 'S2', 'EUR', '15.00'],
  ['404-0000001-0000003', '2026-11-04T10:00:00+00:00', 'Amazon.fr', 'S1', 'EUR', '60.00'],
  ['404-0000001-0000004', '2026-11-05T10:00:00+00:00', 'Amazon.it', 'S1', 'EUR', '70.00'],
  ['S01-0000001-0000005', '2026-11-06T10:00:00+00:00', 'Non-Amazon', 'S1', 'EUR', '70.00'],
);

it('tells which marketplaces the rows of a region are from, and selects by them', async () => {
  await start({ [ORDERS]: REGION });
  const answer = await collect({ type: ORDERS, marketplaces: ['DE'], ...TIME }, { as: 'orders' });
  expect(answer.rows_by_marketplace).toEqual([
    { table: 'orders', channel: 'Amazon.de', marketplace: 'Germany', rows: 2 },
    { table: 'orders', channel: 'Amazon.fr', marketplace: 'France', rows: 1 },
    { table: 'orders', channel: 'Amazon.it', marketplace: 'Italy', rows: 1 },
    { table: 'orders', channel: 'Non-Amazon', marketplace: null, rows: 1 },
  ]);
  expect(String(answer.notes)).toContain('Amazon.de 2, Amazon.fr 1, Amazon.it 1, Non-Amazon 1');
  expect(await rows("SELECT count(*), sum(item_price) FROM orders WHERE marketplace = 'Germany'")).toEqual([
    [2, 20],
  ]);
  expect(await rows('SELECT count(*) FROM orders WHERE marketplace IS NULL')).toEqual([[1]]);
});

it('says so beside the rows of a statement, and in the text too', async () => {
  await start({ [ORDERS]: REGION });
  const sql = "SELECT count(*) AS n, sum(item_price) AS s FROM orders WHERE marketplace = 'Germany'";
  const report = { type: ORDERS, marketplaces: ['DE'], ...TIME };
  const { structured, text } = await runner.run(collectData, { report, as: 'orders', sql });
  expect(structured.rows).toEqual([[2, 20]]);
  expect(structured).toMatchObject({ rows_by_marketplace: { length: 4 } });
  expect(text).toContain('Amazon.de 2, Amazon.fr 1, Amazon.it 1, Non-Amazon 1');
});

it('finds the column by its values where its heading is in another language', async () => {
  const countries = [
    ['Amazon.co.uk', 'United Kingdom'],
    ['amazon.com.mx', 'Mexico'],
    ['Amazon.com', 'United States'],
    ['Amazon.com.be', 'Belgium'],
    ['Amazon.co.jp', 'Japan'],
    ['Amazon.sa', 'Saudi Arabia'],
    ['SI CA Prod Marketplace', 'Canada'],
    ['Non-Amazon US', null],
    ['Amazon.de', 'Germany'],
  ] as const;
  const orders = countries.map(([channel], at) => [`503-0000001-000000${at}`, channel, '1']);
  await start({ [ORDERS]: tsv(['注文番号', '販売チャネル', '数量'], ...orders) });
  await collect({ type: ORDERS, marketplaces: ['JP'], ...TIME }, { as: 'orders' });
  expect(await rows('SELECT marketplace FROM orders ORDER BY item')).toEqual(
    countries.map(([, country]) => [country]),
  );
});

it('leaves a column of the report that is called marketplace as it is', async () => {
  const PLANNING = 'GET_FBA_INVENTORY_PLANNING_DATA';
  await start({ [PLANNING]: tsv(['sku', 'marketplace', 'available'], ['S1', 'DE', '3'], ['S2', 'US', '4']) });
  await collect({ type: PLANNING, marketplaces: ['DE'] }, { as: 'stock' });
  expect(await rows('SELECT marketplace, marketplace_country FROM stock ORDER BY item')).toEqual([
    ['DE', 'Germany'],
    ['US', 'United States'],
  ]);
});

it.each([
  [['DE', 'FR'], 1],
  [['DE'], 0],
])('says which of several marketplaces have no row in a report of one (%j)', async (marketplaces, answer) => {
  const PLANNING = 'GET_FBA_INVENTORY_PLANNING_DATA';
  await start({ [PLANNING]: tsv(['sku', 'marketplace', 'available'], ['S1', 'DE', '3']) });
  const { notes } = await collect({ type: PLANNING, marketplaces });
  expect([notes].flat().filter((note) => String(note).startsWith('No row is of France'))).toHaveLength(
    answer,
  );
});

it('keeps masked views whole where a buyer stands beside the marketplace', async () => {
  const report = tsv(
    ['order-id', 'buyer-name', 'sales-channel', 'sku'],
    ['304-0000001-0000001', 'Anna Muster', 'Amazon.de', 'S1'],
  );
  await start({ [ORDERS]: report });
  await collect({ type: ORDERS, marketplaces: ['DE'], ...TIME }, { as: 'orders' });
  const [[buyer, marketplace] = []] = (
    await runner.run(queryData, {
      sql: 'SELECT buyer_name, marketplace FROM orders',
    })
  ).structured.rows as unknown[][];
  expect([buyer === 'Anna Muster', marketplace]).toEqual([false, 'Germany']);
});

const WIDE = reportTypes.filter(
  ({ id, ending, origin }) =>
    traitsOfReport(id)?.scope === 'account' && ending === undefined && origin !== 'schedule',
);

it.each(WIDE.map(({ id }) => id))(
  'collects account-wide %s once for all marketplaces of a region',
  async (type) => {
    const isMoment = reportTypes.find(({ id }) => id === type)?.period === 'moment';
    const time = isMoment ? {} : TIME;
    await start({ [type]: tsv(['date', 'fnsku', 'quantity'], ['2026-11-03', 'X1', '-2']) });
    const answer = await collect({ type, marketplaces: ['DE'], ...time });
    for (const marketplaces of [['FR'], ['GB'], ['IT', 'ES', 'DE']])
      await collect({ type, marketplaces, ...time });
    expect(requested()).toHaveLength(1);
    expect(String(answer.notes)).toMatch(/account-wide/i);
    await collect({ type, marketplaces: ['US'], ...time });
    expect(requested()).toHaveLength(2);
  },
);

it('has looked at every report type that is known', () => {
  const scopes = ['marketplace', 'region', 'account', 'not known'];
  for (const { id } of reportTypes) {
    const traits = traitsOfReport(id);
    expect(scopes, id).toContain(traits?.scope);
    expect(traits?.source.length, id).toBeGreaterThan(4);
  }
});

const SETTLEMENT = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';
const HEAD = [
  'settlement-id',
  'deposit-date',
  'total-amount',
  'currency',
  'marketplace-name',
  'amount',
  'sku',
];
const settlement = (id: string, currency: string, channel: string, amounts: number[]) => [
  [id, '17.11.2026 03:00:00 UTC', '100.00', currency, '', '', ''],
  ...amounts.map((amount) => [id, '', '', '', channel, amount.toFixed(2), 'S1']),
];

it('fills the currency of each settlement into its rows, so that sums are told apart', async () => {
  await start({
    [SETTLEMENT]: [
      tsv(
        HEAD,
        ...settlement('1', 'EUR', 'Amazon.de', [10, 20.5]),
        ...settlement('2', 'GBP', 'Amazon.co.uk', [7]),
      ),
      tsv(HEAD, ...settlement('3', 'EUR', 'Amazon.fr', [1])),
    ],
  });
  await collect({ type: SETTLEMENT, marketplaces: ['DE'], ...TIME }, { as: 's' });
  expect(
    await rows('SELECT currency, sum(amount), count(total_amount) FROM s GROUP BY currency ORDER BY 1'),
  ).toEqual([
    ['EUR', 31.5, 2],
    ['GBP', 7, 1],
  ]);
  expect(await rows('SELECT count(*) FROM s WHERE currency IS NULL OR deposit_date IS NULL')).toEqual([[0]]);
});

it('leaves the currency empty where no row of the settlement has one, and says so', async () => {
  const lines = [...settlement('1', 'EUR', 'Amazon.de', [10]), ...settlement('2', '', 'Amazon.fr', [7])];
  await start({ [SETTLEMENT]: [tsv(HEAD, ...lines)] });
  const answer = await collect({ type: SETTLEMENT, marketplaces: ['DE'], ...TIME }, { as: 's' });
  expect(await rows('SELECT count(*) FROM s WHERE currency IS NULL')).toEqual([[2]]);
  expect(String(answer.notes)).toContain('2 rows have no currency');
});

it('tells how many rows lack a key, and which column has it', async () => {
  const REIMBURSEMENTS = 'GET_FBA_REIMBURSEMENTS_DATA';
  const lines = Array.from({ length: 67 }, (_, at) => [
    `R${at}`,
    at < 60 ? `304-0000001-${1_000_000 + at}` : '',
    at < 14 ? '' : `S${at % 5}`,
    `X00000000${at % 7}`,
    '1.50',
  ]);
  await start({
    [REIMBURSEMENTS]: tsv(['reimbursement-id', 'amazon-order-id', 'sku', 'fnsku', 'amount-total'], ...lines),
  });
  const { notes } = await collect({ type: REIMBURSEMENTS, marketplaces: ['DE'], ...TIME }, { as: 'r' });
  expect(String(notes)).toContain('r.sku: empty in 14 of 67 rows (fnsku is filled in 14 of these)');
  expect(String(notes)).toContain('r.amazon_order_id: empty in 7 of 67 rows');
  expect(String(notes)).not.toContain('r.fnsku');
  expect(await rows("SELECT note LIKE 'empty in 14 of 67%' FROM columns WHERE name = 'sku'")).toEqual([[1]]);
});

it('repeats at a query which rows lack the key that it groups, joins or compares by', async () => {
  const REIMBURSEMENTS = 'GET_FBA_REIMBURSEMENTS_DATA';
  const lines = Array.from({ length: 67 }, (_, at) => [at < 14 ? '' : `S${at % 5}`, `X00${at % 7}`, '1.50']);
  await start({ [REIMBURSEMENTS]: tsv(['sku', 'fnsku', 'amount-total'], ...lines), [ORDERS]: REGION });
  await collect({ type: REIMBURSEMENTS, marketplaces: ['DE'], ...TIME }, { as: 'r' });
  await collect({ type: ORDERS, marketplaces: ['DE'], ...TIME }, { as: 'orders' });
  for (const sql of [
    'SELECT sku, sum(amount_total) FROM r GROUP BY sku',
    'SELECT count(*) FROM orders WHERE sku NOT IN (SELECT sku FROM r)',
    'SELECT count(*) FROM orders AS o JOIN r ON r.sku = o.sku',
    "SELECT count(*) FROM r WHERE sku = 'S1'",
  ]) {
    const { structured, text } = await runner.run(queryData, { sql });
    for (const form of [String(structured.note), text]) {
      expect(form, sql).toContain('r.sku is empty in 14 of 67 rows (fnsku is filled in 14 of these)');
    }
  }
  const { structured } = await runner.run(queryData, { sql: 'SELECT sku, amount_total FROM r' });
  expect(structured.note).not.toContain('14 of 67');
});

it('does not warn of settlements that follow one another or share a time', async () => {
  const [first, second] = [
    settlement('1', 'EUR', 'Amazon.de', [10]),
    settlement('2', 'GBP', 'Amazon.co.uk', [7]),
  ];
  const overlapping = { [SETTLEMENT]: [tsv(HEAD, ...first), tsv(HEAD, ...second)] };
  await start(overlapping);
  const { notes } = await collect({ type: SETTLEMENT, marketplaces: ['DE'], ...TIME }, { as: 's' });
  expect(String(notes)).not.toContain('settlement_id');
});

it('names the settlement id where one settlement stands in two reports', async () => {
  const document = tsv(HEAD, ...settlement('1', 'EUR', 'Amazon.de', [10]));
  const other = tsv(HEAD, ...settlement('2', 'EUR', 'Amazon.de', [10]));
  await start({ [SETTLEMENT]: [document, other, document] });
  const { notes } = await collect({ type: SETTLEMENT, marketplaces: ['DE'], ...TIME }, { as: 's' });
  expect(String(notes)).toContain('1 value of settlement_id');
});

const SALES = 'GET_SALES_AND_TRAFFIC_REPORT';
const SALES_DOCUMENT = JSON.stringify({
  reportSpecification: { reportType: SALES, dataStartTime: '2026-10-01', dataEndTime: '2026-10-31' },
  salesAndTrafficByDate: Array.from({ length: 27 }, (_, at) => ({
    date: `2026-11-${String(at + 1).padStart(2, '0')}`,
    salesByDate: { unitsOrdered: 3 },
  })),
  salesAndTrafficByAsin: [{ parentAsin: 'B000000001', salesByAsin: { unitsOrdered: 81 } }],
});

it('says nothing of the time that a head of one row does not cover, and takes the name at once', async () => {
  await start({ [SALES]: SALES_DOCUMENT });
  const report = { type: SALES, marketplaces: ['DE'], start: '2026-11-01', end: '2026-11-27' };
  const { notes } = await collect(report, { as: 'sales' });
  // The three notes tell its days, the row of its head as it is, and what was asked for.
  expect(notes).toHaveLength(3);
  const again = await collect(report, { as: 'sales' });
  expect(requested()).toHaveLength(1);
  expect(String(again.notes)).toContain('ago');
});
