/**
 * Parses a reading statement into SELECTs with their columns and tables, as ranges of tokens, as far as the
 * currency guard needs them.
 */

import type { SqlToken } from './statement.ts';

/** Indexes of tokens; `to` is the index after the last one. */
export interface TokenRange {
  from: number;
  to: number;
}

/** A SELECT with its WITH tables, or several that UNION, INTERSECT and EXCEPT connect. */
export interface SelectQuery {
  withTables: WithTable[];
  cores: SelectCore[];
  /** The tokens of ORDER BY and LIMIT. */
  tail: TokenRange;
}

interface WithTable {
  name: string;
  /** The token indexes of its column names, if they are listed. */
  columns: number[] | undefined;
  query: SelectQuery;
}

/** One SELECT. VALUES has no items and no sources. */
export interface SelectCore {
  items: SelectItem[];
  sources: TableSource[];
  /** The ranges of WHERE, GROUP BY, HAVING, join conditions, and arguments of functions in FROM. */
  rest: TokenRange[];
}

export interface SelectItem extends TokenRange {
  /** The index of the alias token, if there is one. */
  alias: number | undefined;
  isStar: boolean;
}

export interface TableSource {
  kind: 'table' | 'query' | 'function';
  /** The index of the token that names a table or function. */
  name: number | undefined;
  query: SelectQuery | undefined;
  /** The index of the alias token. */
  alias: number | undefined;
  /** The index of the token after which an alias can be inserted. */
  end: number;
}

/** The error for a statement whose form is not supported here. */
export class UnreadSelectError extends Error {
  override readonly name = 'UnreadSelectError';
  /** Explains how to write the same in a supported form. */
  readonly remedy: string;

  constructor(
    message: string,
    remedy = 'Write plain SELECTs: FROM table JOIN table ON ..., each column by its name.',
  ) {
    super(message);
    this.remedy = remedy;
  }
}

const COMPOUNDS = new Set(['union', 'intersect', 'except']);
const JOINS = new Set(['natural', 'left', 'right', 'full', 'outer', 'inner', 'cross', 'join']);
const CLAUSES = new Set(['from', 'where', 'group', 'having', 'window']);
const OPENS_QUERY = new Set(['select', 'with', 'values']);

/** Words after which a name is an operand, and no alias. */
const BEFORE_OPERAND = new Set(
  `and or not is like glob regexp match between in collate escape case when then else distinct all over as from
  isnull notnull select`.split(/\s+/),
);
/** Words that end an expression, and are no alias. */
const NO_ALIAS = new Set('end null isnull notnull true false'.split(' '));

/** @throws UnreadSelectError */
export function readSelect(tokens: readonly SqlToken[]): SelectQuery {
  const last = tokens.length - 1;
  const isWrapped = isSign(tokens[0], '(') && closeOf(tokens, 0) === last;
  return isWrapped ? readQuery(tokens, { from: 1, to: last }) : readQuery(tokens, { from: 0, to: last + 1 });
}

export const isSign = (token: SqlToken | undefined, text: string) =>
  token?.kind === 'sign' && token.text === text;

export const isWord = (token: SqlToken | undefined, text: string) =>
  token?.kind === 'word' && token.text === text;

export const isNameToken = (token: SqlToken | undefined) => token?.kind === 'word' || token?.kind === 'name';

/** Returns the index of the parenthesis that closes the one at this index. @throws UnreadSelectError */
export function closeOf(tokens: readonly SqlToken[], open: number): number {
  const depth = tokens[open]?.depth;
  for (let at = open + 1; at < tokens.length; at++) {
    if (tokens[at]?.depth === depth && isSign(tokens[at], ')')) return at;
  }
  throw new UnreadSelectError('A parenthesis is not closed');
}

/** Returns true for a parenthesis that contains a SELECT. */
export function opensQuery(tokens: readonly SqlToken[], at: number): boolean {
  const next = tokens[at + 1];
  return isSign(tokens[at], '(') && next?.kind === 'word' && OPENS_QUERY.has(next.text);
}

