/** Says where a statement works with a column that looks like numbers or dates and is neither: its answer may be wrong. */

import type { Token } from './statement.ts';
import type { TableInfo } from './tables.ts';

interface Doubtful {
  name: string;
  kind: 'number' | 'date';
  reason: string;
}

const inDoubt = (tables: readonly TableInfo[]): Doubtful[] =>
  tables.flatMap(({ columns }) =>
    columns.flatMap(({ name, doubt }) => (doubt === undefined ? [] : [{ name, ...doubt }])),
  );

/** A column between these is shown as it is. */
const BEFORE_SHOWN: ReadonlySet<string> = new Set(['select', 'distinct', 'all', ',', '.']);

const hasStar = (tokens: readonly Token[]) =>
  tokens.some(({ text }, at) => text === '*' && BEFORE_SHOWN.has(tokens[at - 1]?.text ?? ''));

/** One sentence for each column that is calculated with, ordered, compared or handed on to an outer query. */
export function notesOnDoubts(tokens: readonly Token[], tables: readonly TableInfo[]): string[] {
  const used = inDoubt(tables).filter(({ name }) => isUsed(tokens, name.toLowerCase()));
  const notes = used.map(({ name, kind, reason }) => {
    const what = kind === 'number' ? 'numbers' : 'dates';
    return `${name} looks like ${what} but is text as sent (${reason}): what this statement makes of it may be wrong. Look at its values first, and convert them in the statement.`;
  });
  return [...new Set(notes)];
}

function isUsed(tokens: readonly Token[], name: string): boolean {
  const isNested = tokens.filter(({ kind, text }) => kind === 'word' && text === 'select').length > 1;
  const isOrdered = tokens.some(({ text }, at) => text === 'order' && tokens[at + 1]?.text === 'by');
  const places = [...tokens.keys()].filter((at) => isColumn(tokens, at, name));
  const clause = tokens.findIndex(
    ({ kind, text, depth }) => kind === 'word' && text === 'from' && depth === 0,
  );
  const isShown = (at: number) => isShownAsIs(tokens, at) && (clause < 0 || at < clause);
  const isHandedOn = isNested && (places.length > 0 || hasStar(tokens));
  return (
    places.some((at) => !isShown(at)) ||
    (isHandedOn && (isOrdered || hasOperation(tokens))) ||
    (isOrdered && places.some((at) => tokens[at + 1]?.text === 'as')) ||
    (isOrdered && places.length > 0 && ordersByNumber(tokens))
  );
}

const isColumn = (tokens: readonly Token[], at: number, name: string) => {
  const token = tokens[at];
  const isName = token?.kind === 'word' || token?.kind === 'name';
  return isName && token.text === name && !token.isTable && !isAlias(tokens, at);
};

const isAlias = (tokens: readonly Token[], at: number) => tokens[at - 1]?.text === 'as';

/** In a list of what is selected, or counted: nothing is made of its values. */
function isShownAsIs(tokens: readonly Token[], at: number): boolean {
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

const hasOperation = (tokens: readonly Token[]) =>
  tokens.some(({ kind, text }) => kind !== 'text' && OPERATIONS.has(text));

const ordersByNumber = (tokens: readonly Token[]) =>
  tokens.some(({ kind }, at) => kind === 'number' && ['by', ','].includes(tokens[at - 1]?.text ?? ''));

/** Columns of the result that are made of a column in doubt; in a statement of several queries all that could be. */
export function doubtfulColumns(
  tokens: readonly Token[],
  columns: readonly string[],
  tables: readonly TableInfo[],
): { column: string; reason: string }[] {
  const all = inDoubt(tables);
  if (all.length === 0) return [];
  const isNested = tokens.filter(({ kind, text }) => kind === 'word' && text === 'select').length > 1;
  const items = selectedItems(tokens);
  const isPlaced = items.length === columns.length && !isNested && !hasStar(tokens);
  return columns.flatMap((column, at) => {
    const own = isPlaced ? (items[at] ?? []) : tokens;
    const found = all.find(({ name }) => {
      const isNamed = [...own.keys()].some((place) => isColumn(own, place, name.toLowerCase()));
      return isPlaced || isNested ? isNamed || (isNested && hasStar(tokens)) : name === column || isNamed;
    });
    return found === undefined ? [] : [{ column, reason: found.reason }];
  });
}

/** The tokens of each item between SELECT and FROM. */
function selectedItems(tokens: readonly Token[]): Token[][] {
  const begin = tokens.findIndex(({ text, depth }) => text === 'select' && depth === 0);
  const end = tokens.findIndex(({ text, depth }, at) => at > begin && text === 'from' && depth === 0);
  const items: Token[][] = [[]];
  for (const token of tokens.slice(begin + 1, end < 0 ? undefined : end)) {
    if (token.text === ',' && token.kind === 'sign' && token.depth === 0) items.push([]);
    else items.at(-1)?.push(token);
  }
  return items;
}
