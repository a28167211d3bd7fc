/**
 * Notes columns that may make an answer wrong: one that looks like numbers or dates and is neither, or a key
 * that rows lack.
 */

import { formatLacks, type KeyLacks, keyKindOf } from './key-columns.ts';
import { hasStar, indexOfFrom, isNested, type SqlToken } from './statement.ts';
import type { TableInfo } from './table-types.ts';

interface Doubtful {
  name: string;
  kind: 'number' | 'date';
  reason: string;
}

const inDoubt = (tables: readonly TableInfo[]): Doubtful[] =>
  tables.flatMap(({ columns }) =>
    columns.flatMap(({ name, doubt }) => (doubt === undefined ? [] : [{ name, ...doubt }])),
  );

/**
 * Returns one sentence for each doubtful column that is used in calculation, order, comparison or an outer
 * query.
 */
export function notesOnDoubts(tokens: readonly SqlToken[], tables: readonly TableInfo[]): string[] {
  const used = inDoubt(tables).filter(({ name }) => isUsed(tokens, name.toLowerCase()));
  const notes = used.map(({ name, kind, reason }) => {
    const what = kind === 'number' ? 'numbers' : 'dates';
    return `${name} looks like ${what} but is text as sent (${reason}): what this statement makes of it may be wrong. Look at its values first, and convert them in the statement.`;
  });
  return [...new Set(notes)];
}

/** Returns one sentence for each figure that is calculated with and not yet available in some rows. */
export function notesOnUnavailable(tokens: readonly SqlToken[], tables: readonly TableInfo[]): string[] {
  return tables.flatMap(({ name: table, rows, columns }) =>
    columns.flatMap(({ name, unavailable }) =>
      unavailable !== undefined && isUsed(tokens, name.toLowerCase())
        ? [
            unavailable === rows
              ? `${table}.${name} is NULL in ${unavailable} of ${rows} rows: it is not yet available, or was never given.`
              : `${table}.${name} is empty (NULL) in ${unavailable} of ${rows} rows, not yet available or never given: sums, averages and comparisons leave these out.`,
          ]
        : [],
    ),
  );
}

function isUsed(tokens: readonly SqlToken[], name: string): boolean {
  const isOrdered = tokens.some(({ text }, at) => text === 'order' && tokens[at + 1]?.text === 'by');
  const indexes = [...tokens.keys()].filter((at) => isColumn(tokens, at, name));
  const clause = indexOfFrom(tokens);
  const isShown = (at: number) => isShownAsIs(tokens, at) && (clause < 0 || at < clause);
  const isHandedOn = isNested(tokens) && (indexes.length > 0 || hasStar(tokens));
  return (
    indexes.some((at) => !isShown(at)) ||
    (isHandedOn && (isOrdered || hasOperation(tokens))) ||
    (isOrdered && indexes.some((at) => tokens[at + 1]?.text === 'as')) ||
    (isOrdered && indexes.length > 0 && ordersByNumber(tokens))
  );
}

const isColumn = (tokens: readonly SqlToken[], at: number, name: string) => {
  const token = tokens[at];
  const isName = token?.kind === 'word' || token?.kind === 'name';
  // A name after a dot may be that of a table (main.orders), or of a column (orders.sku).
  const isTable =
    token?.isTable === true && (tokens[at - 1]?.text !== '.' || tokens[at - 2]?.isTable === true);
  return isName && token.text === name && !isTable && !isAlias(tokens, at);
};

const isAlias = (tokens: readonly SqlToken[], at: number) => tokens[at - 1]?.text === 'as';

/** Returns true if the column is only selected or counted, so that its values are not used. */
function isShownAsIs(tokens: readonly SqlToken[], at: number): boolean {
  let before = at - 1;
  if (tokens[before]?.text === '.') before -= 2;
  const [opens, counts, behind] = [tokens[before], tokens[before - 1], tokens[at + 1]];
  if (opens?.text === '(' && counts?.text === 'count') return true;
  const isListed = opens?.text === 'select' || opens?.text === 'distinct' || opens?.text === ',';
  const ends = behind === undefined || ['from', ',', 'as', 'union', 'limit'].includes(behind.text);
  return isListed && ends && tokens[at]?.depth === 0;
}

