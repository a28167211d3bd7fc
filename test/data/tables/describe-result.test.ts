/** Tests the notes beside the rows of a statement: whose tables they are, and what is read wrongly in it. */

import { describe, expect, it } from 'vitest';
import { CHANGE_COLUMNS } from '../../../src/data/tables/built-in-tables.ts';
import { describeResult } from '../../../src/data/tables/describe-result.ts';
import { EXTRA_FIELDS, OF_THE_ITEM } from '../../../src/data/tables/personal-tables.ts';
import { readStatement } from '../../../src/data/tables/statement.ts';
import type {
  CollectionInfo,
  ColumnInfo,
  SqlValue,
  TableInfo,
} from '../../../src/data/tables/table-types.ts';

const column = (name: string, more: Partial<ColumnInfo> = {}): ColumnInfo => ({
  name,
  type: 'text',
  ...more,
});
const table = (name: string, columns: ColumnInfo[], more: Partial<TableInfo> = {}): TableInfo => ({
  name,
  rows: 1,
  columns,
  notes: [],
  ...more,
});
const ORDERS = table('orders', [
  column('sku'),
  column('purchase_date', { type: 'date' }),
  column('Buyer', { personal: 'buyer name' }),
  column('zip', { personal: 'postcode' }),
  column('gift', { personal: 'free text' }),
  column('order_key', { note: OF_THE_ITEM }),
  column('rest', { note: EXTRA_FIELDS }),
  column('mixed', { note: 'text as sent' }),
]);
const ITEMS = table('items', [column('item'), column('sku')], { parent: 'orders' });

const collection = (...tables: TableInfo[]): CollectionInfo => ({
  id: 'x',
  account: 'default',
  source: { kind: 'document', id: 'x', of: 'report' },
  collectedAt: '2026-11-21T11:00:00.000Z',
  complete: false,
  tables,
  notes: [],
  bytes: 1,
});

interface Given {
  columns?: string[];
  leftOut?: number;
  isMasking?: boolean;
  isSaved?: boolean;
  marketplaceId?: string;
}

function result(
  sql: string,
  { columns = ['a'], leftOut = 0, isMasking = true, isSaved = false, marketplaceId }: Given = {},
) {
  const answer = { columns, rows: [[1]], total: 9, marks: new Map<string, string>() };
  const context = { leftOut, isMasking, isSaved, marketplaceId };
  return describeResult(answer, readStatement(sql), [collection(ORDERS), collection(ITEMS)], context);
}
const notesOf = (sql: string, given: Given = {}) => result(sql, given).notes;

it('rows and their number are told as they are, with the tables that are named', () => {
  expect(result('SELECT sku AS a FROM "items"')).toEqual({
    columns: ['a'],
    rows: [[1]],
    total: 9,
    tables: [{ name: 'items', collectedAt: '2026-11-21T11:00:00.000Z', complete: false }],
    notes: [],
  });
});

it.each([
  [1, '1 write of this account name is'],
  [2, '2 writes of this account name are'],
])('%i writes that are left out are told', (leftOut, words) => {
  expect(notesOf('SELECT 1', { leftOut })).toEqual([
    `${words} left out of changes: not known to be of the seller, credentials and address that it has now.`,
  ]);
});

describe('of a file, the columns that a star brings along and that are ours', () => {
  const own = (sql: string, columns: string[], isSaved = true) => notesOf(sql, { columns, isSaved });
  const noteFor = (names: string) => [
    `* brings columns that are not of the source, but added here: ${names}. Name the columns to leave them out.`,
  ];

  it.each([
    ['SELECT * FROM orders', 'item, order_key, rest'],
    ['SELECT DISTINCT * FROM orders', 'item, order_key, rest'],
    ['SELECT ALL * FROM orders', 'item, order_key, rest'],
    ['SELECT sku, * FROM orders', 'item, order_key, rest'],
    ['SELECT orders.* FROM orders', 'item, order_key, rest'],
    ['SELECT * FROM items', 'item, n, parent_n'],
    ['SELECT * FROM orders, items', 'item, n, parent_n, order_key, rest'],
  ])('%s', (sql, names) => {
    const columns = ['item', 'n', 'parent_n', 'sku', 'order_key', 'rest', 'mixed', 'item'];
    expect(own(sql, columns)).toEqual(noteFor(names));
  });

  it('are none where they are named, or were not brought', () => {
    expect(own('SELECT item, count(*) FROM orders', ['item'])).toEqual([]);
    expect(own('SELECT sku * 2 FROM orders', ['item'])).toEqual([]);
    expect(own('SELECT * FROM (SELECT sku FROM orders)', ['sku'])).toEqual([]);
    expect(own('SELECT * FROM orders', ['item'], false)).toEqual([]);
  });
});

