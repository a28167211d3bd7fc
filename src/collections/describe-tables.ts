/** The tables of a collection in words, with their columns and examples of them: as much as an answer has room for. */

import { cutBetweenMarks } from '../personal/between-marks.ts';
import type { ColumnInfo, TableInfo } from '../tables/types.ts';
import { showText } from '../text/escape-text.ts';
import { tokensOf } from '../text/shorten.ts';

/** How much of each table is told: the first that fits. */
const LEVELS = [
  { example: 30, columns: 80, tables: 12 },
  { example: 14, columns: 80, tables: 12 },
  { example: 0, columns: 80, tables: 12 },
  { example: 0, columns: 40, tables: 12 },
  { example: 0, columns: 20, tables: 12 },
  { example: 0, columns: 10, tables: 8 },
  { example: 0, columns: 4, tables: 4 },
  { example: 0, columns: 0, tables: 2 },
] as const;

export interface DescribedTable {
  name: string;
  rows: number;
  parent?: string;
  /** How its rows find theirs in `parent`. */
  joined_by?: string;
  /** `price number 12.5`. */
  columns: string[];
  more_columns?: number;
  /** `price_currency: EUR, GBP`. */
  currency?: string;
}

/** Columns that only join the table of a nested list to the one that holds it, which its head says. */
export const JOINING: ReadonlySet<string> = new Set(['item', 'n', 'parent_n']);

const columnsOf = ({ columns, parent }: TableInfo) =>
  parent === undefined ? columns : columns.filter(({ name }) => !JOINING.has(name));

/** A list inside a list has its rows numbered anew in each item: `item` alone would join every row with all of them. */
function joinWords({ columns, parent }: TableInfo): string {
  const isDeeper = columns.some(({ name }) => name === 'parent_n');
  return isDeeper ? `item and parent_n = ${parent}.n` : 'item';
}

/** Both forms of as many tables, columns and examples as `room` tokens hold. */
export function fitTables(tables: readonly TableInfo[], room: number, clean: (text: string) => string) {
  let fitted: { tables: DescribedTable[]; lines: string[] } = { tables: [], lines: [] };
  for (const level of LEVELS) {
    const shown = tables.slice(0, level.tables);
    const described = shown.map((table) => describeTable(table, level, clean));
    const rest = tables.length - shown.length;
    const more = rest > 0 ? [`${rest} more tables: SELECT name, rows, parent FROM tables`] : [];
    const lines = [...shown.flatMap((table) => tableLines(table, level, clean)), ...more];
    fitted = { tables: described, lines };
    if (tokensOf(JSON.stringify(described)) <= room && tokensOf(lines.join('\n')) <= room) break;
  }
  return fitted;
}

type Level = (typeof LEVELS)[number];

function describeTable(table: TableInfo, level: Level, clean: (text: string) => string): DescribedTable {
  const { name, rows, parent, currency } = table;
  const columns = columnsOf(table);
  const shown = columns.slice(0, level.columns);
  const more = columns.length - shown.length;
  return {
    name,
    rows,
    ...(parent === undefined ? {} : { parent, joined_by: joinWords(table) }),
    columns: shown.map((column) => columnWords(column, exampleOf(column, level, clean))),
    ...(more === 0 ? {} : { more_columns: more }),
    ...(currency === undefined
      ? {}
      : { currency: clean(`${currency.column}: ${currency.values.join(', ')}`) }),
  };
}

function tableLines(table: TableInfo, level: Level, clean: (text: string) => string): string[] {
  const { name, rows, parent, currency } = table;
  const columns = columnsOf(table);
  const shown = columns.slice(0, level.columns);
  const words = shown.map((column) => {
    const example = exampleOf(column, level, clean);
    return columnWords(column, example === undefined ? undefined : showText(example));
  });
  const more = columns.length - shown.length;
  const all =
    more > 0 ? [...words, `${more} more: SELECT * FROM columns WHERE table_name = '${name}'`] : words;
  const joined = parent === undefined ? '' : `, of ${parent} by ${joinWords(table)}`;
  const money =
    currency === undefined || currency.values.length === 0
      ? ''
      : `; amounts in ${currency.column}: ${currency.values.map((value) => showText(clean(value))).join(', ')}`;
  return [`${name} (${rows} rows${joined}${money}): ${all.join(', ')}`];
}

const columnWords = ({ name, type }: ColumnInfo, example: string | undefined) =>
  example === undefined ? `${name} ${type}` : `${name} ${type} ${example}`;

function exampleOf({ example }: ColumnInfo, level: Level, clean: (text: string) => string) {
  if (example === undefined || level.example === 0) return undefined;
  const text = clean(example);
  const shown = cutBetweenMarks(text, level.example);
  return shown === text ? text : `${shown}...`;
}
