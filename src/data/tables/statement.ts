/** Tokenizes one SQL statement and checks that it only reads, before SQLite sees it. */

import { InputError } from '../../base/errors.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import { type CollectionInfo, MAX_SQL_CHARACTERS, type TableInfo } from './table-types.ts';

/**
 * `name` is in quotes, brackets or backticks, or in single quotes if SQLite takes these for a name; `word` is
 * bare; `sign` is a single character.
 */
export interface SqlToken {
  kind: 'word' | 'name' | 'text' | 'number' | 'sign';
  /** Words and names in lower case, names without their quotes; a text with them. */
  text: string;
  start: number;
  end: number;
  /** The number of open parentheses around it. */
  depth: number;
  /** True where a table is named: after FROM, JOIN, IN, a dot, in a list of tables. */
  isTable: boolean;
}

export interface SqlStatement {
  /** The statement without a semicolon at its end. */
  sql: string;
  /** The same without the last ORDER BY, if that only orders the rows. */
  countSql: string;
  tokens: readonly SqlToken[];
}

const HINT =
  'Give one statement that reads: SELECT, or WITH ... SELECT. Data come in with collect_data, and changes to the service are made with the tools that write.';

const refuse = (words: string, reason: (word: string) => string) =>
  Object.fromEntries(words.split(' ').map((word) => [word, reason(word.toUpperCase())]));

/** The reasons why these statements do not only read. */
const REFUSED: Readonly<Record<string, string>> = {
  attach: 'ATTACH would open other files of this computer',
  detach: 'DETACH would take tables away',
  vacuum: 'VACUUM would write a file',
  pragma: 'PRAGMA would change settings of the database',
  explain: 'EXPLAIN shows the plan of the database, not data',
  ...refuse(
    'insert replace update delete create alter drop reindex analyze',
    (word) => `${word} would change the tables`,
  ),
  ...refuse('begin commit end rollback savepoint release', () => 'transactions are not needed for reading'),
};

const READS = new Set(['select', 'with', 'values']);
const WRITES = new Set(['insert', 'replace', 'update', 'delete']);
const VERBS = new Set(['select', 'values']);

const CATALOGUE = /^sqlite_(?:temp_)?(?:master|schema|sequence)$/;

/**
 * Matches functions and tables that would reach outside the collected tables, or reveal the paths of files.
 */
const OUTSIDE = /^(?:pragma_\w+|load_extension|readfile|writefile|edit|fsdir|lsmode|sqlite_dbpage|dbstat)$/;

/**
 * Matches names that the engine really has: a WITH table of the same name does not make them safe elsewhere.
 */
const IN_ENGINE = /^(?:pragma_|dbstat$)/;

/** Returns true if the name is called or read from; as a column or a WITH table it is harmless. */
function reachesOutside({ text, isTable }: SqlToken, at: number, tokens: readonly SqlToken[]): boolean {
  if (!OUTSIDE.test(text)) return false;
  if (!IN_ENGINE.test(text) && tokens.some((other, i) => other.text === text && isDefined(tokens, i))) {
    return false;
  }
  const isQualified = tokens[at - 1]?.text === '.';
  const isRead = isQualified ? tokens[at - 2]?.isTable === true : isTable;
  return isRead || tokens[at + 1]?.text === '(';
}

/** Returns true for the name of a WITH table at its definition: `name AS (`, `name(a, b) AS (`. */
export function isDefined(tokens: readonly SqlToken[], at: number): boolean {
  const open = tokens[at + 1];
  const listed = open?.text === '(' && open.kind === 'sign';
  const end = listed
    ? tokens.findIndex(({ text, depth }, i) => i > at && text === ')' && depth === open.depth)
    : at;
  const [as, body, ...more] = tokens.slice(end + 1, end + 5).map(({ text }) => text);
  return (
    end >= at &&
    as === 'as' &&
    (body === '(' || body === 'materialized' || (body === 'not' && more[0] === 'materialized'))
  );
}

