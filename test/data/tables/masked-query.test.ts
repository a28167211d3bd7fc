/** Tables with personal data of buyers: whatever SQL does with them, it sees marks; with show, the values. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CollectionSource, Tables } from '../../../src/data/tables/table-types.ts';
import { createValueMasker } from '../../../src/data/tables/worker/mask-values.ts';
import { createRecentPairs } from '../../../src/data/tables/worker/placeholder-cache.ts';
import { createPersonalData, type PersonalData } from '../../../src/privacy/personal/personal-data.ts';
import { ASK, collectItems, makeTestFolder, openTestTables } from '../../helpers/tables-worker.ts';

const REPORT: CollectionSource = {
  kind: 'report',
  reportType: 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL',
  marketplaces: [],
};
const UNKNOWN: CollectionSource = { kind: 'document', id: 'd1', of: 'report' };

/** Each stands in the data somewhere, and nowhere else. */
const PLANTED = [
  'anna.schmidt@example.de',
  'jürgen@example.de',
  'zoë@example.fr',
  '0170 1234567',
  'O"Neil@example.ie',
];

let tables: Tables & { folder: string };
let remembered: Map<string, string>;

function watched(): PersonalData {
  remembered = new Map();
  const personal = createPersonalData({ isMasking: true });
  return {
    ...personal,
    remember(account, pairs) {
      for (const [mark, value] of pairs) remembered.set(mark, value);
      personal.remember(account, pairs);
    },
  };
}

async function collectAll(to: Tables & { folder: string }) {
  await collectItems(
    to,
    'orders',
    [
      {
        AmazonOrderId: '1',
        BuyerInfo: { BuyerEmail: 'anna.schmidt@example.de' },
        ShippingAddress: { City: 'Berlin' },
        Items: [{ Sku: 'A', BuyerEmail: 'zoë@example.fr' }],
        Note: 'Please call anna.schmidt@example.de at once',
      },
      {
        AmazonOrderId: '2',
        BuyerInfo: { BuyerEmail: 'jürgen@example.de' },
        ShippingAddress: { City: 'Hamburg' },
        Items: [{ Sku: 'B', BuyerEmail: 'anna.schmidt@example.de' }],
        Note: 'nothing',
      },
      { AmazonOrderId: '3', BuyerInfo: { BuyerEmail: '' }, Items: [], Note: null },
    ],
    { kind: 'operation', operation: 'orders/getOrders', parameters: {} },
    'AmazonOrderId',
  );
  const folder = await makeTestFolder();
  const add = async (name: string, text: string, source: CollectionSource, isRestricted = false) => {
    const file = join(folder, name);
    await writeFile(file, text);
    const loader = await to.openLoader(source);
    await loader.addDocument(name, file, { format: 'auto', isRestricted });
    await loader.finish({ source, complete: true, notes: [] });
  };
  await add(
    'report',
    'order-id\tbuyer-email\tremark\n7\tanna.schmidt@example.de\tcall 0170 1234567 please\n8\t\tno\n9\tO"Neil@example.ie\tx\textra jürgen@example.de\n',
    REPORT,
  );
  await add(
    'kept',
    '<Orders><Order id="5"><BuyerEmail>zoë@example.fr</BuyerEmail><City>Paris</City></Order></Orders>',
    UNKNOWN,
  );
}

beforeAll(async () => {
  tables = await openTestTables({ personal: watched() });
  await collectAll(tables);
}, 60_000);
afterAll(() => tables.close());

const MARK = /^«e-mail [0-9a-z]{8}»$/;

test('what was asked for with a value of a buyer is told with its mark, in a later session too', async () => {
  const own = await openTestTables();
  const parameters = { BuyerEmail: 'quast@example.de', BuyerName: 'Aenne Quast', OrderStatuses: ['Shipped'] };
  const source: CollectionSource = { kind: 'operation', operation: 'orders/getOrders', parameters };
  await collectItems(own, 'orders', [{ AmazonOrderId: '1' }], source, 'AmazonOrderId');
  const { rows } = await own.query('SELECT source FROM tables', ASK);
  await own.close();
  const [returned] = rows.flat().map(String);
  expect(returned).not.toMatch(/quast/i);
  expect(returned).toMatch(/"BuyerName":"«buyer name \w{8}»".*"OrderStatuses":\["Shipped"\]/);
});

