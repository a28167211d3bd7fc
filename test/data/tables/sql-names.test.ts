/** Names that SQL takes without quotes, and that tell columns apart. */

import { expect, test } from 'vitest';
import { kindOfAmount } from '../../../src/data/tables/amounts.ts';
import { toName, toNames, toPathName } from '../../../src/data/tables/sql-names.ts';

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

test.each([
  ['item_price', 'money'],
  ['total', 'money'],
  ['shipping_tax', 'money'],
  ['price_amount', 'money'],
  ['preis', 'money'],
  ['quantity', 'count'],
  ['afn_fulfillable_quantity', 'count'],
  ['number_of_items', 'count'],
  ['product_price_unit_price_amount', 'money'],
  ['sales_by_date_ordered_product_sales_amount', 'money'],
  ['marketplace_withheld_tax', 'money'],
  ['estimated_referral_fee_per_unit', 'money'],
  ['estimated_storage_cost_next_month', 'money'],
  ['reference_price', 'money'],
  ['order_quantity', 'count'],
  ['order_id', undefined],
  ['unit_of_price', undefined],
  ['type_of_fee', undefined],
  ['is_reduced_price', undefined],
  ['price_per_unit_currency', undefined],
  ['fee_type', undefined],
  ['tax_id', undefined],
  ['sku', undefined],
  ['buyer_phone_number', undefined],
  ['ship_postal_code', undefined],
  ['price_designation', undefined],
  ['total_currency_code', undefined],
  ['title', undefined],
])('%s holds %s', (name, kind) => {
  expect(kindOfAmount(name)).toBe(kind);
});
