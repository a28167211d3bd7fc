/**
 * Completes the rows of a report with facts from other rows or values: the currency of a settlement, the
 * marketplace of each row.
 */

import type { Database } from 'node-sqlite3-wasm';
import {
  countryOfChannel,
  MARKETPLACE_HEADINGS,
  traitsOfReport,
} from '../../../service/facts/report-traits.ts';
import { keyKindOf } from '../key-columns.ts';
import { quoteIdentifier, toName, uniqueName } from '../sql-names.ts';
import type { ColumnInfo, TableInfo } from '../table-types.ts';
import type { RowProfile } from './row-profile.ts';

type Channels = ReturnType<RowProfile['result']>['channels'];

/** Returns the names of columns that may contain a row's marketplace, the likeliest first. */
export function channelHeadings(reportType: string | undefined): string[] {
  const traits = reportType === undefined ? undefined : traitsOfReport(reportType);
  const own = traits?.marketplace === undefined ? [] : [toName(traits.marketplace)];
  return [...own, ...MARKETPLACE_HEADINGS];
}

/** @param channels the number of rows by channel */
export function addDerivedColumns(database: Database, table: TableInfo, channels: Channels): TableInfo {
  const filled = noteRepeated(database, fillSettlements(database, table));
  return addMarketplace(database, filled, channels);
}

/** The column that joined documents get; see collect-document.ts. */
const REPORT_ID = 'report_id';

/** Notes keys that really are in several joined reports, since their times often overlap without that. */
function noteRepeated(database: Database, table: TableInfo): TableInfo {
  const names = table.columns.map(({ name }) => name);
  if (names[0] !== REPORT_ID) return table;
  const key =
    names.find((name) => name === SETTLEMENT_ID) ?? names.find((name) => keyKindOf(name) === 'order');
  if (key === undefined) return table;
  const column = quoteIdentifier(key);
  const repeated = `SELECT ${column} FROM ${quoteIdentifier(table.name)} WHERE ${column} IS NOT NULL GROUP BY 1 HAVING count(DISTINCT ${REPORT_ID}) > 1`;
  const count = Number(database.get(`SELECT count(*) AS n FROM (${repeated})`)?.n ?? 0);
  if (count === 0) return table;
  const note = `${count} ${count === 1 ? 'value' : 'values'} of ${key} stand in more than one report: count each once, by ${REPORT_ID}.`;
  return { ...table, notes: [...table.notes, note] };
}

/**
 * The column that identifies the settlements of one file, and the members that the first row of each states
 * for all its rows.
 */
const SETTLEMENT_ID = 'settlement_id';
const SETTLEMENT_SHARED = ['settlement_start_date', 'settlement_end_date', 'deposit_date', 'currency'];

/** Fills in shared members except `total_amount`, which would then count once for each row. */
function fillSettlements(database: Database, table: TableInfo): TableInfo {
  const has = (name: string) => table.columns.some((column) => column.name === name);
  const shared = SETTLEMENT_SHARED.filter(has);
  if (!has(SETTLEMENT_ID) || !shared.includes('currency')) return table;
  const name = quoteIdentifier(table.name);
  const isMissing = shared.map((column) => `${name}.${column} IS NULL`).join(' OR ');
  const before = Number(database.get(`SELECT count(*) AS n FROM ${name} WHERE ${isMissing}`)?.n ?? 0);
  if (before === 0) return table;
  // A member with several values in one settlement does not belong to the whole settlement.
  const heads = shared.map(
    (column) => `iif(min(${column}) = max(${column}), max(${column}), NULL) AS ${column}`,
  );
  const set = shared.map((column) => `${column} = coalesce(${name}.${column}, head.${column})`);
  database.exec(
    `UPDATE ${name} SET ${set.join(', ')}
     FROM (SELECT ${SETTLEMENT_ID}, ${heads.join(', ')} FROM ${name} GROUP BY ${SETTLEMENT_ID}) AS head
     WHERE head.${SETTLEMENT_ID} = ${name}.${SETTLEMENT_ID} AND (${isMissing})`,
  );
  const left = Number(database.get(`SELECT count(*) AS n FROM ${name} WHERE currency IS NULL`)?.n ?? 0);
  const note = [
    `${shared.join(', ')} stand in the first row of each settlement only, and were filled into its other rows`,
    left === 0 ? '' : `; ${left} rows have no currency, since none stands in their settlement`,
  ].join('');
  return { ...table, notes: [...table.notes, `${note}.`] };
}

/** The name of the added column, and the one to use if a report has a column of that name. */
const ADDED = 'marketplace';
const ADDED_BESIDE = 'marketplace_country';

/**
 * Adds a virtual column, which is computed when it is read: it costs nothing to add, and the table does not
 * grow.
 */
function addMarketplace(database: Database, table: TableInfo, channels: Channels): TableInfo {
  const source = table.columns.find(({ name }) => name === channels?.column);
  if (channels === undefined || source === undefined || source.personal !== undefined) return table;
  const values = channels.values.map(({ value, rows }) => {
    const text = value === null ? null : String(value);
    return { value: text, marketplace: text === null ? null : (countryOfChannel(text) ?? null), rows };
  });
  const known = values.flatMap(({ value, marketplace }) =>
    value === null || marketplace === null ? [] : [{ value, marketplace }],
  );
  if (known.length === 0) return table;
  const used = new Set(['item', ...table.columns.map(({ name }) => name)]);
  const added = uniqueName(used.has(ADDED) ? ADDED_BESIDE : ADDED, used);
  const cases = known.map(
    ({ value, marketplace }) => `WHEN ${quoteText(value)} THEN ${quoteText(marketplace)}`,
  );
  const expression = `CASE ${quoteIdentifier(source.name)} ${cases.join(' ')} END`;
  database.exec(
    `ALTER TABLE ${quoteIdentifier(table.name)} ADD COLUMN ${quoteIdentifier(added)} TEXT GENERATED ALWAYS AS (${expression}) VIRTUAL`,
  );
  const column: ColumnInfo = {
    name: added,
    type: 'text',
    sample: { text: known[0]?.marketplace ?? '', marks: {} },
  };
  return {
    ...table,
    columns: [...table.columns, column],
    channels: { column: source.name, added, values },
  };
}

const quoteText = (text: string) => `'${text.replaceAll("'", "''")}'`;
