/** Refuses sums of money across currencies: a number that means nothing looks like any other. */

import { InputError } from '../errors.ts';
import { isMoneyName } from './amounts.ts';
import type { Token } from './statement.ts';
import type { TableInfo } from './types.ts';

const SUMS = new Set(['sum', 'avg', 'total']);

/** @throws InputError naming the column to group or filter by */
export function checkCurrencies(tokens: readonly Token[], tables: readonly TableInfo[]): void {
  const names = new Set(tokens.filter(isName).map(({ text }) => text));
  const mixed = tables.find(({ currency, columns }) => {
    if (currency === undefined || currency.values.length < 2 || names.has(currency.column)) return false;
    return columns.some(({ name }) => isMoneyName(name) && names.has(name));
  });
  if (mixed?.currency === undefined) return;
  const known = new Map(
    tables.flatMap(({ columns }) => columns.map(({ name }) => [name, isMoneyName(name)])),
  );
  const sum = tokens.find((_, at) => isSumOfMoney(tokens, at, known));
  if (sum === undefined) return;
  const { column, values } = mixed.currency;
  throw new InputError(
    `Not run: ${sum.text}(...) would add up amounts of ${values.length} currencies (${values.join(', ')}) in table ${mixed.name}.`,
    `Group by ${column}, or choose one of them: WHERE ${column} = '${values[0]}'.`,
  );
}

const isName = ({ kind }: Token) => kind === 'word' || kind === 'name';

/** Anything but columns that are known to hold no money, since a name of the statement's own may stand for some. */
function isSumOfMoney(tokens: readonly Token[], at: number, known: ReadonlyMap<string, boolean>): boolean {
  const token = tokens[at];
  const open = tokens[at + 1];
  if (token === undefined || open?.text !== '(' || !SUMS.has(token.text)) return false;
  const end = tokens.findIndex(({ text, depth }, i) => i > at + 1 && text === ')' && depth === open.depth);
  const names = tokens.slice(at + 2, end < 0 ? undefined : end).filter((each, i, inside) => {
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