/** @throws InputError, with the reason, for anything but one statement that reads */
export function readStatement(sql: string): SqlStatement {
  if (sql.length > MAX_SQL_CHARACTERS) {
    throw new InputError(
      `The statement has ${sql.length} characters; at most ${MAX_SQL_CHARACTERS} are taken.`,
      'Write it shorter: a list of values can come from a table.',
    );
  }
  const all = readTokens(sql);
  const semicolon = all.findIndex(({ text, kind }) => kind === 'sign' && text === ';');
  const [tokens, rest] = semicolon < 0 ? [all, []] : [all.slice(0, semicolon), all.slice(semicolon)];
  if (rest.some(({ text }) => text !== ';')) {
    throw refused('there are two statements, and one is run at a time');
  }
  checkReads(tokens);
  checkSize(tokens);
  const end = tokens.at(-1)?.end ?? 0;
  return { sql: sql.slice(0, end), countSql: sql.slice(0, endWithoutOrder(tokens, end)), tokens };
}

function refused(reason: string): InputError {
  return new InputError(`Not run: ${reason}.`, HINT);
}

function checkReads(tokens: readonly SqlToken[]): void {
  const [first] = tokens;
  if (first === undefined) throw refused('there is no statement');
  const isReading = first.kind === 'word' && READS.has(first.text);
  if (!isReading && !(first.kind === 'sign' && first.text === '(')) {
    throw refused(
      REFUSED[first.text] ?? `a statement that reads does not begin with ${quoteName(first.text)}`,
    );
  }
  // The verb of the statement follows the parenthesis of its last WITH table; a later word is a name.
  const verb = tokens.find(
    ({ kind, text, depth }, at) =>
      kind === 'word' && depth === 0 && tokens[at - 1]?.text === ')' && (WRITES.has(text) || VERBS.has(text)),
  );
  if (first.text === 'with' && verb !== undefined && WRITES.has(verb.text)) {
    throw refused(REFUSED[verb.text] ?? 'it would change the tables');
  }
  if (tokens.some(({ text }, at) => CATALOGUE.test(text) && tokens[at - 1]?.text !== 'as')) {
    throw new InputError(
      'Not run: the catalogue of SQLite is not the one of the collected tables.',
      'SELECT * FROM tables lists these, SELECT * FROM columns their columns.',
    );
  }
  const outside = tokens.find(reachesOutside);
  if (outside !== undefined) {
    const isPragma = outside.text.startsWith('pragma_');
    throw new InputError(
      `Not run: ${outside.text} would reach outside the collected tables.`,
      isPragma ? "SELECT * FROM columns WHERE table_name = '...' lists the columns of a table." : HINT,
    );
  }
}

/**
 * The engine does not check the end of its own stack: 300 compound parts, 200 nested queries, 490 nested
 * operators or functions overwrote its memory, and later results failed or were wrong.
 */
const MAX_SELECTS = 64;
const MAX_DEPTH = 200;

/** Pairs of signs that form one operator. */
const PAIRS = new Set(['||', '<=', '>=', '<>', '==', '!=', '<<', '>>', '->']);
const OPERATOR = /^[-+*/%|&<>=!~]$/;
const OPERATOR_WORDS = new Set(
  'and or not is like glob regexp match between in collate isnull notnull'.split(' '),
);
/** Words after which no operand belongs to the expression before. */
const BEGINS_ANEW = new Set(
  'select from join on where group having order by limit union except intersect values when then else as window'.split(
    ' ',
  ),
);

/** The counts at one open parenthesis, which counts itself. */
interface NestingLevel {
  /** The number of AND and OR since the last comma or clause. */
  conditions: number;
  /** The number of operators since the last of these. */
  operators: number;
}

