/** Figures over columns of reports in other languages, number formats and date forms are exact, or their doubt is told. */

import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import * as z from 'zod';
import { collectData } from '../../tools/collect-data.ts';
import { queryData } from '../../tools/query-data.ts';
import type { Handler } from '../helpers/http-service.ts';
import { tablesWorker } from '../helpers/tables-worker.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

let runner: ToolRunner | undefined;
afterEach(async () => {
  await runner?.close();
  runner = undefined;
});

/** A service whose report is `document`. */
function reportService(document: () => string): Handler {
  return ({ path, method, headers }) => {
    const host = `http://${headers.host}`;
    if (path.startsWith('/signed')) return { body: Buffer.from(document(), 'utf8') };
    if (path.includes('/documents/')) return { body: { url: `${host}/signed` } };
    if (method === 'POST') return { status: 202, body: { reportId: 'R1' } };
    if (!path.includes('/reports/R1')) return { body: { reports: [] } };
    return { body: { reportId: 'R1', processingStatus: 'DONE', reportDocumentId: 'D1' } };
  };
}

const LISTINGS = 'GET_MERCHANT_LISTINGS_ALL_DATA';
const entryFile = tablesWorker.replace('tables-worker.mjs', 'main.mjs');

interface Reading {
  type?: string;
  marketplace?: string;
}

/** Collects the document as table `t`, and returns a function that queries it. */
async function collect(document: string, { type = LISTINGS, marketplace = 'DE' }: Reading = {}) {
  runner = await startToolRunner(
    reportService(() => document),
    {},
    { entryFile },
  );
  const { run } = runner;
  const period = type === LISTINGS ? {} : { start: '2026-10-28', end: '2026-11-20' };
  await run(collectData, { report: { type, marketplaces: [marketplace], ...period }, as: 't' });
  return async (sql: string) => (await run(queryData, { sql })).structured;
}

const lines = (...rows: readonly string[][]) => `${rows.map((row) => row.join('\t')).join('\r\n')}\r\n`;
const quoted = (...rows: readonly string[][]) => lines(...rows.map((row) => row.map((cell) => `"${cell}"`)));

it.each([
  [['nazwa produktu', 'sku sprzedawcy', 'cena', 'ilość'], '1219,99', '8,50'],
  [['artikelnamn', 'säljar-sku', 'pris', 'antal'], '1\u00a0219,99', '8,50'],
  [['nom', 'sku', 'prix', 'quantité'], '1\u202f219,99 €', '8,50 €'],
  [['ürün adı', 'satıcı-sku', 'fiyat', 'adet'], '1.219,99', '8,50'],
  [['商品名称', '卖家 SKU', '价格', '数量'], '1219.99', '8.50'],
  [['商品名', '出品者SKU', '価格', '数量'], '１２１９.９９', '８.５０'],
  [['item-name', 'seller-sku', 'price', 'quantity'], '1,219.99', '8.50'],
  [['Artikelname', 'Händler-SKU', 'Preis', 'Menge'], '1.219,99', '8,50'],
  [['productnaam', 'verkoper-sku', 'prijs', 'aantal'], '€ 1.219,99', '€ 8,50'],
  [['nombre', 'sku', 'precio', 'cantidad'], '1.219,99', '8,50'],
  [['nome', 'sku', 'prezzo', 'quantità'], '1219,99', '8,50'],
  [['nome do produto', 'sku', 'preço', 'quantidade'], 'R$ 1.219,99', 'R$ 8,50'],
  [['اسم', 'sku', 'السعر', 'الكمية'], '1219.99', '8.50'],
  [['नाम', 'sku', 'मूल्य', 'मात्रा'], '1,219.99', '8.50'],
  [['xyzzy', 'sku', 'plugh', 'frob'], '1219,99', '8,50'],
])('reads amounts under the headings %j', async (headings, first, second) => {
  const query = await collect(lines(headings, ['Lamp', 'A1', first, '3'], ['Lamp', 'A2', second, '10']));
  const all = await query('SELECT * FROM t LIMIT 1');
  const [, , , amount, quantity] = z.array(z.string()).parse(all.columns);
  expect(await query(`SELECT sum("${amount}"), sum("${quantity}") FROM t`)).toMatchObject({
    rows: [[1228.49, 13]],
  });
});

