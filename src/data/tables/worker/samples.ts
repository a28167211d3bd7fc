/** Takes an example of each column from one of its rows, as a query shows it, with its own placeholders. */

import { randomBytes } from 'node:crypto';
import type { Database } from 'node-sqlite3-wasm';
import { EVERY_PLACEHOLDER } from '../../../base/text/placeholder-shape.ts';
import type { ValueSource } from '../../../privacy/personal/kinds.ts';
import { cutOutsidePlaceholders } from '../../../privacy/personal/outside-placeholders.ts';
import {
  closestColumn,
  hasCurrencyOfMarketplace,
  isCurrencyCode,
  isCurrencyName,
  mayBeMoney,
} from '../amounts.ts';
import { formatLacks } from '../key-columns.ts';
import { isMaskable, maskedTable } from '../personal-tables.ts';
import { quoteIdentifier } from '../sql-names.ts';
import type { ColumnInfo, Sample, SqlValue, TableInfo } from '../table-types.ts';
import { createValueMasker } from './mask-values.ts';
import { maskColumns } from './masked-views.ts';
import { marksIn, toJsonValue } from './open-query.ts';
import { createRecentPairs, type RecentPairs } from './placeholder-cache.ts';
import { createRowProfile } from './row-profile.ts';

/** Max length of an example, in characters; a placeholder stays whole. */
const MAX_EXAMPLE_CHARACTERS = 40;

/** Max values retained of one column of currencies: enough to see that there are several. */
const MAX_CURRENCIES = 20;

const BEGINS_WITH_DAY = /^\d{4}-\d\d-\d\d/;

export type SeenRows = ReturnType<typeof watchRows>;

/**
 * Records the rows of notable values, and counts the figures for comparison.
 * @param columns in the order of the values
 * @param channelHeadings names of columns that may contain a row's origin; undefined if that is not needed
 */
export function watchRows(columns: readonly { name: string }[], channelHeadings?: readonly string[]) {
  /** The first row in which each column is filled, by its name. */
  const firstRows = new Map<string, number>();
  let empty = [...columns.entries()];
  /** The first and the last date of each column that begins with a day. */
  const dates: { at: number; name: string; first: string; last: string }[] = [];
  /**
   * A row with each of its values, for each column of currencies. If no column has such a name, the values
   * decide.
   */
  const isNamed = columns.some(({ name }) => isCurrencyName(name));
  let currencies = empty
    .filter(([, { name }]) => !isNamed || isCurrencyName(name))
    .map(([at, { name }]) => ({ at, name, rows: new Map<string, number>() }));
  const profile = createRowProfile(columns, channelHeadings);
  const findFirsts = (values: readonly SqlValue[], row: number) => {
    for (const [at, { name }] of empty) {
      const value = values[at] ?? null;
      if (value === null) continue;
      firstRows.set(name, row);
      profile.begin(at, name, value);
      if (typeof value === 'string' && BEGINS_WITH_DAY.test(value)) {
        dates.push({ at, name, first: value, last: value });
      }
    }
    empty = empty.filter(([at]) => (values[at] ?? null) === null);
  };
  const pairs = pairAmounts(columns);
  let isMissing = false;
  return {
    firstRows,
    dates,
    profile,
    /** @param row the number of the row in the table */
    see(values: readonly SqlValue[], row: number): void {
      const isOut = ({ at }: { at: number }) => !mayBeCurrency(values[at]);
      if (!isNamed && currencies.some(isOut)) currencies = currencies.filter((one) => !isOut(one));
      for (const { at, rows } of currencies) {
        const value = values[at];
        if (typeof value !== 'string' || rows.has(value)) continue;
        if (rows.size < MAX_CURRENCIES) rows.set(value, row);
      }
      if (!isMissing) isMissing = lacksCurrency(pairs, values);
      for (const date of dates) {
        const value = values[date.at];
        if (typeof value !== 'string') continue;
        if (value < date.first) date.first = value;
        if (value > date.last) date.last = value;
      }
      if (empty.some(([at]) => (values[at] ?? null) !== null)) findFirsts(values, row);
      profile.see(values);
    },
    /**
     * Returns the column of currencies with the most values, so that amounts of two are never added up by
     * mistake.
     */
    currency() {
      const [most] = currencies
        .filter(({ rows }) => (isNamed ? rows.size > 0 : hasCurrencyOfMarketplace(rows.keys())))
        .sort((one, other) => other.rows.size - one.rows.size);
      const codes = new Set(currencies.flatMap(({ rows }) => [...rows.keys()]));
      const only = codes.size === 1 && isNamed && !isMissing ? { isOnly: true } : {};
      return most && { column: most.name, rows: [...most.rows.values()], ...only };
    },
  };
}

