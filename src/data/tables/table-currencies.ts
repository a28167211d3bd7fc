/** Finds the columns of a table with amounts of money, and the currency of each. */

import { marketplaceById, marketplaces } from '../../service/facts/marketplaces.ts';
import { LISTING_CHANGE_COLUMNS } from '../review/review-changes.ts';
import { closestColumn, isCurrencyName, isMoneyName, mayBeMoney } from './amounts.ts';
import { CHANGE_COLUMNS } from './built-in-tables.ts';
import { quoteIdentifier } from './sql-names.ts';
import type { CollectionInfo, ColumnInfo, TableInfo } from './table-types.ts';

/**
 * Returns the SQL of a row's currency; NULL if the row has none.
 * @param alias the quoted alias of the table
 */
type CurrencySql = (alias: string) => string;

export interface MoneyTable {
  name: string;
  /** All columns, in the order in which a star returns them. */
  columns: readonly string[];
  /** The columns with amounts of a known currency. */
  money: ReadonlyMap<string, CurrencySql>;
  /** The columns that contain currencies. */
  labels: ReadonlySet<string>;
  /** The currency of an amount inside JSON. */
  main: CurrencySql | undefined;
  /** The one currency of all amounts; undefined if there are several or that is unknown. */
  only: string | undefined;
}

/** Columns with the origin of a row, in tables without a currency. */
export const MARKETPLACE_NAMES = new Set([
  'marketplace',
  'marketplace_id',
  'marketplace_name',
  'sales_channel',
]);

/** Columns that join tables. */
const OWN_COLUMNS = new Set(['item', 'n', 'parent_n']);

/** Built-in tables that have amounts. */
const BUILT_IN_MONEY: readonly MoneyTable[] = [
  { name: 'changes', columns: CHANGE_COLUMNS },
  { name: 'listing_changes', columns: LISTING_CHANGE_COLUMNS },
].map(({ name, columns }) => {
  const currency: CurrencySql = (alias) => `${alias}."currency"`;
  return {
    name,
    columns,
    money: new Map([
      ['old', currency],
      ['new', currency],
    ]),
    labels: new Set(['currency']),
    main: currency,
    only: undefined,
  };
});

/** Returns the tables by their names in a statement. */
export function readMoneyTables(collections: readonly CollectionInfo[]): Map<string, MoneyTable> {
  const tables = collections.flatMap(({ tables: own, source }) =>
    own.map((table) => readMoneyTable(table, own, currencyOfSource(source))),
  );
  return new Map([...BUILT_IN_MONEY, ...tables].map((table) => [table.name, table]));
}

function readMoneyTable(table: TableInfo, all: readonly TableInfo[], given: string | undefined): MoneyTable {
  const own = currencyColumns(table);
  const owner = own.length > 0 ? table : ownerOf(table, all);
  const names = owner === undefined ? [] : currencyColumns(owner);
  const marketplace = table.columns.find(({ name }) => MARKETPLACE_NAMES.has(name));
  const of = (column: string): CurrencySql | undefined => {
    const fixed =
      currencyInName(column) ?? (names.length === 0 && marketplace === undefined ? given : undefined);
    if (fixed !== undefined) return () => `'${fixed}'`;
    const currency = closestColumn(column, names, owner?.currency?.column);
    if (currency !== undefined && owner !== undefined) return currencyIn(table, owner, currency);
    if (marketplace === undefined) return undefined;
    return (alias) => `__currency_of(${alias}.${quoteIdentifier(marketplace.name)})`;
  };
  const isKnown = names.length > 0 || marketplace !== undefined;
  const money = new Map<string, CurrencySql>();
  for (const column of table.columns) {
    const currency = isAmount(column, isKnown) ? of(column.name) : undefined;
    if (currency !== undefined) money.set(column.name, currency);
  }
  // Every table begins with the number of its rows, which only nested ones list as a column.
  const columns = table.columns.map(({ name }) => name);
  const isFixed = money.size > 0 && names.length === 0 && marketplace === undefined;
  return {
    name: table.name,
    columns: columns.includes('item') ? columns : ['item', ...columns],
    money,
    labels: new Set([...own, ...(own.length === 0 && marketplace !== undefined ? [marketplace.name] : [])]),
    main: of(''),
    only: isFixed ? given : owner?.currency?.isOnly === true ? owner.currency.values[0] : undefined,
  };
}

/**
 * Returns true for possible money: a numeric column with an inconclusive name counts if the table has
 * currencies.
 */
function isAmount({ name, type }: ColumnInfo, isKnown: boolean): boolean {
  if (OWN_COLUMNS.has(name) || isCurrencyName(name) || type === 'date') return false;
  if (isMoneyName(name)) return true;
  return isKnown && (type === 'json' || (type === 'number' && mayBeMoney(name)));
}

/** Finds them by their names; a table without such a name has the column whose values are all currencies. */
const currencyColumns = ({ columns, currency }: Pick<TableInfo, 'columns' | 'currency'>) =>
  columns.map(({ name }) => name).filter((name) => isCurrencyName(name) || name === currency?.column);

/** Returns the nearest enclosing table with a currency. */
function ownerOf({ parent }: TableInfo, all: readonly TableInfo[]): TableInfo | undefined {
  const outer = all.find(({ name }) => name === parent);
  if (outer === undefined || currencyColumns(outer).length > 0) return outer;
  return ownerOf(outer, all);
}

/** Returns the SQL of the currency in the row itself, or in the row of the enclosing table. */
function currencyIn(table: TableInfo, owner: TableInfo, column: string): CurrencySql {
  const quoted = quoteIdentifier(column);
  if (owner === table) return (alias) => `${alias}.${quoted}`;
  const has = (of: TableInfo, name: string) => of.columns.some((one) => one.name === name);
  const isNested = owner.parent !== undefined && table.parent === owner.name && has(table, 'parent_n');
  return (alias) => {
    const nested = isNested ? ` AND __owner.n = ${alias}.parent_n` : '';
    const from = `FROM ${quoteIdentifier(owner.name)} AS __owner WHERE __owner.item = ${alias}.item${nested}`;
    return `(SELECT __owner.${quoted} ${from})`;
  };
}

const CODES = new Set(marketplaces().map(({ currency }) => currency.toLowerCase()));

/** Returns the currency in names such as `price_usd`. */
function currencyInName(column: string): string | undefined {
  const last = column.split('_').at(-1) ?? '';
  return CODES.has(last) && last !== column ? last.toUpperCase() : undefined;
}

/** Returns the currency that all requested marketplaces share, if they do. */
function currencyOfSource(source: CollectionInfo['source']): string | undefined {
  if (source.kind === 'document') return undefined;
  const given = source.kind === 'report' ? source.marketplaces : Object.values(source.parameters).flat();
  const currencies = new Set(
    given.flatMap((id) => (typeof id === 'string' ? (marketplaceById(id)?.currency ?? []) : [])),
  );
  const [only] = currencies;
  return currencies.size === 1 ? only : undefined;
}
