import { expect, test } from 'vitest';
import { chooseSkuColumn } from '../../../src/data/review/sku-column.ts';

const tableOf = (names: readonly string[]) => ({
  name: 'listings',
  rows: 3,
  columns: names.map((name) => ({ name, type: 'text' as const })),
  notes: [],
});

test.each([
  'seller_sku',
  'sku_del_vendedor',
  'sku_do_vendedor',
  'sku_vendeur',
  'sku_van_verkoper',
  'händler_sku',
  'sku_venditore',
  'säljarens_artikelnummer',
  'sku_sprzedawcy',
  'satıcı_kodu',
  'رمز_البائع',
  '出品者sku',
  '卖家编号',
  'विक्रेता',
])('chooses the column that holds the known SKUs, whatever its heading is: %s', (heading) => {
  const table = tableOf(['item_name', 'listing_id', heading, 'asin1', 'product_id']);
  expect(chooseSkuColumn(table, 20, [0, 0, 19, 1, 1], 'report')).toBe(heading);
});

test('takes the heading where two columns hold the known SKUs', () => {
  expect(chooseSkuColumn(tableOf(['asin1', 'seller_sku']), 5, [5, 5], 'report')).toBe('seller_sku');
});

test('refuses to guess where neither values nor headings decide', () => {
  expect(() => chooseSkuColumn(tableOf(['a', 'b']), 5, [1, 0], 'report')).toThrow(/a, b/);
});

test('does not take the only column where it holds none of the known SKUs', () => {
  expect(() => chooseSkuColumn(tableOf(['title']), 5, [0], 'report')).toThrow(/title/);
});