const mayBeCurrency = (value: SqlValue | undefined) => (value ?? '') === '' || isCurrencyCode(value);

/** Returns true if an amount of the row has no currency beside it. */
function lacksCurrency(pairs: readonly AmountPair[], values: readonly SqlValue[]): boolean {
  for (const { amount, currency } of pairs) {
    const value = values[amount] ?? null;
    if (value !== null && value !== '' && (values[currency] ?? '') === '') return true;
  }
  return false;
}

interface AmountPair {
  amount: number;
  currency: number;
}

/** Returns the indexes of each column that may contain amounts and of its currency column. */
function pairAmounts(columns: readonly { name: string }[]): AmountPair[] {
  const names = columns.map(({ name }) => name);
  const currencies = names.filter(isCurrencyName);
  return names.flatMap((name, amount) => {
    const currency = isCurrencyName(name) || !mayBeMoney(name) ? undefined : closestColumn(name, currencies);
    return currency === undefined ? [] : [{ amount, currency: names.indexOf(currency) }];
  });
}

export function withSamples(
  database: Database,
  table: TableInfo,
  { firstRows, dates, profile, currency: findCurrency }: SeenRows,
  source: ValueSource,
): TableInfo {
  const { lacking, counts } = profile.result(table);
  const pairs = createRecentPairs(randomBytes(32), '');
  const read = createReader(database, table, source, pairs);
  const samples = new Map<string, Sample>();
  for (const row of new Set(firstRows.values())) {
    const names = [...firstRows].flatMap(([name, first]) => (first === row ? [name] : []));
    for (const [at, text] of read(names, row).entries()) {
      const marks = Object.fromEntries(marksIn([[text]], pairs));
      samples.set(names[at] ?? '', { text, marks });
    }
  }
  const isSearched = table.columns.some(isMaskable);
  const columns = table.columns.map((column): ColumnInfo => {
    // Later answers mask known values, so a correct guess from the caller would change in them.
    const sample = isSearched && column.given === true ? undefined : samples.get(column.name);
    const seen = column.type === 'date' ? dates.find(({ name }) => name === column.name) : undefined;
    const lacks = lacking.get(column.name);
    const note = [
      column.note,
      lacks && `${formatLacks(lacks)}, which GROUP BY puts together and JOIN and NOT IN lose`,
    ]
      .filter((part) => part !== undefined)
      .join('; ');
    return {
      ...column,
      ...(note === '' ? {} : { note }),
      ...(lacks === undefined ? {} : { lacks }),
      ...(sample === undefined ? {} : { sample }),
      ...(seen === undefined ? {} : { first: seen.first, last: seen.last }),
    };
  });
  const counted = { ...table, columns, profile: counts };
  const currency = findCurrency();
  if (currency === undefined) return counted;
  const { column, rows, ...only } = currency;
  const values = rows
    .flatMap((row) => read([column], row))
    .map((text) => text.replace(EVERY_PLACEHOLDER, '[masked]'));
  return { ...counted, currency: { column, values: [...new Set(values)].sort(), ...only } };
}

/** Creates a reader for the beginnings of cells as a query shows them. */
function createReader(database: Database, table: TableInfo, source: ValueSource, pairs: RecentPairs) {
  const masked = maskedTable(table, source);
  const columns = table.columns.map(({ name }) => name);
  const prefix = `s${randomBytes(12).toString('hex')}`;
  const shown =
    masked === undefined
      ? columns.map(quoteIdentifier)
      : maskColumns(masked, columns, { database, masker: createValueMasker(pairs), prefix });
  return (names: readonly string[], row: number): string[] => {
    const selected = names.map((name, at) => `${shown[columns.indexOf(name)]} AS c${at}`).join(', ');
    const from = `FROM ${quoteIdentifier(table.name)} WHERE _rowid_ = ${row}`;
    const found = database.get(`SELECT ${selected} ${from}`) ?? {};
    return names.map((_, at) =>
      cutOutsidePlaceholders(String(toJsonValue(Reflect.get(found, `c${at}`))), MAX_EXAMPLE_CHARACTERS),
    );
  };
}
