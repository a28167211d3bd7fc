/** Describes the rows of a batch: one line for each, with the lines that all of them share only once. */

import { isJsonObject } from '../../../base/json.ts';
import { escapeText } from '../../../base/text/escape-text.ts';
import { count } from '../../../base/text/format-value.ts';
import { shortenToCharacters } from '../../../base/text/shorten.ts';
import type { CallInput, PreparedRequest } from '../../../call/client-types.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import { CANNOT_UNDO, changeLines, NO_CHANGES, warningLine } from '../../model/format/change-lines.ts';
import { describeMembers, lineOf } from '../../model/format/describe-difference.ts';
import type { TextLine } from '../../model/format/fit-lines.ts';
import { formatMarketplaceIds, nameOf } from '../../model/format/subject.ts';
import type { BatchWrite } from '../../plan/prepared-batch.ts';
import { parameterLines } from '../sent-parameters.ts';

export interface BatchQuestionParts {
  /** The heading, such as `25 listings` or `4 stores`. */
  head: string;
  operation: Operation;
  account: string;
  /** The request of one row; the others go to the same seller. */
  request: Pick<PreparedRequest, 'method' | 'owner'>;
  rows: readonly BatchRow[];
  /** Our own sentences. */
  remarks?: readonly string[];
  /** True for the caller, who gets operation and address. */
  isForCaller?: boolean;
  /** The order of the same rows from an earlier description; masking does not change it. */
  order?: readonly RankedRow[];
}

/** One change of a batch, in clear or masked for the assistant. */
export type BatchRow = Pick<BatchWrite, 'key' | 'change' | 'unusual' | 'amounts'> &
  Pick<CallInput, 'parameters' | 'body'> &
  Pick<PreparedRequest, 'filledIn'>;

/** The part of each row that stays in memory: its index, and the data for the order and the summary. */
export interface RankedRow extends Pick<BatchRow, 'amounts'> {
  at: number;
  unusual: readonly string[];
  isListing: boolean;
}

/** Returns true if a range would not describe the change. */
export const isOpaque = ({ amounts }: RankedRow): boolean =>
  amounts === undefined || amounts.opaque.length > 0;

/**
 * Returns the largest change of an amount, as a share of the amount before; it is negative where the amount
 * becomes less.
 */
export function largestChange({ amounts }: Pick<BatchRow, 'amounts'>): number | undefined {
  if (amounts?.shares === undefined) return undefined;
  const { least, most } = amounts.shares;
  return Math.abs(least) > Math.abs(most) ? least : most;
}

export type DescribedRow = ReturnType<ReturnType<typeof describeRows>['wordsOf']>;

/** The max number of rows in a batch that is shown whole. */
export const MAX_WHOLE_ROWS = 30;
/** The max number of rows that a warning names. */
const MAX_NAMED = 3;

export function describeRows(parts: BatchQuestionParts) {
  const { rows } = parts;
  const sentOf = (row: BatchRow) => sentLines(row, parts);
  const found = scanRows(rows, sentOf, parts.order === undefined);
  const { ranked, shared, places: ids } = found;
  const isShared = ({ text }: TextLine) => shared.some((line) => line.text === text);
  const [place = ''] = ids.size === 1 ? ids : [''];
  return {
    /**
     * The order of the rows: unusual ones first (in a long batch the rarest), then the largest, else as
     * given.
     */
    order: parts.order ?? inOrder(ranked),
    /** Describes a row that is shown; a batch can have 25,000, so the others are not described. */
    wordsOf(row: BatchRow) {
      const where = ids.size === 1 ? '' : formatMarketplaceIds(row.change.places);
      const sent = sentOf(row);
      const lines = [...changesOf(row, sent.length > 0), ...sent.filter((line) => !isShared(line))];
      return {
        key: row.key,
        /** The name, such as `LMP-1 "Table lamp"`, `Hamburg store (hh01)` or `call 2`. */
        name: [nameOf(row), where].filter((word) => word !== '').join(', '),
        /** The changes and the values sent with them: `price: 19.99 EUR -> 17.99 EUR`. */
        change: joinLines(lines),
        unusual: row.unusual ?? [],
        amounts: row.amounts,
      };
    },
    /** The marketplaces, such as `Germany`, if all rows have the same. */
    places: place,
    /** The lines that each of them sends. */
    shared,
    /** The probable mistakes, each once. */
    warnings: grouped(found.warnings, rows.length),
    /** The reasons why values before are unknown. */
    notKnown: grouped(found.notKnown, rows.length),
    /** The reasons why some rows cannot be undone, each once. */
    cannotUndo: grouped(found.cannotUndo, rows.length),
    /** True if every change is described. */
    isWhole: found.isWhole,
    /** True if the values before are known for some rows. */
    isCompared: found.isCompared,
    /** The parameters of the first row, and of the first of each named seller. */
    calls: found.calls,
  };
}

