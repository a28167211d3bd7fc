/** Describes the rows of a statement with notes: the age of the data and figures that are easily misread. */

import { isDay, localTime } from '../../base/text/local-time.ts';
import { EVERY_PLACEHOLDER } from '../../base/text/placeholder-shape.ts';
import { findMarketplace } from '../../service/facts/find-marketplace.ts';
import { marketplaceById, marketplaceName } from '../../service/facts/marketplaces.ts';
import { CHANGE_COLUMNS } from './built-in-tables.ts';
import { doubtfulColumns, notesOnDoubts, notesOnLackedKeys, notesOnUnavailable } from './doubtful-columns.ts';
import { noteOnMixedMoments } from './moments.ts';
import { EXTRA_FIELDS, isPersonal, OF_THE_ITEM } from './personal-tables.ts';
import { hasStar, namedTables, type SqlStatement, type SqlToken, tablesRead } from './statement.ts';
import type { CollectionInfo, QueryResult, TableInfo } from './table-types.ts';
import type { QueryAnswer } from './worker/messages.ts';

interface ResultContext {
  /** The number of writes that `changes` does not show. */
  leftOut: number;
  isMasking: boolean;
  /** Whether the rows are saved to a file, whose reader does not know the tables. */
  isSaved: boolean;
  /** The marketplace of the account, if it has one. */
  marketplaceId: string | undefined;
  /** The collection that the statement is about, whose comparison the answer already contains. */
  collected?: string | undefined;
}

export function describeResult(
  { columns, rows, total }: QueryAnswer,
  statement: SqlStatement,
  collections: readonly CollectionInfo[],
  { leftOut, isMasking, isSaved, marketplaceId, collected }: ResultContext,
): QueryResult {
  const names = tablesRead(statement);
  const tables = collections.flatMap(({ tables: all, collectedAt, complete }) =>
    all.filter(({ name }) => names.has(name)).map(({ name }) => ({ name, collectedAt, complete })),
  );
  const named = namedTables(statement, collections);
  const notes = [
    ...collections.filter(({ id }) => id !== collected).flatMap((info) => noteOnComparison(info, names)),
    ...notesOnDoubts(statement.tokens, named),
    ...notesOnLackedKeys(statement.tokens, named),
    ...notesOnUnavailable(statement.tokens, named),
    noteOnMixedMoments(statement.tokens, named),
    noteOnZone(statement.tokens, marketplaceId),
    noteOnEnds(statement.tokens, named, { collections, marketplaceId }),
    isMasking ? noteOnMarks(statement.tokens, named) : undefined,
    leftOut === 0 ? undefined : noteOnChanges(leftOut),
    isSaved ? noteOnOwnColumns(statement.tokens, columns, named) : undefined,
  ].filter((note) => note !== undefined);
  const doubtful = doubtfulColumns(statement.tokens, columns, named);
  const aside = columnsAside({ columns, rows }, statement.tokens);
  return {
    columns,
    rows,
    total,
    tables,
    notes,
    ...(doubtful.length === 0 ? {} : { doubtful }),
    ...(aside.length === 0 ? {} : { aside }),
  };
}

/** Returns the comparison note, because a figure computed from impossible figures is wrong too. */
function noteOnComparison({ tables, comparison }: CollectionInfo, names: ReadonlySet<string>): string[] {
  const read = tables.find(({ name }) => names.has(name));
  return comparison === undefined || read === undefined ? [] : [`${read.name}: ${comparison}`];
}

const noteOnChanges = (leftOut: number) =>
  `${leftOut} ${leftOut === 1 ? 'write of this account name is' : 'writes of this account name are'} left out of changes: not known to be of the seller, credentials and address that it has now.`;

// Names the columns from a star that the source does not have: we added them to join tables.

function noteOnOwnColumns(
  tokens: readonly SqlToken[],
  columns: readonly string[],
  tables: readonly TableInfo[],
): string | undefined {
  if (!hasStar(tokens)) return undefined;
  const added = new Set(tables.flatMap(ownColumns));
  const own = columns.filter((name) => added.has(name));
  if (own.length === 0) return undefined;
  return `* brings columns that are not of the source, but added here: ${[...new Set(own)].join(', ')}. Name the columns to leave them out.`;
}

/** Returns the added columns; every table has `item`, which numbers its rows. */
function ownColumns({ columns, parent }: TableInfo): string[] {
  const noted = columns.filter(({ note }) => note === OF_THE_ITEM || note === EXTRA_FIELDS);
  return ['item', ...(parent === undefined ? [] : ['n', 'parent_n']), ...noted.map(({ name }) => name)];
}

// Stored details of a write that users rarely ask for are returned only if the statement names them.

