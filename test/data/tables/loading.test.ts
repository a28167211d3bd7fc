/** Items and documents become tables with the types that make answers exact. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { CollectionSource, LoadOptions } from '../../../src/data/tables/table-types.ts';
import { createPersonalData } from '../../../src/privacy/personal/personal-data.ts';
import { ASK, collectItems, makeTestFolder, ORDERS, openTestTables } from '../../helpers/tables-worker.ts';

const REPORT = {
  kind: 'report',
  reportType: 'GET_X',
  marketplaces: ['A1PA6795UKMFR9'],
} satisfies CollectionSource;

/** A new report takes the place of the one before. */
const unmasked = openTestTables({ personal: createPersonalData({ isMasking: false }) });

async function loadDocument(
  content: string | Buffer,
  { reportType = 'GET_X', ...options }: LoadOptions & { reportType?: string },
  table = 'report',
) {
  const tables = await unmasked;
  const file = join(await makeTestFolder(), 'document');
  await writeFile(file, content);
  const loader = await tables.openLoader({ ...REPORT, reportType });
  const outcome = await loader.addDocument(table, file, options);
  const info = await loader.finish({ source: REPORT, complete: true, notes: [] });
  const rows = async (sql: string) => (await tables.query(sql, ASK)).rows;
  return {
    tables,
    outcome,
    info,
    rows,
    columns: new Map(info.tables[0]?.columns.map((each) => [each.name, each])),
  };
}

test('members become columns, lists of objects tables of their own, open objects JSON', async () => {
  const tables = await openTestTables();
  const items = [
    {
      sku: 'A-1',
      price: { amount: '12.50', currencyCode: 'EUR' },
      attributes: { color: [{ value: 'red' }] },
      issues: [
        { code: 1, categories: ['X'], enforcements: { actions: [{ action: 'A' }, { action: 'B' }] } },
        { code: 2 },
      ],
      marketplaceIds: ['DE', 'FR'],
    },
    { sku: '007', price: { amount: '1.5', currencyCode: 'USD' }, issues: [], isPrime: true },
  ];
  const info = await collectItems(tables, 'listings_items', items, ORDERS, 'sku');
  expect(info.tables.map(({ name, parent, rows }) => [name, parent, rows])).toEqual([
    ['listings_items', undefined, 2],
    ['listings_items_issues', 'listings_items', 2],
    ['listings_items_issues_enforcements_actions', 'listings_items_issues', 2],
  ]);
  expect(info.tables[0]?.currency).toMatchObject({ column: 'price_currency_code', values: ['EUR', 'USD'] });
  const asked = await tables.query('SELECT * FROM listings_items', ASK);
  expect(asked.columns).toEqual([
    'item',
    'sku',
    'price_amount',
    'price_currency_code',
    'attributes',
    'marketplace_ids',
    'is_prime',
  ]);
  expect(asked.rows).toEqual([
    [1, 'A-1', 12.5, 'EUR', '{"color":[{"value":"red"}]}', '["DE","FR"]', null],
    [2, '007', 1.5, 'USD', null, null, 1],
  ]);
  const joined = await tables.query(
    `SELECT i.item_sku, i.code, a.action FROM listings_items_issues i
     LEFT JOIN listings_items_issues_enforcements_actions a ON a.item = i.item AND a.parent_n = i.n ORDER BY 2, 3`,
    ASK,
  );
  expect(joined.rows).toEqual([
    ['A-1', 1, 'A'],
    ['A-1', 1, 'B'],
    ['A-1', 2, null],
  ]);
});

test('equal items are kept once, by their key', async () => {
  const tables = await openTestTables();
  const loader = await tables.openLoader(ORDERS);
  expect(await loader.addItems('orders', [{ id: { n: 1 } }, { id: { n: 2 } }], 'id.n')).toEqual({
    rows: 2,
    repeated: 0,
  });
  expect(await loader.addItems('orders', [{ id: { n: 2 } }, { id: { n: 3 } }, { other: 1 }], 'id.n')).toEqual(
    { rows: 2, repeated: 1 },
  );
  const info = await loader.finish({ source: ORDERS, complete: true, notes: [] });
  expect(info.tables[0]?.rows).toBe(4);
});