describe('a masked column that is compared with a text', () => {
  const MARKS = 'and no other text is found in it: this says nothing of what its values are.';
  const advice = ['Buyer', 'Compare with a mark of an earlier answer.'];

  it.each([
    "buyer = 'Ada'",
    "buyer <> 'Ada'",
    "buyer != 'Ada'",
    "buyer >= 'Ada'",
    "buyer LIKE 'A%'",
    "buyer NOT LIKE 'A%'",
    "buyer GLOB 'A*'",
    "buyer IS 'Ada'",
    "buyer IS NOT 'Ada'",
    "buyer BETWEEN 'A' AND 'B'",
    "buyer IN ('', 'Ada')",
    "buyer NOT IN ('Ada', 'Bob')",
    "lower(buyer) = lower('Ada')",
    "lower(trim(buyer)) = 'ada'",
    '"BUYER" = \'Ada\'',
    "sku = 'x' AND buyer = 'Ada'",
  ])('%s', (where) => {
    const [name, next] = advice;
    expect(notesOf(`SELECT sku FROM orders WHERE ${where}`)).toEqual([
      `${name} holds marks here, ${MARKS} ${next}`,
    ]);
  });

  it('of postcodes is told with its area', () => {
    expect(notesOf("SELECT sku FROM orders WHERE zip = '10115'")).toEqual([
      `zip holds marks here, ${MARKS} Compare its area: postcode_area(zip) = '...'.`,
    ]);
  });

  it.each([
    "buyer = ''",
    "buyer = '«buyer name 3f2ak9xq»'",
    "buyer = sku AND 'Ada'",
    "buyer IN (sku, sku) OR 'Ada'",
    'buyer = sku',
    "sku = 'Ada'",
    "gift LIKE '%Ada%'",
    "postcode_area(zip) = '10'",
    "buyer || 'x'",
    "count('Ada') > 1 AND buyer IS NULL",
    "('Ada')",
    "5 = 'Ada'",
  ])('is not told of %s', (where) => {
    expect(notesOf(`SELECT sku FROM orders WHERE ${where}`)).toEqual([]);
  });

  it('is not told where nothing is masked, or of another table', () => {
    expect(notesOf("SELECT buyer, 'Ada' FROM orders")).toEqual([]);
    expect(notesOf("SELECT sku FROM orders WHERE buyer = 'Ada'", { isMasking: false })).toEqual([]);
    expect(notesOf("SELECT sku FROM items WHERE buyer = 'Ada'")).toEqual([]);
  });
});

describe('moments in SQLite’s own form beside dates of tables', () => {
  const clockNotes = [
    expect.stringMatching(/^datetime\(\) and CURRENT_TIMESTAMP give '2026-11-21 20:02:00', while/),
  ];

  it.each([
    "purchase_date > datetime('now')",
    '"purchase_date" > CURRENT_TIMESTAMP',
    "purchase_date > datetime ('now', '-1 day')",
  ])('%s is told', (where) => {
    expect(notesOf(`SELECT sku FROM orders WHERE ${where}`)).toEqual(clockNotes);
  });

  it.each([
    "datetime(purchase_date) > datetime('now')",
    'datetime("purchase_date") > CURRENT_TIMESTAMP',
    "purchase_date > '2026-11-01'",
    "purchase_date > date('now')",
    "sku > datetime('now')",
    "purchase_date > 'datetime(1)'",
  ])('%s is not', (where) => {
    expect(notesOf(`SELECT sku FROM orders WHERE ${where}`)).toEqual([]);
  });

  it('nor of a table without dates', () => {
    expect(notesOf("SELECT purchase_date FROM items WHERE purchase_date > datetime('now')")).toEqual([]);
  });
});