/** Returns the ranges between commas that are in no parenthesis within the range. */
export function splitAtCommas(tokens: readonly SqlToken[], { from, to }: TokenRange): TokenRange[] {
  if (from >= to) return [];
  const depth = tokens[from]?.depth;
  const commas: number[] = [];
  for (let at = from; at < to; at++) {
    if (tokens[at]?.depth === depth && isSign(tokens[at], ',')) commas.push(at);
  }
  const starts = [from, ...commas.map((comma) => comma + 1)];
  return starts.map((start, i) => ({ from: start, to: commas[i] ?? to }));
}

/** @throws UnreadSelectError */
export function readQuery(tokens: readonly SqlToken[], { from, to }: TokenRange): SelectQuery {
  const depth = tokens[from]?.depth;
  const withTables: WithTable[] = [];
  let at = from;
  if (isWord(tokens[at], 'with')) {
    at += isWord(tokens[at + 1], 'recursive') ? 2 : 1;
    for (;;) {
      const read = readWithTable(tokens, at);
      withTables.push(read.table);
      at = read.end;
      if (!isSign(tokens[at], ',')) break;
      at += 1;
    }
  }
  const isHere = (index: number) => tokens[index]?.depth === depth && tokens[index]?.kind === 'word';
  const starts = [at];
  let end = to;
  for (let i = at; i < to; i++) {
    if (!isHere(i)) continue;
    const text = tokens[i]?.text ?? '';
    if (COMPOUNDS.has(text)) starts.push(i + (isWord(tokens[i + 1], 'all') ? 2 : 1));
    else if (text === 'limit' || (text === 'order' && isWord(tokens[i + 1], 'by'))) {
      end = i;
      break;
    }
  }
  const cores = starts.map((start, i) => {
    const next = starts[i + 1];
    const behind = next === undefined ? end : isWord(tokens[next - 1], 'all') ? next - 2 : next - 1;
    return readCore(tokens, { from: start, to: behind });
  });
  return { withTables, cores, tail: { from: end, to } };
}

function readWithTable(tokens: readonly SqlToken[], start: number): { table: WithTable; end: number } {
  const name = tokens[start];
  if (name === undefined || !isNameToken(name)) throw new UnreadSelectError('A WITH table has no name');
  let at = start + 1;
  let columns: number[] | undefined;
  if (isSign(tokens[at], '(')) {
    const close = closeOf(tokens, at);
    columns = splitAtCommas(tokens, { from: at + 1, to: close }).map((range) => range.from);
    at = close + 1;
  }
  at += 1;
  if (isWord(tokens[at], 'not')) at += 1;
  if (isWord(tokens[at], 'materialized')) at += 1;
  if (!isSign(tokens[at], '(')) throw new UnreadSelectError('A WITH table has no SELECT');
  const close = closeOf(tokens, at);
  const query = readQuery(tokens, { from: at + 1, to: close });
  return { table: { name: name.text, columns, query }, end: close + 1 };
}

function readCore(tokens: readonly SqlToken[], { from, to }: TokenRange): SelectCore {
  if (isWord(tokens[from], 'values')) return { items: [], sources: [], rest: [{ from: from + 1, to }] };
  if (!isWord(tokens[from], 'select')) throw new UnreadSelectError('There is no SELECT');
  const depth = tokens[from]?.depth;
  const isHere = (at: number) => tokens[at]?.depth === depth && tokens[at]?.kind === 'word';
  const clauses: { name: string; at: number }[] = [];
  for (let at = from + 1; at < to; at++) {
    const text = tokens[at]?.text ?? '';
    if (!isHere(at) || !CLAUSES.has(text) || isSign(tokens[at - 1], '.')) continue;
    // IS [NOT] DISTINCT FROM compares, and a column can be called window.
    if (text === 'from' && isWord(tokens[at - 1], 'distinct')) continue;
    if (text === 'window' && !(isWord(tokens[at + 2], 'as') && isSign(tokens[at + 3], '('))) continue;
    if (text === 'group' && !isWord(tokens[at + 1], 'by')) continue;
    clauses.push({ name: text, at });
  }
  const isCounted = isWord(tokens[from + 1], 'distinct') || isWord(tokens[from + 1], 'all');
  const items = splitAtCommas(tokens, {
    from: from + (isCounted ? 2 : 1),
    to: clauses[0]?.at ?? to,
  }).map((range) => readItem(tokens, range));
  const core: SelectCore = { items, sources: [], rest: [] };
  for (const [i, { name, at }] of clauses.entries()) {
    const range = { from: at + 1, to: clauses[i + 1]?.at ?? to };
    if (name === 'from') readSources(tokens, range, core);
    else core.rest.push(range);
  }
  return core;
}