test('amounts are numbers, whatever their decimal sign; identifiers keep their zeros', async () => {
  const { rows, columns } = await loadDocument(
    'order-id\tsku\tprice\tquantity\tphone\n007\t0815\t1.234,50\t1.000\t0049\n008\t12\t12,5\t2\t1\n',
    { format: 'tab' },
  );
  expect(await rows('SELECT order_id, sku, price, quantity, phone FROM report')).toEqual([
    ['007', '0815', 1234.5, 1000, '0049'],
    ['008', '12', 12.5, 2, '1'],
  ]);
  expect(columns.get('price')?.type).toBe('number');
  expect(columns.get('sku')).toMatchObject({ type: 'text', example: '0815' });
  // A number in quotes is compared as one.
  expect(await rows("SELECT count(*) FROM report WHERE price > '13'")).toEqual([[1]]);
});

test('sums of amounts are exact to the cent', async () => {
  const { rows } = await loadDocument(`price\n${'0.10\n'.repeat(3)}0.20\n${'1234567.89\n'.repeat(10_000)}`, {
    format: 'tab',
  });
  expect(await rows('SELECT sum(price) FROM report')).toEqual([[12345678900.5]]);
  expect(await rows('SELECT 0.1 + 0.2')).toEqual([[0.3]]);
});

test('a mixed column stays text as sent, and that is told', async () => {
  const { rows, columns, outcome } = await loadDocument('sku\tprice\nA\t12,50\nB\tn/a\n', { format: 'tab' });
  expect(await rows('SELECT price FROM report')).toEqual([['12,50'], ['n/a']]);
  expect(columns.get('price')).toMatchObject({
    type: 'text',
    note: 'text as sent: not all values are numbers',
  });
  expect(outcome.notes.join(' ')).toContain('price');
});

test.each([
  ['1,234', '1,234', 'text'],
  ['1,234\n12.50', 1234, 'number'],
  ['1,234\n12,50', 1.234, 'number'],
  ['1.234', '1.234', 'text'],
  ['1.234\n0.5', 1.234, 'number'],
  ['123456789012345.67', '123456789012345.67', 'text'],
  ['0.1234567890123456', '0.1234567890123456', 'text'],
  ['12.500000000000000000', 12.5, 'number'],
  ['1,234,567,890,123.4567', '1,234,567,890,123.4567', 'text'],
  ['1.234\n12,5', 1234, 'number'],
  ['12,5\n1.234', 12.5, 'number'],
  ['007', '007', 'text'],
  ['1,2,3', '1,2,3', 'text'],
  ['12.5\n12,5', '12.5', 'text'],
  ['-1.234,56', -1234.56, 'number'],
  ['1 234,56', 1234.56, 'number'],
  ['12345678901234567890', '12345678901234567890', 'text'],
  ['5.', '5.', 'text'],
  ['.5', 0.5, 'number'],
  ['0,123', 0.123, 'number'],
  ['€ 5', 5, 'number'],
  ['€ 5\n$ 5', '€ 5', 'text'],
])('%j in a column of prices is read as %j', async (sent, first, type) => {
  const { rows, columns } = await loadDocument(`price\tx\n${sent.split('\n').join('\t\n')}\t\n`, {
    format: 'tab',
  });
  expect(await rows('SELECT price FROM report LIMIT 1')).toEqual([[first]]);
  expect(columns.get('price')?.type).toBe(type);
});

test.each(['GET_MERCHANT_LISTINGS_ALL_DATA', 'GET_OTHER'])(
  'reads the dates of %s in UTC',
  async (reportType) => {
    const content =
      'purchase-date\topen-date\tship-date\n2026-11-20T01:00:00+01:00\t20/11/2026 10:00:00 GMT\t11/20/2026\n2026-11-20T01:00:00Z\t2026-11-20 01:00:00 PST\t\n';
    const { rows, columns } = await loadDocument(content, { format: 'tab', reportType });
    expect(await rows('SELECT purchase_date, open_date, ship_date FROM report')).toEqual([
      ['2026-11-20T00:00:00Z', '2026-11-20T10:00:00Z', '2026-11-20'],
      ['2026-11-20T01:00:00Z', '2026-11-20T09:00:00Z', null],
    ]);
    for (const name of ['purchase_date', 'open_date', 'ship_date']) {
      expect(columns.get(name)?.type).toBe('date');
    }
  },
);

test.each([['2026-11-20 01:00:00 XYZ'], ['20/11/2026 10:00'], ['05/11/2026'], ['20/11/2026\t\n11/20/2026']])(
  'tells that %j looks like dates and is not read as such',
  async (sent) => {
    const { columns } = await loadDocument(`day\tx\n${sent}\t\n`, { format: 'tab' });
    expect(columns.get('day')).toMatchObject({ type: 'text', doubt: { kind: 'date' } });
  },
);