it('whose days are meant where a statement names no zone, and only there', () => {
  const zoneNotes = ["Days without a zone are those of Germany (Europe/Berlin), the account's marketplace."];
  const of = (sql: string, marketplaceId = 'A1PA6795UKMFR9') => notesOf(sql, { marketplaceId });
  expect(of('SELECT local_date(a) FROM orders')).toEqual(zoneNotes);
  expect(of("SELECT local_month(coalesce(a, b)), local_week(a, 'DE') FROM orders")).toEqual(zoneNotes);
  expect(of("SELECT local_hour(coalesce(a, b), 'UTC'), 'local_date(a)' FROM orders")).toEqual([]);
  expect(of('SELECT local_date(a + b), c FROM orders')).toEqual(zoneNotes);
  expect(of('SELECT coalesce(a), local_date, "local_date"(a) FROM orders')).toEqual([]);
  expect(of('SELECT local_date(a) FROM orders', 'X')).toEqual([]);
});

/** Returns what is said of the ends of rows from `first` to `last`. */
function endsOf(
  first: string,
  last: string,
  call: string,
  { marketplaceId, ...more }: { marketplaceId?: string | undefined } & Partial<CollectionInfo> = {},
) {
  const created = { ...column('created'), type: 'date' as const, first, last };
  const info = { ...collection(table('orders', [created])), ...more };
  const context = { leftOut: 0, isMasking: true, isSaved: false, marketplaceId };
  const answer = { columns: ['a'], rows: [[1]], total: 9, marks: new Map<string, string>() };
  const { notes } = describeResult(answer, readStatement(`SELECT ${call} FROM orders`), [info], context);
  return notes.filter((note) => note.includes('whole'));
}

it('which weeks and months are not whole, by the first and the last of the rows', () => {
  const ends = (first: string, last: string, unit: string) =>
    endsOf(first, last, `local_${unit}(created, 'UTC')`).join();
  const goes = 'created goes from 2026-07-06 to 2026-09-30 (UTC): the';
  expect(ends('2026-07-06T08:00:00Z', '2026-09-30T08:00:00Z', 'week')).toBe(
    `${goes} last week is not whole.`,
  );
  expect(ends('2026-07-06', '2026-09-30', 'month')).toBe(`${goes} first month is not whole.`);
  expect(ends('2026-07-05', '2026-09-29', 'month')).toContain('the first and the last month are');
  expect(ends('2026-06-01', '2026-10-04', 'week')).toBe('');
  expect(ends('2026-06-01', '2026-10-04', 'date')).toBe('');
  // August was collected in full.
  const of = (month: string) =>
    ends('2026-07-06', '2026-09-12', `month(created, 'UTC') = '${month}' OR local_month`);
  expect(of('2026-08')).toBe('');
  expect(of('2026-09')).toContain('are not whole');
});

it('days that were asked for are whole, with a row or without, once the service has them', () => {
  const day = (text: string) => `2026-11-${text}Z`;
  const ends = (start: string, end: string, collected = '30T09:00:00') => {
    const times = { start: day(start), end: day(end) };
    const source = { kind: 'report' as const, reportType: 'R', marketplaces: [], ...times };
    const more = { source, collectedAt: day(collected) };
    return endsOf('2026-11-04', '2026-11-13', "local_week(created, 'DE')", more).join();
  };
  expect(ends('01T23:00:00', '15T22:59:59')).toBe('');
  expect(ends('01T23:00:00', '15T23:00:00')).toBe('');
  expect(ends('02T23:00:00', '15T22:59:59')).toContain('the first week is not');
  expect(ends('01T23:00:00', '14T22:59:59')).toContain('the last week is not');
  // The service may have more of it by tomorrow; or the report is about another date.
  expect(ends('01T23:00:00', '15T22:59:59', '16T09:00:00')).toContain('the last week is not');
  expect(ends('04T23:00:00', '15T22:59:59')).toContain('the first and the last week are not');
});