/** The columns for what was changed, and from which value to which. */
const CHANGE_SUMMARY_COLUMNS: ReadonlySet<string> = new Set(
  CHANGE_COLUMNS.slice(0, CHANGE_COLUMNS.indexOf('outcome') + 1),
);
const REDUNDANT_COLUMNS: ReadonlySet<string> = new Set(['local_time']);

function columnsAside({ columns, rows }: Pick<QueryAnswer, 'columns' | 'rows'>, tokens: readonly SqlToken[]) {
  const named = new Set(tokens.map(({ text }) => text));
  if (!named.has('changes') || !hasStar(tokens)) return [];
  const isEmpty = (at: number) => rows.every((row) => row[at] === null);
  // A write without a listing or a store has no other description.
  const hasNoThing = rows.some((row) =>
    ['sku', 'store'].every((name) => (row[columns.indexOf(name)] ?? null) === null),
  );
  const isWanted = (name: string) =>
    (CHANGE_SUMMARY_COLUMNS.has(name) && !REDUNDANT_COLUMNS.has(name)) ||
    name === 'error' ||
    (name === 'what' && hasNoThing);
  const known: ReadonlySet<string> = new Set(CHANGE_COLUMNS);
  return columns.filter(
    (name, at) => known.has(name) && !named.has(name) && (!isWanted(name) || isEmpty(at)),
  );
}

// This part notes a masked column that is compared with a text: no placeholder equals it, so existing rows
// are not found.

const COMPARES = new Set(['=', '<', '>', '!', 'like', 'glob', 'in', 'between', 'is', 'not']);

/** Returns undefined if masked columns are compared with nothing but placeholders. */
function noteOnMarks(tokens: readonly SqlToken[], tables: readonly TableInfo[]): string | undefined {
  const masked = new Map(
    tables.flatMap(({ columns }) =>
      columns.filter(isPersonal).map(({ name, personal }) => [name.toLowerCase(), { name, personal }]),
    ),
  );
  const [column] = tokens.flatMap(
    (token, at) => (isValue(token) && masked.get(comparedWith(tokens, at) ?? '')) || [],
  );
  if (column === undefined) return undefined;
  const { name, personal } = column;
  const next =
    personal === 'postcode'
      ? `Compare its area: postcode_area(${name}) = '...'.`
      : 'Compare with a mark of an earlier answer.';
  return `${name} holds marks here, and no other text is found in it: this says nothing of what its values are. ${next}`;
}

/**
 * Returns true for a text that can be a value; an empty one, or one with a placeholder, is compared
 * correctly.
 */
const isValue = ({ kind, text }: SqlToken) =>
  kind === 'text' && text !== "''" && text.search(EVERY_PLACEHOLDER) < 0;

/** Returns the name on the other side of the comparison before this text, inside of any functions. */
function comparedWith(tokens: readonly SqlToken[], text: number): string | undefined {
  let at = text - 1;
  // The loop skips back over other texts of a list, and over functions that are called with the text.
  while (isListed(tokens[at]) || (tokens[at]?.kind === 'word' && tokens[at + 1]?.text === '(')) {
    if (COMPARES.has(tokens[at]?.text ?? '')) break;
    at -= 1;
  }
  const operator = at;
  while (COMPARES.has(tokens[at]?.text ?? '')) at -= 1;
  if (at === operator) return undefined;
  while (tokens[at]?.kind === 'sign' && tokens[at]?.text === ')') at -= 1;
  return tokens[at - 2]?.text === 'postcode_area' ? undefined : tokens[at]?.text;
}

const isListed = (token: SqlToken | undefined) =>
  token?.kind === 'text' || (token?.kind === 'sign' && (token.text === ',' || token.text === '('));

// This part notes whose days are meant if a statement names no zone.

const LOCAL: ReadonlySet<string> = new Set(['local_date', 'local_week', 'local_month', 'local_hour']);

function noteOnZone(tokens: readonly SqlToken[], marketplaceId: string | undefined): string | undefined {
  const home = marketplaceId === undefined ? undefined : marketplaceById(marketplaceId);
  const isLeftOut = tokens.some(
    ({ kind, text }, at) =>
      kind === 'word' && LOCAL.has(text) && tokens[at + 1]?.text === '(' && !hasComma(tokens, at + 1),
  );
  if (home === undefined || !isLeftOut) return undefined;
  return `Days without a zone are those of ${marketplaceName(home.id)} (${home.timeZone}), the account's marketplace.`;
}