/** Checks a depth that is never less than that of the engine's syntax tree. */
function checkSize(tokens: readonly SqlToken[]): void {
  const selects = tokens.filter(({ kind, text }) => kind === 'word' && text === 'select').length;
  if (selects > MAX_SELECTS) {
    throw tooDeep(`${selects} SELECTs, and at most ${MAX_SELECTS} are taken`);
  }
  const levels: NestingLevel[] = [];
  /** The sum over all open levels. */
  let sum = 0;
  let cases = 0;
  for (const [at, { kind, text, start, depth }] of tokens.entries()) {
    while (levels.length > depth + 1) sum -= heightOf(levels.pop());
    for (; levels.length <= depth; sum += 1) levels.push({ conditions: 0, operators: 0 });
    const here = levels[depth];
    if (here === undefined || (kind !== 'word' && kind !== 'sign')) continue;
    sum -= heightOf(here);
    const before = tokens[at - 1];
    const isSecond = before?.end === start && PAIRS.has(before.text + text);
    if (text === ',' || BEGINS_ANEW.has(text)) [here.conditions, here.operators] = [0, 0];
    else if (text === 'and' || text === 'or') [here.conditions, here.operators] = [here.conditions + 1, 0];
    else if (OPERATOR_WORDS.has(text) || (OPERATOR.test(text) && !isSecond)) here.operators += 1;
    else if (text === 'case') cases += 1;
    else if (text === 'end') cases = Math.max(0, cases - 1);
    sum += heightOf(here);
    if (sum + cases > MAX_DEPTH) throw tooDeep(`expressions more than ${MAX_DEPTH} deep`);
  }
}

const heightOf = (level: NestingLevel | undefined) =>
  level === undefined ? 0 : level.conditions + level.operators + 1;

function tooDeep(what: string): InputError {
  return new InputError(
    `Not run: the statement has ${what}.`,
    'Write a long list of values as IN (...) or VALUES (...), and a long text of pieces with group_concat or printf.',
  );
}

/** Returns the start of the last ORDER BY if nothing after it limits the rows; otherwise the end. */
function endWithoutOrder(tokens: readonly SqlToken[], end: number): number {
  const outer = tokens.filter(({ kind, depth }) => depth === 0 && kind === 'word');
  const at = outer.findLastIndex(({ text }, i) => text === 'order' && outer[i + 1]?.text === 'by');
  const order = outer[at];
  if (order === undefined || outer.slice(at).some(({ text }) => text === 'limit')) return end;
  return order.start;
}

/** One expression matches all tokens, because a long statement has thousands of them. */
const TOKEN =
  /(?<space>\s+|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)|(?<text>[xX]?'(?:[^']|'')*')|(?<name>"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])|(?<word>[\p{L}_][\p{L}\p{N}\p{M}_$]*)|(?<number>\d[\w.]*|\.\d[\w.]*)/uy;
const KINDS = ['space', 'text', 'name', 'word', 'number'] as const;

/** @throws InputError for a quote or comment that does not end */
export function readTokens(sql: string): SqlToken[] {
  if (sql.includes('\0')) throw refused('there is a zero character in it');
  const tokens: SqlToken[] = [];
  const positions = trackPositions();
  let depth = 0;
  for (let at = 0; at < sql.length; ) {
    const found = match(sql, at);
    if (found.kind === 'space') {
      at = found.end;
      continue;
    }
    const raw = sql.slice(at, found.end);
    if (raw === ')') depth -= 1;
    const { kind, end } = found;
    const text = bare(raw, kind);
    const isTable = positions.see({ kind, text, depth });
    const isName = isTable && raw.startsWith("'");
    tokens.push({
      kind: isName ? 'name' : kind,
      text: isName ? bare(raw, 'name') : text,
      start: at,
      end,
      depth,
      isTable,
    });
    if (raw === '(') depth += 1;
    if (depth < 0) throw refused('a parenthesis is closed that was not opened');
    at = found.end;
  }
  return tokens;
}

/** Words after which tables are listed, and words that end such a list. */
const LISTS_TABLES = new Set(['from', 'join']);
const ENDS_TABLES = new Set(
  'select where group order having limit window union except intersect values'.split(' '),
);

/**
 * Tracks where a name is expected, so that SQLite takes a text for one: after FROM, JOIN, IN, a dot, in a
 * list of tables.
 */