const OPERATIONS: ReadonlySet<string> = new Set(
  'sum avg total min max round abs cast where having between < > = + - / order group'.split(' '),
);

const hasOperation = (tokens: readonly SqlToken[]) =>
  tokens.some(({ kind, text }) => kind !== 'text' && OPERATIONS.has(text));

const ordersByNumber = (tokens: readonly SqlToken[]) =>
  tokens.some(({ kind }, at) => kind === 'number' && ['by', ','].includes(tokens[at - 1]?.text ?? ''));

/**
 * Returns result columns derived from a doubtful column; in a statement of several queries all possible ones.
 */
export function doubtfulColumns(
  tokens: readonly SqlToken[],
  columns: readonly string[],
  tables: readonly TableInfo[],
): { column: string; reason: string }[] {
  const all = inDoubt(tables);
  if (all.length === 0) return [];
  const items = selectedItems(tokens);
  const isPlaced = items.length === columns.length && !isNested(tokens) && !hasStar(tokens);
  return columns.flatMap((column, at) => {
    const own = isPlaced ? (items[at] ?? []) : tokens;
    const found = all.find(({ name }) => {
      const isNamed = [...own.keys()].some((place) => isColumn(own, place, name.toLowerCase()));
      return isPlaced || isNested(tokens)
        ? isNamed || (isNested(tokens) && hasStar(tokens))
        : name === column || isNamed;
    });
    return found === undefined ? [] : [{ column, reason: found.reason }];
  });
}

/** Returns the tokens of each item between SELECT and FROM. */
function selectedItems(tokens: readonly SqlToken[]): SqlToken[][] {
  const begin = tokens.findIndex(({ text, depth }) => text === 'select' && depth === 0);
  const end = tokens.findIndex(({ text, depth }, at) => at > begin && text === 'from' && depth === 0);
  const items: SqlToken[][] = [[]];
  for (const token of tokens.slice(begin + 1, end < 0 ? undefined : end)) {
    if (token.text === ',' && token.kind === 'sign' && token.depth === 0) items.push([]);
    else items.at(-1)?.push(token);
  }
  return items;
}

// Rows without a key become one row in a group, and no comparison finds them.

interface LackedKey {
  table: string;
  name: string;
  lacks: KeyLacks;
}

/**
 * Returns one sentence for each key column with empty values by which the statement groups, joins, compares
 * or counts.
 */
export function notesOnLackedKeys(tokens: readonly SqlToken[], tables: readonly TableInfo[]): string[] {
  const keys = tables.flatMap(({ name: table, columns }): LackedKey[] =>
    columns.flatMap(({ name, lacks }) => (lacks === undefined ? [] : [{ table, name, lacks }])),
  );
  if (keys.length === 0) return [];
  const aliases = tableAliases(tokens);
  return keys
    .filter((key) => isKeyUsed(tokens, indexesOf(tokens, key, aliases)))
    .map(({ table, name, lacks }) => {
      const [instead] = Object.entries(lacks.elsewhere).sort(([, one], [, other]) => other - one);
      const next =
        instead === undefined
          ? NO_OTHER_KEY[keyKindOf(name) === 'order' ? 'order' : 'product']
          : `Group or join those by ${instead[0]}.`;
      return `${table}.${name} is ${formatLacks(lacks)}: GROUP BY puts these rows into one group, and no JOIN, = or IN finds them. ${next}`;
    });
}

/** Only its id identifies an order; the keys of a product can replace each other. */
const NO_OTHER_KEY = {
  order: 'They name no order: count them apart.',
  product: 'They name no product in another column either.',
};

