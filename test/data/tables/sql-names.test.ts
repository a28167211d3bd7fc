/** Names that SQL takes without quotes, and that tell columns apart. */

import { expect, test } from 'vitest';
import { nameLists, toName, toNames, toPathName, uniqueName } from '../../../src/data/tables/sql-names.ts';

test.each([
  ['purchaseDate', 'purchase_date'],
  ['purchase-date', 'purchase_date'],
  ['Purchase Date', 'purchase_date'],
  ['SellerSKU', 'seller_sku'],
  ['ASINList', 'asin_list'],
  ['order', 'order_'],
  ['2nd price', '_2nd_price'],
  ['商品名', '商品名'],
  ['"; DROP TABLE x; --', 'drop_table_x'],
  ['\u202E\u0000', ''],
  ['x'.repeat(500), 'x'.repeat(60)],
])('%j is called %j', (sent, name) => {
  expect(toName(sent)).toBe(name);
});

test('of a member deep inside others the end is kept, which says what it is', () => {
  const inside = ['feesIdentifier', 'priceToEstimateFees', 'listingPrice'];
  expect(toPathName(inside)).toBe('fees_identifier_price_to_estimate_fees_listing_price');
  expect(toPathName([...inside, 'currencyCode'])).toBe('price_to_estimate_fees_listing_price_currency_code');
});

test('names that differ in case or signs only are told apart', () => {
  expect(toNames(['a b', 'A-B', '', 'item', 'a_b_2'], ['item'])).toEqual([
    'a_b',
    'a_b_2',
    'column_3',
    'item_2',
    'a_b_2_2',
  ]);
});

test.each<[string[], string]>([
  [[], ''],
  [['order', 'total'], 'order_total'],
  [['a', 'b'.repeat(58)], `a_${'b'.repeat(58)}`],
  [['a', 'b'.repeat(59)], 'b'.repeat(59)],
  [['x'.repeat(80)], 'x'.repeat(60)],
  [['a', 'x'.repeat(80)], 'x'.repeat(60)],
])('members %j are called %s', (path, name) => {
  expect(toPathName(path)).toBe(name);
});

test('a name that is taken has the first number that is free', () => {
  const used = new Set(['a', 'a_2', 'a_4']);
  expect([uniqueName('a', used), uniqueName('a', used), uniqueName('b', used)]).toEqual(['a_3', 'a_5', 'b']);
  expect(used).toContain('a_5');
});

test.each<[string[], string[], Record<string, string>]>([
  [[''], [], { '': 't' }],
  [['rows'], ['t'], { rows: 't_2' }],
  [['rows', ''], ['t_about'], { rows: 't', '': 't_about_2' }],
  [['a.b', 'c'], [], { 'a.b': 't_a_b', c: 't_c' }],
  [['a', 'c', ''], ['t_c'], { a: 't_a', c: 't_c_2', '': 't_about' }],
])('lists %j of a document, where %j are taken, are called %j', (paths, taken, names) => {
  expect(Object.fromEntries(nameLists('t', paths, new Set(taken)))).toEqual(names);
});