test('of what was asked for, a guess has a mark that is none of the data', async () => {
  const own = await openTestTables();
  const collect = async (table: string, name: string) => {
    const parameters = { BuyerName: name, Query: [name, 'Nobody'] };
    const source: CollectionSource = { kind: 'operation', operation: 'orders/getOrders', parameters };
    await collectItems(own, table, [{ BuyerName: 'Aenne Quast' }], source);
    const { rows } = await own.query(
      `SELECT source, (SELECT buyer_name FROM ${table}) FROM tables WHERE name = '${table}'`,
      ASK,
    );
    const [[returned, mark] = []] = rows;
    expect(mark).toMatch(/^«buyer name/);
    expect(returned).not.toContain(mark);
    return String(returned)
      .replace(/\w{8}»/g, '»')
      .replaceAll(name, '?');
  };
  expect(await collect('one', 'Aenne Quast')).toBe(await collect('other', 'Aenne Quist'));
  await own.close();
});

describe('what a query shows', () => {
  test('marks instead of values, the same for the same value in every table', async () => {
    const { rows } = await tables.query(
      'SELECT o.buyer_info_buyer_email, i.buyer_email, r.buyer_email, o.shipping_address_city FROM orders o JOIN orders_items i ON i.buyer_email = o.buyer_info_buyer_email JOIN report r ON r.buyer_email = i.buyer_email',
      ASK,
    );
    expect(rows).toHaveLength(1);
    const [row = []] = rows;
    expect(row[0]).toMatch(MARK);
    expect(row).toEqual([row[0], row[0], row[0], 'Berlin']);
    expect(remembered.get(String(row[0]))).toBe('anna.schmidt@example.de');
  });

  test('how often a buyer ordered can be asked; what is empty stays empty', async () => {
    const { rows } = await tables.query(
      "SELECT count(DISTINCT buyer_info_buyer_email), count(*), sum(buyer_info_buyer_email = ''), sum(buyer_info_buyer_email IS NULL) FROM orders",
      ASK,
    );
    expect(rows).toEqual([[2, 3, 0, 1]]);
  });

  const notesOn = async (condition: string) =>
    (await tables.query(`SELECT count(*) FROM orders WHERE ${condition}`, ASK)).notes;

  test.each([
    "buyer_info_buyer_email LIKE '%anna%'",
    "buyer_info_buyer_email = 'anna.schmidt@example.de'",
    "lower(trim(orders.buyer_info_buyer_email)) NOT LIKE lower('%Anna%')",
    "buyer_info_buyer_email IN ('x@example.de', 'anna.schmidt@example.de')",
    "shipping_address_city = 'Berlin' AND \"buyer_info_buyer_email\" <> 'a'",
  ])('a comparison that can find nothing is told: %s', async (condition) => {
    expect(await notesOn(condition)).toEqual([
      'buyer_info_buyer_email holds marks here, and no other text is found in it: this says nothing of what its values are. Compare with a mark of an earlier answer.',
    ]);
  });

  test.each([
    "buyer_info_buyer_email = '' OR shipping_address_city = 'Berlin'",
    "buyer_info_buyer_email = '«e-mail 00000000»'",
    "buyer_info_buyer_email IS NOT NULL AND note LIKE '%call%'",
    "shipping_address_city IN ('Berlin', 'Hamburg') AND postcode_area(buyer_info_buyer_email) = '101'",
  ])('one that can is not: %s', async (condition) => {
    expect(await notesOn(condition)).toEqual([]);
  });

  test('free texts keep their words, without addresses and numbers in them', async () => {
    const { rows } = await tables.query('SELECT note FROM orders ORDER BY item', ASK);
    expect(rows).toEqual([
      [expect.stringMatching(/^Please call «e-mail \w{8}» at once$/)],
      ['nothing'],
      [null],
    ]);
    const remarks = await tables.query('SELECT remark FROM report ORDER BY item', ASK);
    expect(remarks.rows[0]).toEqual([expect.stringMatching(/^call «phone \w{8}» please$/)]);
  });

  test('a row with too many fields is masked as a whole, since nobody knows which field is which', async () => {
    const { rows } = await tables.query('SELECT * FROM report WHERE item = 3', ASK);
    expect(rows[0]?.slice(1)).toEqual([
      expect.stringMatching(/^«buyer text/),
      expect.stringMatching(/^«e-mail/),
      expect.stringMatching(/^«buyer text/),
      expect.stringMatching(/^«buyer text/),
    ]);
  });

  test('XML is masked by the names of its elements', async () => {
    const { rows } = await tables.query('SELECT content FROM kept', ASK);
    expect(rows[0]?.[0]).toMatch(
      /^<Orders><Order id="5"><BuyerEmail>«e-mail \w{8}»<\/BuyerEmail><City>Paris<\/City><\/Order><\/Orders>$/,
    );
  });

  test.each([
    ['<a buyerEmail="zoë@example.fr" id="7">x</a>', /^<a buyerEmail="«e-mail \w{8}»" id="7">x<\/a>$/],
    [
      "<o><x:BuyerEmail kind = 'private'>a &amp; b</x:BuyerEmail></o>",
      /^<o><x:BuyerEmail kind = '[^']*'>|«e-mail/,
    ],
    [
      '<o><![CDATA[zoë@example.fr]]><!-- zoë@example.fr --></o>',
      /^<o><!\[CDATA\[«.*»\]\]><!-- «.*» --><\/o>$/,
    ],
    ['<o><BuyerEmail>zoë@example.fr', /^<o><BuyerEmail>«e-mail \w{8}»$/],
    ['<o attribute="zoë@example.fr', /«e-mail/],
  ])('%s is masked', (text, shown) => {
    const pairs = createRecentPairs(new Uint8Array(32), 'default');
    const masked = String(createValueMasker(pairs).members({}, [])(text));
    expect(masked).toMatch(shown);
    expect(leaks(masked)).toEqual([]);
  });

  test('the area of a postcode is had of a mark and of a postcode', async () => {
    const { rows } = await tables.query(
      "SELECT postcode_area('10115'), postcode_area('«postcode SW1A.. 3f2ak9xq»'), postcode_area(NULL), postcode_area('«postcode 3f2ak9xq»'), postcode_area(12345)",
      ASK,
    );
    expect(rows).toEqual([['101', 'SW1A', null, null, '123']]);
  });
});