function trackPositions() {
  const inTables: boolean[] = [];
  let isDue = false;
  /** True after IN, where a parenthesis contains values. */
  let isOperand = false;
  return {
    /** Returns whether a name was expected at this token. */
    see({ kind, text, depth }: Pick<SqlToken, 'kind' | 'text' | 'depth'>): boolean {
      const wasDue = isDue;
      const isHere = inTables[depth] === true;
      const opensTables = wasDue && !isOperand;
      isOperand = kind === 'word' && text === 'in';
      isDue = isOperand;
      if (kind === 'word' && LISTS_TABLES.has(text)) inTables[depth] = isDue = true;
      else if (kind === 'word' && ENDS_TABLES.has(text)) inTables[depth] = false;
      else if (kind === 'sign' && text === '(') inTables[depth + 1] = isDue = opensTables;
      else if (kind === 'sign') isDue = text === '.' || (text === ',' && isHere);
      return wasDue;
    },
  };
}

function match(sql: string, at: number): { kind: SqlToken['kind'] | 'space'; end: number } {
  TOKEN.lastIndex = at;
  const groups = TOKEN.exec(sql);
  if (groups !== null)
    return { kind: KINDS[groups.indexOf(groups[0], 1) - 1] ?? 'space', end: TOKEN.lastIndex };
  const sign = sql.charAt(at);
  if (/['"`[]/.test(sign)) throw refused(`the ${sign} at character ${at + 1} is not closed`);
  if (sql.startsWith('/*', at)) throw refused('a comment is not closed');
  return { kind: 'sign', end: at + 1 };
}

function bare(raw: string, kind: SqlToken['kind'] | 'space'): string {
  if (kind === 'word') return raw.toLowerCase();
  if (kind !== 'name') return raw;
  const quote = raw.charAt(0);
  const inner = raw.slice(1, -1);
  return (quote === '[' ? inner : inner.replaceAll(quote + quote, quote)).toLowerCase();
}

// The notes on an answer need these parts of a statement.

/** Returns true for a statement with more than one SELECT. */
export const isNested = (tokens: readonly SqlToken[]) =>
  tokens.filter(({ kind, text }) => kind === 'word' && text === 'select').length > 1;

/** Returns the index of the FROM of the outermost SELECT; -1 if there is none. */
export const indexOfFrom = (tokens: readonly SqlToken[]) =>
  tokens.findIndex(({ kind, text, depth }) => kind === 'word' && text === 'from' && depth === 0);

/** Tokens before a star that is neither a factor nor a count. */
const BEFORE_STAR: ReadonlySet<string> = new Set(['select', 'distinct', 'all', ',', '.']);
export const hasStar = (tokens: readonly SqlToken[]) =>
  tokens.some(({ text }, at) => text === '*' && BEFORE_STAR.has(tokens[at - 1]?.text ?? ''));

// This part finds the collections and tables that a statement names.

/** Max collections in one statement, because SQLite attaches no more. */
const MAX_COLLECTIONS = 10;

/**
 * Returns every name in it, regardless of its kind; other tokens match no table, since a text has its quotes.
 */
export function mentions({ tokens }: SqlStatement): Set<string> {
  return new Set(tokens.map(({ text }) => text));
}

/** Returns the names that it reads as tables. */
export function tablesRead({ tokens }: SqlStatement): Set<string> {
  const isRead = ({ isTable }: SqlToken, at: number) =>
    isTable && (tokens[at - 1]?.text !== '.' || tokens[at - 2]?.isTable === true);
  return new Set(tokens.filter(isRead).map(({ text }) => text));
}

/** @throws InputError for more collections than SQLite attaches */
export function namedCollections(statement: SqlStatement, all: readonly CollectionInfo[]): CollectionInfo[] {
  const names = mentions(statement);
  const named = all.filter(({ tables }) => tables.some(({ name }) => names.has(name)));
  if (named.length <= MAX_COLLECTIONS) return named;
  throw new InputError(
    `The statement names tables of ${named.length} collections; at most ${MAX_COLLECTIONS} can be read at once.`,
    'Ask in two steps, or collect what belongs together at once.',
  );
}

export function namedTables(statement: SqlStatement, collections: readonly CollectionInfo[]): TableInfo[] {
  const names = mentions(statement);
  return collections.flatMap(({ tables }) => tables.filter(({ name }) => names.has(name)));
}