it('keeps codes of digits as texts', async () => {
  const query = await collect(
    lines(
      ['nazwa', 'sku sprzedawcy', 'ean', 'kod kreskowy', 'cena'],
      ['Lampa', '00123', '0401234567890', '01234', '1,50'],
      ['Lampa', '45678', '4012345678901', '98765', '2,50'],
    ),
  );
  expect(await query('SELECT sku_sprzedawcy, ean, kod_kreskowy, cena FROM t')).toMatchObject({
    rows: [
      ['00123', '0401234567890', '01234', 1.5],
      ['45678', '4012345678901', '98765', 2.5],
    ],
  });
});

const RETURNS = 'GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA';

it.each([
  [
    ['16-Mar-2026', '02-Dec-2025'],
    ['2025-12-02', '2026-03-16'],
  ],
  [
    ['04/2023', '11/2022'],
    ['2022-11-01', '2023-04-01'],
  ],
  [
    ['15.03.2026', '02.12.2025'],
    ['2025-12-02', '2026-03-15'],
  ],
  [
    ['11/20/2026', '02/12/2025'],
    ['2025-02-12', '2026-11-20'],
  ],
  [
    ['20/11/2026', '02/12/2025'],
    ['2025-12-02', '2026-11-20'],
  ],
  [
    ['2026/11/20', '2025/12/02'],
    ['2025-12-02', '2026-11-20'],
  ],
  [
    ['2026年3月16日', '2025年12月2日'],
    ['2025-12-02', '2026-03-16'],
  ],
  [
    ['16 mars 2026', '2 déc. 2025'],
    ['2025-12-02', '2026-03-16'],
  ],
  [
    ['16 Mart 2026', '2 Aralık 2025'],
    ['2025-12-02', '2026-03-16'],
  ],
  [
    ['Mar 16, 2026', 'Dec 2, 2025'],
    ['2025-12-02', '2026-03-16'],
  ],
  [
    ['2026-03-16 10:00:00 AEDT', '16/03/2026 10:00:00 AEST'],
    ['2026-03-15T23:00:00Z', '2026-03-16T00:00:00Z'],
  ],
  [
    ['Nov 20, 2026 3:05:10 PM PST', 'Feb 1, 2026 12:05:10 AM PST'],
    ['2026-02-01T08:05:10Z', '2026-11-20T23:05:10Z'],
  ],
])('reads the dates %j', async (dates, expected) => {
  const query = await collect(lines(['return-date', 'sku'], ...dates.map((date) => [date, 'S'])), {
    type: RETURNS,
  });
  expect(await query('SELECT min(return_date), max(return_date) FROM t')).toMatchObject({ rows: [expected] });
});

it.each([
  ['IN', '2026-11-20 10:00:00 IST', '2026-11-20T04:30:00Z'],
  ['IE', '2026-11-20 10:00:00 IST', '2026-11-20T09:00:00Z'],
  ['MX', '2026-11-20 10:00:00 CST', '2026-11-20T16:00:00Z'],
  ['SA', '2026-11-20 10:00:00 AST', '2026-11-20T07:00:00Z'],
  ['SG', '2026-11-20 10:00:00 SGT', '2026-11-20T02:00:00Z'],
  ['AE', '2026-11-20 10:00:00 GST', '2026-11-20T06:00:00Z'],
  ['BR', '2026-11-20 10:00:00 BRT', '2026-11-20T13:00:00Z'],
])('reads the zone of %s in %s', async (marketplace, date, expected) => {
  const query = await collect(lines(['seller-sku', 'open-date'], ['S', date]), { marketplace });
  expect(await query('SELECT open_date FROM t')).toMatchObject({ rows: [[expected]] });
});