/** Anything that could show a value, or a part of one, or whether a guess is right. */
const ATTEMPTS = [
  'SELECT * FROM orders',
  'SELECT * FROM orders NATURAL JOIN orders_items',
  'SELECT * FROM orders JOIN orders_items USING (item)',
  'SELECT * FROM orders o LEFT JOIN orders_items i ON o.item = i.item',
  'SELECT DISTINCT i.* FROM orders o LEFT JOIN orders_items i ON o.item = i.item',
  'WITH orders AS (SELECT 1 AS item) SELECT * FROM report, orders',
  'WITH x AS (SELECT * FROM orders) SELECT * FROM x',
  'WITH x AS MATERIALIZED (SELECT * FROM orders) SELECT * FROM x',
  'WITH RECURSIVE x(t) AS (SELECT buyer_info_buyer_email FROM orders UNION SELECT substr(t, 2) FROM x WHERE length(t) > 1) SELECT t FROM x',
  'SELECT group_concat(buyer_info_buyer_email) FROM orders',
  'SELECT hex(buyer_info_buyer_email), quote(buyer_info_buyer_email) FROM orders',
  'SELECT unhex(hex(buyer_info_buyer_email)) FROM orders',
  'SELECT CAST(buyer_info_buyer_email AS BLOB) FROM orders',
  'SELECT json_object(*) FROM orders',
  'SELECT json_group_array(buyer_info_buyer_email) FROM orders',
  'SELECT json_array(buyer_info_buyer_email, note) FROM orders',
  "SELECT printf('%s', buyer_info_buyer_email) FROM orders",
  'SELECT replace(buyer_info_buyer_email, char(64), char(35)) FROM orders',
  'SELECT max(buyer_info_buyer_email), min(buyer_info_buyer_email) FROM orders',
  'SELECT first_value(buyer_info_buyer_email) OVER (ORDER BY item) FROM orders',
  'SELECT (SELECT buyer_info_buyer_email FROM orders o WHERE o.item = orders_items.item) FROM orders_items',
  'SELECT * FROM (SELECT * FROM (SELECT * FROM report))',
  'SELECT * FROM report UNION ALL SELECT * FROM report',
  'SELECT * FROM report EXCEPT SELECT * FROM report WHERE 0',
  'SELECT value FROM report, json_each(json_array(report.buyer_email, report.remark))',
  'SELECT rowid, * FROM report',
  'SELECT * FROM columns',
  'SELECT * FROM tables',
  'SELECT content FROM kept',
  "SELECT substr(content, instr(content, 'Email>'), 60) FROM kept",
  'TABLE orders',
  'VALUES ((SELECT buyer_email FROM report LIMIT 1))',
  'SELECT * FROM "orders" AS report',
  "SELECT * FROM 'report'",
  'SELECT * FROM [report]',
  'SELECT * FROM temp.report',
  'SELECT local_date(buyer_email, remark) FROM report',
  "SELECT local_date(buyer_email, 'UTC') FROM report",
  'SELECT json_extract(note, buyer_info_buyer_email) FROM orders',
  'SELECT buyer_info_buyer_email -> 0 FROM orders',
  'SELECT abs(-9223372036854775807 - 1), buyer_email FROM report',
  'SELECT * FROM report WHERE buyer_email MATCH remark',
  'SELECT highlight(report, 0, 1, 2) FROM report',
  'SELECT sqlite_log(1, buyer_email) FROM report',
] as const;

