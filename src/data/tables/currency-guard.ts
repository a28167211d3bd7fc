/** Refuses sums of money across currencies: a number that means nothing looks like any other. */

import { InputError } from '../../base/errors.ts';
import { delimit } from '../../base/text/escape-text.ts';
import { isMoneyName } from './amounts.ts';
import type { Token } from './statement.ts';
import type { TableInfo } from './tables.ts';

const SUMS = new Set(['sum', 'avg', 'total']);

/** Codes told at most. */
const MOST_TOLD = 8;

/**
 * A table whose own column of currencies is named counts as told apart; those of all others are looked at together.
 * @throws InputError naming the column to group or filter by
 */
export function checkCurrencies(tokens: readonly Token[], tables: readonly TableInfo[]): void {
  const names = new Set(tokens.map(({ text }) => text));
  const hasMoney = ({ columns }: TableInfo) =>
    columns.some(({ name }) => isMoneyName(name) && (names.has(name) || tokens.some(isStar)));
  const open = tables
    .flatMap((table) => (table.currency === undefined ? [] : [{ table, currency: table.currency }]))
    .filter(({ table, currency }) => !names.has(currency.column) && hasMoney(table));
  const values = [...new Set(open.flatMap(({ currency }) => currency.values))].sort();
  const [first] = open;
  if (first === undefined || values.length < 2) return;
  const known = new Map(
    tables.flatMap(({ columns }) => columns.map(({ name }) => [name, isMoneyName(name)])),
  );
  const sum = tokens.find(({ text }, at) => SUMS.has(text) && takesMoney(tokens.slice(at + 1), known));
  if (sum === undefined) return;
  throw acrossCurrencies(
    sum.text,
    values,
    open.map(({ table }) => table.name),
    first.currency.column,
  );
}

function acrossCurrencies(sum: string, values: string[], tables: string[], column: string): InputError {
  const shown = values.slice(0, MOST_TOLD).map((value) => (isCode(value) ? value : delimit(value, 20)));
  const more = values.length > shown.length ? ` and ${values.length - shown.length} more` : '';
  const where = tables.length === 1 ? `table ${tables[0]}` : `tables ${tables.join(', ')}`;
  const example = values.find(isCode) ?? '...';
  return new InputError(
    `Not run: ${sum}(...) would add up amounts of ${values.length} currencies (${shown.join(', ')}${more}) in ${where}.`,
    `Group by ${column}, or choose one of them: WHERE ${column} = '${example}'.`,
  );
}

/** Anything else is a text of the service, and told as one. */
const isCode = (value: string) => /^[A-Z]{3}$/.test(value);

/** The star of SELECT *, which takes all columns along; count(*) and a product do not. */
function isStar({ text, kind }: Token, at: number, tokens: readonly Token[]): boolean {
  return kind === 'sign' && text === '*' && STAR_FOLLOWS.has(tokens[at - 1]?.text ?? '');
}

const STAR_FOLLOWS = new Set(['select', 'distinct', 'all', ',', '.']);

const isName = ({ kind }: Token) => kind === 'word' || kind === 'name';

/**
 * Anything but columns that are known to hold no money, since a name of the statement's own may stand for some.
 * @param behind the name of a function
 */
function takesMoney(behind: readonly Token[], known: ReadonlyMap<string, boolean>): boolean {
  const [open, ...all] = behind;
  if (open?.text !== '(') return false;
  const end = all.findIndex(({ depth }) => depth === open.depth);
  const names = all.slice(0, end < 0 ? undefined : end).filter((each, i, inside) => {
    const isTable = inside[i + 1]?.text === '.';
    return isName(each) && !isTable && !WORDS.has(each.text);
  });
  return names.some(({ text }) => known.get(text) !== false);
}

/** Of the language, inside what is added up. */
const WORDS = new Set(
  `distinct case when then else end and or not in is null between like cast as real integer numeric text coalesce ifnull
  iif nullif abs round max min filter where true false`.split(/\s+/),
);
