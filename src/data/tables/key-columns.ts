/** Finds the columns by which rows are joined and grouped by their names: SKU, FNSKU, ASIN and order id. */

import type { ColumnInfo } from './table-types.ts';

export const KEY_KINDS = ['sku', 'fnsku', 'asin', 'order'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** Words beside SKU in names that are no SKU of the seller. */
const OTHER_WORDS = new Set(
  'fulfillment network parent count number of total type status title name quantity'.split(' '),
);

const ORDER_NAMES = new Set([
  'order_id',
  'amazon_order_id',
  'bestellnummer',
  'numéro_de_commande',
  '注文番号',
  '订单编号',
]);

/** Max words in the name of a key: `sku_du_vendeur` is one, a sentence is not. */
const MAX_WORDS = 4;

/** @param name an SQL name. Reports in every language use the words SKU, FNSKU and ASIN. */
export function keyKindOf(name: string): KeyKind | undefined {
  if (ORDER_NAMES.has(name)) return 'order';
  const words = name.split('_');
  if (words.length > MAX_WORDS) return undefined;
  if (words.includes('fnsku') || name === 'fulfillment_network_sku') return 'fnsku';
  if (words.some((word) => OTHER_WORDS.has(word))) return undefined;
  if (words.some((word) => word === 'sku' || word === 'msku') || /[^\0-\x7F]sku$/.test(name)) return 'sku';
  return words.some((word) => word === 'asin' || word === 'asin1') ? 'asin' : undefined;
}

/** The rows of a key column without a value. */
export type KeyLacks = NonNullable<ColumnInfo['lacks']>;

/** Returns `empty in 14 of 67 rows (fnsku is filled in 14 of these)`. */
export function formatLacks({ rows, of, elsewhere }: KeyLacks): string {
  const found = Object.entries(elsewhere).map(([name, count]) => `${name} is filled in ${count} of these`);
  return `empty in ${rows} of ${of} rows${found.length === 0 ? '' : ` (${found.join(', ')})`}`;
}