/** Spellings in which a value could leave. */
function spellings(value: string): string[] {
  const hex = Buffer.from(value).toString('hex');
  return [
    value,
    value.slice(1),
    value.slice(0, -3),
    value.replace('@', '#'),
    [...value].reverse().join(''),
    hex,
    hex.toUpperCase(),
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
  ];
}

function leaks(text: string): string[] {
  return PLANTED.filter((value) => spellings(value).some((spelling) => text.includes(spelling)));
}

describe('no statement sees a value', () => {
  test.each(ATTEMPTS)('%s', async (sql) => {
    const answer = await tables.query(sql, ASK).then(
      (result) => JSON.stringify(result),
      (error: Error & { hint?: string }) => `${error.message} ${error.hint}`,
    );
    expect(leaks(answer)).toEqual([]);
  });

  test.each([
    'SELECT * FROM c0.orders',
    'SELECT * FROM c0.report',
    'SELECT * FROM main.orders',
    'SELECT c0.orders.buyer_info_buyer_email FROM orders',
    'SELECT main.report.buyer_email FROM report',
    'SELECT * FROM sqlite_schema',
    'SELECT * FROM temp.sqlite_master',
    "SELECT * FROM 'sqlite_temp_schema'",
    'SELECT * FROM pragma_database_list',
    "SELECT * FROM 'pragma_table_list'()",
    'SELECT * FROM dbstat',
    "SELECT k0('x')",
    "SELECT personal_mark('e-mail', 'anna.schmidt@example.de')",
    'SELECT * FROM "orders by item"',
    'CREATE TEMP TABLE x AS SELECT * FROM orders',
    "ATTACH 'x' AS y",
    'SELECT load_extension(buyer_email) FROM report',
  ])('%s is refused', async (sql) => {
    await expect(tables.query(sql, ASK)).rejects.toThrow(/Not run|There is no|does not take/);
  });

  test('no guess can be confirmed: neither by comparing, nor by length, order, collation or pattern', async () => {
    const guesses = [
      "buyer_email = 'anna.schmidt@example.de'",
      "buyer_email = 'ANNA.SCHMIDT@example.de' COLLATE NOCASE",
      "buyer_email LIKE 'anna%'",
      "buyer_email GLOB 'anna*'",
      "buyer_email LIKE '%example%'",
      "instr(buyer_email, 'schmidt') > 0",
      "buyer_email IN ('anna.schmidt@example.de')",
      "buyer_email BETWEEN 'anna' AND 'annb'",
      "unicode(buyer_email) = unicode('a')",
      'length(buyer_email) = 23',
      'octet_length(buyer_email) = 23',
      "buyer_email IS 'anna.schmidt@example.de'",
      "remark LIKE '%0170 1234567%'",
    ];
    for (const guess of guesses) {
      const { rows } = await tables.query(`SELECT count(*) FROM report WHERE ${guess}`, ASK);
      expect([guess, rows]).toEqual([guess, [[0]]]);
    }
  });

  test('examples are masked where tables are told, and cut ones left out', async () => {
    const described = JSON.stringify([await tables.list(), await tables.find(REPORT)]);
    expect(leaks(described)).toEqual([]);
    const { rows } = await tables.query(
      "SELECT name, example FROM columns WHERE table_name IN ('orders', 'report') AND name LIKE '%email'",
      ASK,
    );
    expect(rows).toEqual([
      ['buyer_email', expect.stringMatching(MARK)],
      ['buyer_info_buyer_email', expect.stringMatching(MARK)],
    ]);
  });
});

