/**
 * Explains SQLite's errors about a statement, with the next step: the nearest name, and the existing columns
 * and tables.
 */

import { InputError } from '../../base/errors.ts';
import { delimit } from '../../base/text/escape-text.ts';
import { nearestName } from '../../base/text/nearest-name.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import type { TableInfo } from './table-types.ts';

/** Max names listed; the table `columns` has them all. */
const MAX_NAMES = 60;

/** Max characters of SQLite's own message. */
const MAX_MESSAGE_CHARACTERS = 400;

const FUNCTIONS =
  "SQLite's own functions are there (date, strftime, substr, json_extract, group_concat ...), and local_date, local_week, local_month and local_hour (value, zone or marketplace).";

/**
 * @param message SQLite's message
 * @param tables the tables that the statement names, and all tables
 */
export function explainSqlFailure(
  message: string,
  tables: { named: readonly TableInfo[]; all: readonly TableInfo[] },
): InputError {
  const column = /^(?:no such column|ambiguous column name): (?:"([^"]*)"|(\S+))/.exec(message);
  if (column !== null) return explainColumn(message, column[1] ?? column[2] ?? '', tables.named);
  const table = /^no such table: (.+)$/.exec(message)?.[1];
  if (table !== undefined) return explainTable(table, tables.all);
  const called = /^no such function: (\S+)/.exec(message)?.[1];
  if (called !== undefined) return new InputError(`There is no function ${quoteName(called)}.`, FUNCTIONS);
  if (/^(?:file is not a database|database disk image is malformed)/.test(message)) {
    return new InputError(
      'A file of collected data is damaged.',
      'Collect the data again: collect_data puts a new file in its place.',
    );
  }
  // Our own functions explain the error in a full sentence.
  const own = /^Error: (local_\w+: .+)$/s.exec(message)?.[1];
  if (own !== undefined) return new InputError(own);
  return new InputError(
    `SQLite does not take this statement: ${delimit(message, MAX_MESSAGE_CHARACTERS)}.`,
    'Correct it and call query_data again.',
  );
}

function explainColumn(message: string, asked: string, named: readonly TableInfo[]): InputError {
  if (message.startsWith('ambiguous')) {
    return new InputError(
      `More than one table has a column ${quoteName(asked)}.`,
      'Write the name of its table before it, or the alias where it has one: orders.item, o.item.',
    );
  }
  const bare = asked.split('.').at(-1)?.toLowerCase() ?? '';
  const names = named.flatMap(({ columns }) => columns.map(({ name }) => name));
  const nearest = closestName(bare, names);
  const inQuotes = message.includes('single-quotes') ? [" A text stands in single quotes: 'text'."] : [];
  return new InputError(
    `There is no column ${quoteName(asked)}.${nearest === undefined ? '' : ` The nearest name is ${nearest}.`}${inQuotes.join('')}`,
    named.map(columnsOf).join(' '),
  );
}

function columnsOf({ name, columns }: TableInfo): string {
  const names = columns.slice(0, MAX_NAMES).map((column) => column.name);
  const more =
    columns.length > names.length
      ? ` and ${columns.length - names.length} more (table columns lists all)`
      : '';
  return `Columns of ${name}: ${names.join(', ')}${more}.`;
}

function explainTable(asked: string, all: readonly TableInfo[]): InputError {
  const bare = asked.replace(/^\w+\./, '').toLowerCase();
  const names = all.map(({ name }) => name);
  const shown = names.slice(0, MAX_NAMES);
  if (shown.length === 0) {
    return new InputError(
      `There is no table ${quoteName(asked)}: nothing has been collected yet.`,
      'Collect data with collect_data first; the table changes holds the writes made from here.',
    );
  }
  const nearest = closestName(bare, names);
  return new InputError(
    `There is no table ${quoteName(asked)}.${nearest === undefined ? '' : ` The nearest name is ${nearest}.`}`,
    `Tables: ${shown.join(', ')}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ''}; also changes (writes made from here), tables and columns (what there is). collect_data adds more.`,
  );
}

/** Finds the name that was misspelled, or of which half at least was written. */
function closestName(asked: string, names: readonly string[]): string | undefined {
  const isPart = (name: string) =>
    name.includes(asked) && asked.length > 2 && asked.length * 2 >= name.length;
  return names.find(isPart) ?? nearestName(asked, names);
}