it('by the days of the zone that counts, and the day of the collection is not over', () => {
  const ends = (last: string, more: { zone?: string; marketplaceId?: string; collectedAt?: string }) => {
    const { zone, collectedAt = '2026-12-01T00:00:00Z', marketplaceId } = more;
    const call = `local_week(created${zone === undefined ? '' : `, '${zone}'`})`;
    return endsOf('2026-11-02T12:00:00Z', last, call, { marketplaceId, collectedAt });
  };
  const US = 'ATVPDKIKX0DER';
  // Sunday, November 22 in Los Angeles; Monday in UTC.
  const sunday = '2026-11-23T05:00:00Z';
  for (const zone of ['America/Los_Angeles', 'US', undefined])
    expect(ends(sunday, { marketplaceId: US, ...(zone && { zone }) })).toEqual([]);
  expect(ends(sunday, { marketplaceId: US, zone: 'UTC' })).toHaveLength(1);
  expect(ends(sunday, {})).toHaveLength(1);
  // Saturday in Los Angeles is Sunday in UTC: a day is missing.
  expect(ends('2026-11-22T05:00:00Z', { marketplaceId: US })).toEqual([
    expect.stringContaining('2026-11-21 (America/Los_Angeles): the last week is not whole'),
  ]);
  expect(ends(sunday, { marketplaceId: US, collectedAt: '2026-11-23T06:00:00Z' })).toHaveLength(1);
  expect(ends('no moment', { marketplaceId: US })).toHaveLength(1);
});

it('the tables that are told are those that are read, not what else has their names', () => {
  const tablesIn = (sql: string) => result(sql).tables.map(({ name }) => name);
  expect(tablesIn('SELECT sku, count(*) AS items FROM orders GROUP BY sku ORDER BY items')).toEqual([
    'orders',
  ]);
  expect(tablesIn('SELECT (SELECT max(sku) FROM "items") AS orders')).toEqual(['items']);
  expect(tablesIn('SELECT o.sku FROM main.orders o, items WHERE o.sku IN items')).toEqual([
    'orders',
    'items',
  ]);
});

describe('of writes a star brings what is asked for, and what says little stands aside', () => {
  const LITTLE = CHANGE_COLUMNS.slice(CHANGE_COLUMNS.indexOf('id'));
  const filled = (more: Record<string, SqlValue>) =>
    CHANGE_COLUMNS.map((name) => (name in more ? (more[name] ?? null) : 'x'));
  const aside = (sql: string, rows: SqlValue[][], columns: readonly string[] = CHANGE_COLUMNS) => {
    const answer = { columns: [...columns], rows, total: 1, marks: new Map<string, string>() };
    const context = { leftOut: 0, isMasking: true, isSaved: false, marketplaceId: undefined };
    const described = describeResult(answer, readStatement(sql), [], context);
    expect(described).toMatchObject({ columns, rows });
    return described.aside;
  };

  it.each<[string, SqlValue[][], string[]]>([
    ['all is said of a listing', [filled({})], ['local_time', 'what', ...LITTLE]],
    [
      'nothing was refused, in a store',
      [filled({ sku: null, error: null })],
      ['local_time', 'sku', 'what', 'error', ...LITTLE],
    ],
    [
      'one is of no listing and no store',
      [filled({}), filled({ sku: null, store: null, error: null })],
      ['local_time', ...LITTLE],
    ],
    ['nothing came', [], CHANGE_COLUMNS.slice()],
  ])('where %s', (_what, rows, expected) => {
    expect(aside('SELECT * FROM Changes', rows)).toEqual(expected);
  });

  it('but nothing that is named, or that is of another table', () => {
    const rows = [[...filled({}), null]];
    const columns = [...CHANGE_COLUMNS, 'mine'];
    expect(aside('SELECT *, id FROM changes JOIN orders', rows, columns)).toEqual(
      ['local_time', 'what', ...LITTLE].filter((name) => name !== 'id'),
    );
    expect(aside('SELECT count(*) FROM changes', rows, columns)).toBeUndefined();
    expect(aside('SELECT * FROM orders', rows, columns)).toBeUndefined();
  });
});