it.each([
  ['cena', '1,219', '2,500', 'SELECT sum(cena) FROM t', true],
  ['cena', '1,219', '2,500', 'SELECT sku FROM t WHERE cena > 2', true],
  ['cena', '1,219', '2,500', 'SELECT sku FROM t ORDER BY cena', true],
  ['cena', '1,219', '2,500', 'SELECT max(c) FROM (SELECT cena AS c FROM t)', true],
  ['cena', '1,219', '2,500', 'SELECT sku, cena FROM t', false],
  ['cena', '1,219', '2,500', 'SELECT count(*) FROM t', false],
  ['dzien', '05/03/2026', '02/12/2025', 'SELECT max(dzien) FROM t', true],
  ['dzien', '05/03/2026', '02/12/2025', "SELECT sku FROM t WHERE dzien >= '2026-01-01'", true],
  ['dzien', '2026-11-20 10:00:00 IST', '2026-11-21 10:00:00 IST', 'SELECT max(dzien) FROM t', true],
  ['dzien', '05/03/2026', '02/12/2025', 'SELECT dzien FROM t', false],
])('tells a doubt about %s of %s and %s at %s: %s', async (name, one, other, sql, isNoted) => {
  const query = await collect(lines(['sku', name], ['A1', one], ['A2', other]));
  const { note } = await query(sql);
  expect(String(note).includes(name)).toBe(isNoted);
});

it.each([
  [['N/A', '16-Mar-2026', '02-Dec-2025'], 'SELECT max(kolumna) FROM t', true],
  [['pending', '05.03.2026', '02.12.2025'], "SELECT sku FROM t WHERE kolumna >= '2026'", true],
  [['-', '1219,99', '8,50'], 'SELECT sum(kolumna) FROM t', true],
  [['n/a', '--', '8,50'], 'SELECT sum(kolumna) FROM t', true],
  [['free', '1219,99', '8,50'], 'SELECT max(kolumna) FROM t', true],
  [['-', 'n/a', 'Lampa'], 'SELECT max(kolumna) FROM t', false],
  [['Lampa', 'Tisch', '12'], 'SELECT max(kolumna) FROM t', false],
  [['Lampa', 'Tisch', '10-12-14 pack', 'Stuhl', 'Bett'], 'SELECT max(kolumna) FROM t', false],
  [['-', '00123', '00456'], 'SELECT max(kolumna) FROM t', false],
])(
  'tells a doubt where words or signs stand before the values: %j at %s (%s)',
  async (values, sql, isNoted) => {
    const query = await collect(lines(['sku', 'kolumna'], ...values.map((value, at) => [`A${at}`, value])));
    const { rows, note } = await query(sql);
    expect([String(note).includes('kolumna'), rows]).toEqual([isNoted, rows]);
  },
);

const STYLES = [
  { decimal: ',', group: '.' },
  { decimal: ',', group: '\u00a0' },
  { decimal: ',', group: '' },
  { decimal: '.', group: ',' },
  { decimal: '.', group: '' },
  { decimal: '.', group: "'" },
];

it('gives the exact sum of a column of amounts, or tells its doubt, in any style', async () => {
  let document = '';
  runner = await startToolRunner(
    reportService(() => document),
    {},
    { entryFile },
  );
  const { run } = runner;
  const cents = fc.array(fc.integer({ min: -5_000_000, max: 5_000_000 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      cents,
      fc.constantFrom(...STYLES),
      fc.constantFrom('cena', 'price', 'xyzzy', '价格'),
      fc.boolean(),
      fc.constantFrom(0, 2),
      async (values, { decimal, group }, name, isQuoted, decimals) => {
        const amounts = values.map((value) => (decimals === 0 ? Math.trunc(value / 100) * 100 : value));
        const write = (value: number) => {
          const [whole = '', part = ''] = (Math.abs(value) / 100).toFixed(2).split('.');
          const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, group);
          return `${value < 0 ? '-' : ''}${grouped}${decimals === 0 ? '' : `${decimal}${part}`}`;
        };
        const rows = amounts.map((value, at) => [`S${at}x`, write(value)]);
        document = (isQuoted ? quoted : lines)(['sku', name], ...rows);
        await run(collectData, {
          report: { type: LISTINGS, marketplaces: ['DE'] },
          as: 't',
          fresh: true,
        });
        const { structured } = await run(queryData, { sql: `SELECT sum("${name}") FROM t` });
        const sum = Number(JSON.parse(JSON.stringify(structured.rows))[0][0]);
        const exact = amounts.reduce((total, value) => total + value, 0) / 100;
        const isNoted = String(structured.note).includes(name);
        if (!isNoted) expect(sum).toBeCloseTo(exact, 6);
      },
    ),
    { numRuns: 12 },
  );
});