/** Scans all rows once, because each row is decoded for it and then released. */
function scanRows(rows: readonly BatchRow[], sentOf: (row: BatchRow) => TextLine[], isRanked: boolean) {
  const ranked: RankedRow[] = [];
  const ids = new Set<string>();
  const calls: BatchRow['parameters'][] = [];
  const sellers = new Set<unknown>();
  const [warnings, notKnown, cannotUndo] = [newGroups(), newGroups(), newGroups()];
  let shared: TextLine[] = [];
  let [isWhole, isCompared] = [true, false];
  let at = 0;
  for (const row of rows) {
    const { change, parameters } = row;
    // Lines that all rows send alike are shown once; a single row has none.
    if (at === 0) shared = rows.length === 1 ? [] : sentOf(row);
    else if (shared.length > 0) {
      const texts = new Set(sentOf(row).map(({ text }) => text));
      shared = shared.filter(({ text }) => texts.has(text));
    }
    if (isRanked) ranked.push(toRanked(row, at));
    ids.add(formatMarketplaceIds(change.places));
    if (at === 0 || !sellers.has(parameters.sellerId)) calls.push(parameters);
    sellers.add(parameters.sellerId);
    for (const warning of change.warnings) warnings.add(warningLine(change, warning), row);
    if (change.noDifferences !== undefined) notKnown.add(sentence(NOT_KNOWN, change.noDifferences), row);
    if (change.cannotUndo !== undefined) cannotUndo.add(sentence(CANNOT_UNDO, change.cannotUndo), row);
    isWhole &&= change.isWhole && (change.sent ?? []).length === 0;
    isCompared ||= change.differences !== undefined;
    at += 1;
  }
  return { ranked, places: ids, calls, warnings, notKnown, cannotUndo, shared, isWhole, isCompared };
}

/** Ranks a row. The empty lists of thousands of rows are one shared list. */
function toRanked({ change, unusual = NONE, amounts }: BatchRow, at: number): RankedRow {
  const isListing = change.subject.kind === 'listing';
  const ranked = { at, unusual: orNone(unusual), isListing };
  if (amounts === undefined) return ranked;
  const { fresh, others, opaque } = amounts;
  const lists = { fresh: orNone(fresh), others: orNone(others), opaque: orNone(opaque) };
  return { ...ranked, amounts: { ...amounts, ...lists } };
}

const NONE: readonly never[] = [];
const orNone = <Value>(all: readonly Value[]): readonly Value[] => (all.length === 0 ? NONE : all);

function changesOf({ change }: BatchRow, sendsMore: boolean): TextLine[] {
  if (change.differences === undefined) return [];
  const changes = changeLines(change);
  return changes.length === 0 && !sendsMore ? [NO_CHANGE] : changes;
}

/** Returns the sent values that are part of no change. */
function sentLines(row: BatchRow, { operation, request: { owner } }: BatchQuestionParts): TextLine[] {
  const { change, parameters, body, filledIn } = row;
  const named = change.toldParameters;
  const given = parameterLines({
    operation,
    parameters,
    request: { owner, filledIn, headers: {}, body },
    told: named,
  });
  if (change.differences === undefined) return [...given, ...bodyLines(body)];
  const sent = (change.sent ?? []).flatMap(({ segments, value }) => describeMembers(value, segments));
  return [...sent, ...given];
}