test('with show everything is in clear', async () => {
  const open = await openTestTables({ personal: createPersonalData({ isMasking: false }) });
  await collectAll(open);
  const found = await Promise.all(
    ['SELECT * FROM orders', 'SELECT * FROM orders_items', 'SELECT * FROM report', 'SELECT * FROM kept'].map(
      async (sql) => (await open.query(sql, ASK)).rows,
    ),
  );
  const text = found.flat(2).join('\n');
  expect(PLANTED.filter((value) => !text.includes(value))).toEqual([]);
  expect(
    (await open.query("SELECT example FROM columns WHERE name = 'buyer_email'", ASK)).rows,
  ).toContainEqual(['anna.schmidt@example.de']);
  await open.close();
});

test('names of a row in any other of its texts, and members of JSON in a text, are masked to every function of SQL', async () => {
  const other = await openTestTables({ personal: createPersonalData({ isMasking: true }) });
  try {
    await collectItems(
      other,
      'orders',
      [
        { id: '1', buyer: { buyerName: 'Anna Schmidt' }, remark: 'left with Anna Schmidt', meta: '{"a":1}' },
        {
          id: '2',
          buyer: { buyerName: 'Black Lamp' },
          remark: '-',
          meta: '{"buyerName":"Carl Zeiss","n":2}',
        },
      ].map((each) => ({ ...each, itemTitle: 'Black Lamp' })),
      { kind: 'operation', operation: 'orders/searchOrders', parameters: {} },
      'id',
    );
    const { rows } = await other.query(
      "SELECT substr(remark, 1, 15), remark LIKE '%Anna%', hex(remark), json_extract(meta, '$.n'), meta, item_title FROM orders ORDER BY id",
      ASK,
    );
    expect(rows).toEqual([
      ['left with «buye', 0, expect.not.stringContaining('416E6E61'), null, '{"a":1}', 'Black Lamp'],
      ['-', 0, '2D', 2, expect.stringMatching(/^\{"buyerName":"«buyer name \w{8}»","n":2\}$/), 'Black Lamp'],
    ]);
  } finally {
    await other.close();
  }
});