test.each([
  ['1.234', 'text as sent: whether its points stand before decimals or thousands cannot be told'],
  ['1,234', 'text as sent: whether its commas stand before decimals or thousands cannot be told'],
  ['123456789012345.67', 'text as sent: it has values with more digits than a number keeps'],
])('that a column with %s stays text is told with the reason', async (sent, note) => {
  const { columns, outcome } = await loadDocument(`price\tquantity\n${sent}\t1\n`, { format: 'tab' });
  expect(columns.get('price')?.note).toBe(note);
  expect(outcome.notes).toContain(`Left as text: price (${note.slice('text as sent: '.length)}).`);
});

test.each([
  [['05/11/2026 10:00:00 PST'], ['05/11/2026 10:00:00 PST'], 'text'],
  [
    ['05/11/2026 10:00:00 PST', '11/20/2026 10:00:00 PST'],
    ['2026-05-11T18:00:00Z', '2026-11-20T18:00:00Z'],
    'date',
  ],
  [
    ['05/11/2026 10:00:00 EDT', '20/11/2026 10:00:00 EST'],
    ['2026-11-05T14:00:00Z', '2026-11-20T15:00:00Z'],
    'date',
  ],
  [
    ['20/11/2026 10:00:00 EST', '11/20/2026 10:00:00 EST'],
    ['20/11/2026 10:00:00 EST', '11/20/2026 10:00:00 EST'],
    'text',
  ],
  [['05/05/2026 10:00:00 PST'], ['2026-05-05T18:00:00Z'], 'date'],
  [['05/11/2026 10:00:00 GMT'], ['2026-11-05T10:00:00Z'], 'date'],
])(
  'a slash in an American zone says nothing of the order, a number above 12 does: %j',
  async (sent, read, type) => {
    const content = `open-date\tx\n${sent.map((date) => `${date}\t\n`).join('')}`;
    const options = { format: 'tab' as const, reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA' };
    const { rows, columns, outcome } = await loadDocument(content, options);
    expect((await rows('SELECT open_date FROM report')).flat()).toEqual(read);
    expect(columns.get('open_date')?.type).toBe(type);
    const reason = 'Left as text: open_date (whether the day or the month stands first cannot be told).';
    expect(outcome.notes.includes(reason)).toBe(type === 'text');
  },
);

test('numbers under which a tax is paid, and offices, stay text; what is paid does not', async () => {
  const { rows } = await loadDocument(
    'buyer-vat\tinvoice-seller-vat\ttax-office\titem-tax\tvat\n123\t456\t789\t1\t2\n',
    { format: 'tab' },
  );
  expect(await rows('SELECT * FROM report')).toEqual([[1, '123', '456', '789', 1, 2]]);
});

test('lists whose names become the same get tables of their own, also when all of them are numbered', async () => {
  const tables = await openTestTables();
  const items = [{ a: { b: [{ x: 1 }] }, a_b: [{ x: 2 }, { x: 3 }] }];
  for (const [at, names] of [
    ['orders', 'orders_a_b', 'orders_a_b_2'],
    ['orders_2', 'orders_2_a_b', 'orders_2_a_b_2'],
  ].entries()) {
    const source: CollectionSource = { kind: 'operation', operation: `o${at}`, parameters: {} };
    const info = await collectItems(tables, 'orders', items, source);
    expect(info.tables.map(({ name, rows }) => [name, rows])).toEqual(
      names.map((name, i) => [name, [1, 1, 2][i]]),
    );
    expect((await tables.query(`SELECT x FROM ${names[2]}`, ASK)).rows).toEqual([[2], [3]]);
    // The tables of a collection that was renamed name their own parent.
    expect(info.tables.map(({ parent }) => parent)).toEqual([undefined, names[0], names[0]]);
  }
  const json = { by: [{ x: [{ y: 1 }] }], byX: [{ y: 2 }], about: [{ y: 3 }], z: 1 };
  const { info } = await loadDocument(JSON.stringify(json), { format: 'json' });
  expect(new Set(info.tables.map(({ name }) => name)).size).toBe(5);
  await tables.close();
});

test('halves of characters, which no file can hold, become the sign for them', async () => {
  const tables = await openTestTables();
  await collectItems(tables, 'orders', [{ title: 'a\ud83d', note: '\udc00b', whole: '\u{1f600}' }]);
  expect((await tables.query('SELECT * FROM orders', ASK)).rows).toEqual([
    [1, 'a\ufffd', '\ufffdb', '\u{1f600}'],
  ]);
  await tables.close();
});

test('a title with an inch sign, a header that occurs twice, reserved and empty names', async () => {
  const { rows, info } = await loadDocument('item-name\tItem Name\t\torder\n19" rack\tb\td\tc\n', {
    format: 'tab',
  });
  expect(info.tables[0]?.columns.map(({ name }) => name)).toEqual([
    'item_name',
    'item_name_2',
    'column_3',
    'order_',
  ]);
  expect(await rows('SELECT item_name, order_ FROM report')).toEqual([['19" rack', 'c']]);
});

test('rows with too few and too many fields are kept, counted and told', async () => {
  const { rows, outcome } = await loadDocument('a\tb\n1\n1\t2\t3\t4\n5\t6\n', { format: 'tab' });
  expect(await rows('SELECT a, b, extra_fields FROM report')).toEqual([
    [1, null, null],
    [1, 2, '["3","4"]'],
    [5, 6, null],
  ]);
  expect(outcome.notes.length).toBeGreaterThan(0);
});

test('a header row only: 0 rows, no error', async () => {
  const { rows, info } = await loadDocument('sku\tprice\n', { format: 'tab' });
  expect(info.tables[0]?.rows).toBe(0);
  expect(await rows('SELECT count(*), sum(price) FROM report')).toEqual([[0, null]]);
});

test('JSON with several lists becomes a table for each, and one for the rest', async () => {
  const json = {
    spec: { type: 'X' },
    byDate: [{ date: '2026-11-20', sales: { amount: 5, currencyCode: 'EUR' } }],
    byAsin: [{ asin: 'B1' }, { asin: 'B2' }],
  };
  const { info, rows } = await loadDocument(gzipSync(JSON.stringify(json)), { format: 'json' }, 'sales');
  expect(info.tables.map(({ name, rows: count }) => [name, count]).sort()).toEqual([
    ['sales_about', 1],
    ['sales_by_asin', 2],
    ['sales_by_date', 1],
  ]);
  expect(await rows('SELECT date, sales_amount FROM sales_by_date')).toEqual([['2026-11-20', 5]]);
});

test('XML is kept as it is', async () => {
  const { rows, outcome } = await loadDocument('<?xml version="1.0"?><a>x</a>', { format: 'xml' });
  expect(await rows('SELECT content FROM report')).toEqual([['<?xml version="1.0"?><a>x</a>']]);
  expect(outcome.notes.join(' ')).toContain('no rows');
});

test('an example stands as it does in the table, since queries are written after it', async () => {
  const { columns } = await loadDocument('price\topen-date\n12,50\t2025-03-04 01:15:00 PST\n', {
    format: 'tab',
    reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA',
  });
  expect(columns.get('price')?.example).toBe('12.5');
  expect(columns.get('open_date')?.example).toBe('2025-03-04T09:15:00Z');
});

test('a column of dates tells its first and its last, wherever they stand; one of texts does not', async () => {
  const { columns } = await loadDocument(
    'sku\tpurchase-date\tnote\nA\t\t2026-01-01 as said\nB\t2026-11-20T01:00:00+01:00\t2026-01-02\nC\t2026-11-18\tx\nD\t2026-11-19T10:00:00Z\t\n',
    { format: 'tab' },
  );
  expect(columns.get('purchase_date')).toMatchObject({
    type: 'date',
    example: '2026-11-20T00:00:00Z',
    first: '2026-11-18',
    last: '2026-11-20T00:00:00Z',
  });
  for (const name of ['note', 'sku']) {
    expect(columns.get(name)).not.toHaveProperty('first');
    expect(columns.get(name)).not.toHaveProperty('last');
  }
});

test('currencies are those of the column with the most of them, twenty at most', async () => {
  const code = (at: number) => `C${String.fromCharCode(65 + (at % 26))}${at < 26 ? 'A' : 'B'}`;
  const rows = (many: number) =>
    Array.from({ length: many }, (_, at) => `${at}\tEUR\t${code(at)}\t1.50`).join('\n');
  const load = async (content: string) =>
    (await loadDocument(`sku\tcurrency\tprice-currency\tprice\n${content}\n`, { format: 'tab' })).info
      .tables[0]?.currency;
  expect(await load('A\tEUR\tEUR\t1.50\nB\tEUR\t\t1.50')).toMatchObject({
    column: 'currency',
    values: ['EUR'],
  });
  const few = await load(rows(3));
  expect(few).toMatchObject({ column: 'price_currency', values: ['CAA', 'CBA', 'CCA'] });
  expect((await load(rows(30)))?.values).toHaveLength(20);
  expect(await load('A\t\t\t1.50')).toBeUndefined();
});