/** Describes a body member by member, so that members that all rows share are shown once. */
function bodyLines(body: unknown): TextLine[] {
  if (body === undefined) return [];
  if (!isJsonObject(body)) return describeMembers(body);
  return Object.entries(body).flatMap(([name, member]) => describeMembers(member, [name]));
}

const NO_CHANGE = lineOf(() => `${NO_CHANGES} of what was read`, 0);

function joinLines(lines: readonly TextLine[]): TextLine {
  const join = (texts: readonly string[]) =>
    texts.map((text, at) => (at < texts.length - 1 ? text.replace(/\.$/, '') : text)).join('; ');
  return {
    text: join(lines.map(({ text }) => text)),
    short: join(lines.map(({ short }) => short)),
    members: lines.reduce((sum, { members }) => sum + members, 0),
  };
}

/** Kinds of changes beside amounts that occur in at most this many rows come first. */
const FEW = 10;

/**
 * Sorts the rows: those without a range first, then unusual ones, the rarest kinds first, then the largest.
 */
function inOrder(rows: readonly RankedRow[]): RankedRow[] {
  const counts = countKinds(rows, ({ unusual }) => unusual.map(kindOfUnusual));
  const others = countKinds(rows, ({ amounts }) => amounts?.others ?? []);
  const isLong = rows.length > MAX_WHOLE_ROWS;
  const ranked = rows.map((row) => {
    const kinds = row.unusual.map((words) => counts.get(kindOfUnusual(words)) ?? 0);
    // A batch that is shown whole needs no selection.
    const rare = isLong ? Math.min(Infinity, ...kinds) : Number(kinds.length === 0);
    const few = (row.amounts?.others ?? [])
      .map((name) => others.get(name) ?? 0)
      .filter((count) => count <= FEW);
    const change = largestChange(row);
    return {
      row,
      rare,
      weight: change === undefined ? -1 : Math.abs(change),
      opaque: isLong && isOpaque(row) ? 0 : 1,
      few: isLong ? Math.min(Infinity, ...few) : 0,
    };
  });
  const compared = (one: number, other: number) => (one === other ? 0 : one - other);
  return ranked
    .sort(
      (one, other) =>
        one.opaque - other.opaque ||
        compared(one.rare, other.rare) ||
        compared(one.few, other.few) ||
        other.weight - one.weight,
    )
    .map(({ row }) => row);
}

export function countKinds(
  rows: readonly RankedRow[],
  of: (row: RankedRow) => readonly string[],
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (const kind of new Set(of(row))) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** Returns the kind without its amount, so that `down by 45 %` and `down by 31 %` are one kind. */
export const kindOfUnusual = (words: string): string =>
  shortenToCharacters(words.replace(/(?: (?:by|of))? \d[\d.,]*(?: (?:%|[A-Z]{3}))?/g, ''), 40);

const NOT_KNOWN = 'The values before cannot be shown:';

const sentence = (head: string, words: string) => `${head} ${escapeText(words)}`;

/** Groups rows with the same text: the number of rows, and the names of the first. */
function newGroups() {
  const all = new Map<string, { rows: number; named: string[] }>();
  return {
    all,
    add(text: string, row: BatchRow) {
      const group = all.get(text) ?? { rows: 0, named: [] };
      all.set(text, group);
      group.rows += 1;
      if (group.named.length < MAX_NAMED) group.named.push(nameOf(row));
    },
  };
}

function grouped({ all }: ReturnType<typeof newGroups>, total: number): string[] {
  return [...all].map(([text, { rows, named }]) => {
    if (rows === total && total > 1) return `${text} (all ${count(total)})`;
    const more = rows - named.length;
    return `${named.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}: ${text}`;
  });
}
