/**
 * Finds the column of SKUs in the report of a marketplace's listings, whose headings come in many languages.
 */

import { InputError } from '../../base/errors.ts';
import { showText } from '../../base/text/escape-text.ts';
import { keyKindOf } from '../tables/key-columns.ts';
import { quoteIdentifier } from '../tables/sql-names.ts';
import type { TableInfo } from '../tables/table-types.ts';

/**
 * Min share of the known SKUs that the column contains: the report can be some hours older than the search.
 */
const MIN_CONTAINED_PART = 0.8;

/** Builds the query that counts, for each column in order, how many of the known SKUs it contains. */
export function skuCountQuery({ name, columns }: TableInfo, known: readonly string[]): string {
  const list = known.map((sku) => `'${sku.replaceAll("'", "''")}'`).join(', ');
  const counts = columns.map((column) => {
    const text = `CAST(${quoteIdentifier(column.name)} AS TEXT)`;
    return `count(DISTINCT CASE WHEN ${text} IN (${list}) THEN ${text} END)`;
  });
  return `SELECT ${counts.join(', ')} FROM ${quoteIdentifier(name)}`;
}

/**
 * Chooses by the values; the heading decides if no column, or more than one, contains the known SKUs.
 * @param held the number of known SKUs in each column
 * @throws InputError if it cannot be decided
 */
export function chooseSkuColumn(
  { columns }: TableInfo,
  known: number,
  held: readonly number[],
  report: string,
): string {
  const most = Math.max(0, ...held);
  const isHeld = most > 0 && most >= known * MIN_CONTAINED_PART;
  const best = isHeld ? columns.filter((_, at) => held[at] === most) : columns;
  const named = best.filter(({ name }) => keyKindOf(name) === 'sku');
  const [only, other] = isHeld && best.length === 1 ? best : named;
  if (only !== undefined && other === undefined) return only.name;
  const headings = columns.map(({ name }) => showText(name, 100)).join(', ');
  throw new InputError(
    `It cannot be told which column of the ${report} holds the SKUs. Its columns: ${headings}.`,
    'Give the SKUs: skus: ["LAMP-1", "LAMP-2"].',
  );
}