/** Functions that replace NULL. */
const FILLS: ReadonlySet<string> = new Set(['coalesce', 'ifnull']);

/** Words of statements that lose or merge rows without a key. */
const KEY_OPERATIONS: ReadonlySet<string> = new Set(
  'group join in where having distinct except intersect using count'.split(' '),
);

function isKeyUsed(tokens: readonly SqlToken[], indexes: readonly number[]): boolean {
  if (!tokens.some(({ kind, text }) => kind === 'word' && KEY_OPERATIONS.has(text))) return false;
  const aware = indexes.filter((at) => isMindfulOfNull(tokens, at));
  // A single SELECT that mentions NULL takes it into account.
  if (!isNested(tokens) && aware.length > 0) return false;
  const clause = indexOfFrom(tokens);
  const isGrouped = tokens.some(({ text }, at) => text === 'group' && tokens[at + 1]?.text === 'by');
  const isDistinct = tokens.some(({ text, depth }) => text === 'distinct' && depth === 0);
  const ordered = tokens.findLastIndex(
    ({ text, depth }, at) => depth === 0 && text === 'order' && tokens[at + 1]?.text === 'by',
  );
  return indexes.some((at) => {
    if (aware.includes(at) || (ordered >= 0 && at > ordered)) return false;
    const isShown = isShownAsIs(tokens, at) && !isCounted(tokens, at) && at < clause;
    if (!isShown) return true;
    // The column may be grouped by its number or by its other name.
    return isDistinct || (isGrouped && (groupsByNumber(tokens) || !endsItem(tokens[at + 1])));
  });
}

/** Returns true for `sku IS NOT NULL`, `coalesce(sku, fnsku)`. */
function isMindfulOfNull(tokens: readonly SqlToken[], at: number): boolean {
  const start = tokens[at - 1]?.text === '.' ? at - 2 : at;
  if (tokens[start - 1]?.text === '(' && FILLS.has(tokens[start - 2]?.text ?? '')) return true;
  const [next, second, third] = [tokens[at + 1]?.text, tokens[at + 2]?.text, tokens[at + 3]?.text];
  if (next === 'isnull' || next === 'notnull' || (next === 'not' && second === 'null')) return true;
  return next === 'is' && (second === 'null' || (second === 'not' && third === 'null'));
}

function isCounted(tokens: readonly SqlToken[], at: number): boolean {
  const start = tokens[at - 1]?.text === '.' ? at - 2 : at;
  return tokens[start - 1]?.text === '(';
}

const endsItem = (token: SqlToken | undefined) =>
  token === undefined || (token.kind === 'sign' && token.text === ',') || token.text === 'from';

const groupsByNumber = (tokens: readonly SqlToken[]) =>
  tokens.some(({ text }, at) => text === 'group' && tokens[at + 2]?.kind === 'number');

/** Returns the indexes at which a statement names this column, and not that of another table. */
function indexesOf(
  tokens: readonly SqlToken[],
  { table, name }: LackedKey,
  aliases: ReadonlyMap<string, string>,
): number[] {
  return [...tokens.keys()].filter((at) => {
    if (!isColumn(tokens, at, name.toLowerCase())) return false;
    const owner = tokens[at - 1]?.text === '.' ? aliases.get(tokens[at - 2]?.text ?? '') : undefined;
    return owner === undefined || owner === table.toLowerCase();
  });
}

/** Returns the table of each alias, including the tables' own names. */
function tableAliases(tokens: readonly SqlToken[]): Map<string, string> {
  const aliases = new Map<string, string>();
  for (const [at, { isTable, text }] of tokens.entries()) {
    // A name after a dot is that of a column.
    if (!isTable || tokens[at - 1]?.text === '.') continue;
    aliases.set(text, text);
    const alias = tokens[tokens[at + 1]?.text === 'as' ? at + 2 : at + 1];
    if (alias?.kind === 'word' || alias?.kind === 'name') aliases.set(alias.text, text);
  }
  return aliases;
}