/** Notes that the first or the last week or month has days without collected data. */
function noteOnEnds(
  tokens: readonly SqlToken[],
  tables: readonly TableInfo[],
  {
    collections,
    marketplaceId,
  }: { collections: readonly CollectionInfo[]; marketplaceId: string | undefined },
): string | undefined {
  const named = new Set(tokens.map(({ text }) => text));
  const unit = named.has('local_week') ? 'week' : named.has('local_month') ? 'month' : undefined;
  const found = tables
    .flatMap((table) => table.columns.map((column) => ({ table, column })))
    .find(({ column: { name, first } }) => first !== undefined && named.has(name.toLowerCase()));
  const { name, first: from, last: to } = found?.column ?? {};
  if (unit === undefined || name === undefined || from === undefined || to === undefined) return undefined;
  const zone = zoneOf(tokens, `local_${unit}`, marketplaceId);
  const info = collections.find(({ tables: all }) => found && all.includes(found.table));
  const collectedAt = info?.collectedAt;
  const [first, last] = [localDay(from, zone), localDay(to, zone)];
  const asked = requestedDays(info, { first, last, zone });
  // The day of the collection was not over, so more rows may have followed.
  const isOver = collectedAt === undefined || last < localDay(collectedAt, zone);
  const isBegun = isFirstDay(asked.first, unit);
  const isEnded = isOver && isFirstDay(dayAfter(asked.last), unit);
  if ((isBegun && isEnded) || asksForWholeMonths(tokens, first, last)) return undefined;
  const which = isBegun
    ? `the last ${unit} is`
    : isEnded
      ? `the first ${unit} is`
      : `the first and the last ${unit} are`;
  const why = isOver ? '' : `, ${last} not being over when it was collected`;
  return `${name} goes from ${first} to ${last} (${zone}): ${which} not whole${why}.`;
}

/** The service has the rows of a day after this delay. */
const LATE_MS = 3 * 86_400_000;

/**
 * Returns the days that a report was asked for if they are about this column: a day without a row is whole
 * too.
 */
function requestedDays(
  info: Pick<CollectionInfo, 'source' | 'collectedAt'> | undefined,
  { first, last, zone }: { first: string; last: string; zone: string },
): { first: string; last: string } {
  const { start, end = info?.collectedAt ?? '' } = info?.source.kind === 'report' ? info.source : {};
  if (info === undefined || start === undefined || Number.isNaN(Date.parse(end))) return { first, last };
  const until = Date.parse(end) - 1;
  const asked = { first: localDay(start, zone), last: localDay(new Date(until).toISOString(), zone) };
  if (first < asked.first || last > asked.last) return { first, last };
  return { first: asked.first, last: until < Date.parse(info.collectedAt) - LATE_MS ? asked.last : last };
}

/** Returns the IANA zone that the call names, or the zone of the marketplace. */
function zoneOf(tokens: readonly SqlToken[], called: string, marketplaceId: string | undefined): string {
  const at = tokens.findIndex(({ kind, text }) => kind === 'word' && text === called);
  const close = tokens.findIndex(({ text }, i) => i > at && text === ')');
  const named = tokens[close - 1];
  const given =
    named?.kind === 'text' && tokens[close - 2]?.text === ',' ? named.text.slice(1, -1) : undefined;
  const home = marketplaceId === undefined ? undefined : marketplaceById(marketplaceId)?.timeZone;
  if (given === undefined) return home ?? 'UTC';
  const found = findMarketplace(given);
  return found.kind === 'known' ? found.marketplace.timeZone : given;
}

/** Returns the day in the zone; a value that is only a day stays the same. */
function localDay(text: string, zone: string): string {
  const day = text.slice(0, 'yyyy-mm-dd'.length);
  return isDay(text) || Number.isNaN(Date.parse(text)) ? day : localTime(text, zone).slice(0, day.length);
}

/**
 * Returns true for `local_month(purchase_date) = '2026-08'` if the data begin before and end after that
 * month.
 */
function asksForWholeMonths(tokens: readonly SqlToken[], first: string, last: string): boolean {
  const months = tokens.flatMap(({ kind, text }) =>
    kind === 'text' && MONTH.test(text) ? [text.slice(1, -1)] : [],
  );
  return months.length > 0 && months.every((month) => month > first.slice(0, 7) && month < last.slice(0, 7));
}

const MONTH = /^'\d{4}-\d\d'$/;

const dayAfter = (text: string) => new Date(Date.parse(text.slice(0, 10)) + 86_400_000).toISOString();

function isFirstDay(text: string, unit: 'week' | 'month'): boolean {
  const day = new Date(text.slice(0, 10));
  return unit === 'week' ? day.getUTCDay() === 1 : day.getUTCDate() === 1;
}

/** Returns whether there is a comma between the two parentheses but in none within them. */
function hasComma(tokens: readonly SqlToken[], open: number): boolean {
  let depth = 0;
  for (const { kind, text } of tokens.slice(open)) {
    if (kind !== 'sign') continue;
    if (text === '(') depth += 1;
    else if (text === ')') depth -= 1;
    else if (text === ',' && depth === 1) return true;
    if (depth === 0) return false;
  }
  return false;
}