function readItem(tokens: readonly SqlToken[], { from, to }: TokenRange): SelectItem {
  const last = tokens[to - 1];
  if (last === undefined || from >= to) throw new UnreadSelectError('A column of SELECT is empty');
  const isStar = isSign(last, '*') && (to - from === 1 || (to - from === 3 && isSign(tokens[to - 2], '.')));
  if (isStar) return { from, to, alias: undefined, isStar };
  if (to - from >= 3 && isWord(tokens[to - 2], 'as')) {
    return { from, to: to - 2, alias: to - 1, isStar };
  }
  const before = tokens[to - 2];
  const endsOperand =
    isSign(before, ')') ||
    before?.kind === 'number' ||
    before?.kind === 'text' ||
    before?.kind === 'name' ||
    (before?.kind === 'word' && !BEFORE_OPERAND.has(before.text));
  const isAlias =
    to - from >= 2 &&
    endsOperand &&
    (last.kind === 'name' || last.kind === 'text' || (last.kind === 'word' && !NO_ALIAS.has(last.text)));
  return isAlias ? { from, to: to - 1, alias: to - 1, isStar } : { from, to, alias: undefined, isStar };
}

/** Reads the sources of FROM, and of a parenthesis in it that contains joined tables. */
function readSources(tokens: readonly SqlToken[], { from, to }: TokenRange, core: SelectCore): void {
  const depth = tokens[from]?.depth;
  const isHere = (at: number) => tokens[at]?.depth === depth;
  const isNext = (at: number) =>
    isHere(at) &&
    (isSign(tokens[at], ',') || (tokens[at]?.kind === 'word' && JOINS.has(tokens[at]?.text ?? '')));
  let at = from;
  while (at < to) {
    if (isNext(at)) {
      at += 1;
      continue;
    }
    const start = at;
    const source: TableSource = {
      kind: 'table',
      name: undefined,
      query: undefined,
      alias: undefined,
      end: at,
    };
    if (isSign(tokens[at], '(')) {
      const close = closeOf(tokens, at);
      if (opensQuery(tokens, at)) {
        source.kind = 'query';
        source.query = readQuery(tokens, { from: at + 1, to: close });
      } else {
        readSources(tokens, { from: at + 1, to: close }, core);
      }
      at = close + 1;
    } else if (isNameToken(tokens[at])) {
      if (isSign(tokens[at + 1], '.')) at += 2;
      source.name = at;
      at += 1;
      if (isSign(tokens[at], '(')) {
        const close = closeOf(tokens, at);
        source.kind = 'function';
        core.rest.push({ from: at + 1, to: close });
        at = close + 1;
      }
    } else {
      throw new UnreadSelectError('A table of FROM is not understood');
    }
    source.end = at - 1;
    const isOn = (index: number) =>
      tokens[index]?.kind === 'word' && ['on', 'using', 'indexed', 'not'].includes(tokens[index]?.text ?? '');
    if (at < to && isWord(tokens[at], 'as')) {
      source.alias = at + 1;
      at += 2;
    } else if (at < to && !isNext(at) && !isOn(at) && tokens[at]?.kind !== 'sign') {
      source.alias = at;
      at += 1;
    }
    const isJoined = isSign(tokens[start], '(') && source.kind === 'table';
    if (isJoined && source.alias !== undefined)
      throw new UnreadSelectError(
        'Joined tables have one alias',
        'Give each table an alias of its own, and leave out the parentheses around the joined tables.',
      );
    if (!isJoined) core.sources.push(source);
    const condition = at;
    while (at < to && !isNext(at)) at += 1;
    if (condition < at) core.rest.push({ from: condition, to: at });
  }
}
