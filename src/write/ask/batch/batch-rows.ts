/** The rows of a list of changes: one line for each, what all of them share lifted out and told once. */

import { isJsonObject } from '../../../base/json.ts';
import { escapeText } from '../../../base/text/escape-text.ts';
import { shortenToCharacters } from '../../../base/text/shorten.ts';
import { count } from '../../../base/text/value-words.ts';
import type { CallInput, PreparedRequest } from '../../../call/client-types.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import { CANNOT_UNDO, changeLines, NO_CHANGES, warningLine } from '../../model/words/change-lines.ts';
import { describeMembers, lineOf } from '../../model/words/describe-difference.ts';
import type { Line } from '../../model/words/fit-lines.ts';
import { nameOf, placesWords } from '../../model/words/subject.ts';
import type { BatchWrite } from '../../plan/prepared-batch.ts';
import { parameterLines } from '../sent-parameters.ts';

export interface BatchQuestionParts {
  /** `25 listings`, `4 stores`. */
  head: string;
  operation: Operation;
  account: string;
  /** Of one of them: the others go to the same seller. */
  request: Pick<PreparedRequest, 'method' | 'owner'>;
  rows: readonly BatchRow[];
  /** Sentences of ours. */
  remarks?: readonly string[];
  /** For who makes the call: with operation and address. */
  isForCaller?: boolean;
  /** Of the same rows, where they were looked through before: whether values are masked changes nothing in it. */
  order?: readonly RankedRow[];
}

/** One change of a list, in clear or as the assistant sees it. */
export type BatchRow = Pick<BatchWrite, 'key' | 'change' | 'unusual' | 'amounts'> &
  Pick<CallInput, 'parameters' | 'body'> &
  Pick<PreparedRequest, 'filledIn'>;

/** What is held of each row of a long list: its place, and what its order and the words on the rest are made of. */
export interface RankedRow extends Pick<BatchRow, 'amounts'> {
  at: number;
  unusual: readonly string[];
  isListing: boolean;
}

/** True where a range would not say what it changes. */
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

export type RowWords = ReturnType<ReturnType<typeof describeRows>['wordsOf']>;

/** A list of up to so many is shown whole. */
export const MOST_WHOLE = 30;
/** Rows that a warning names. */
const MOST_NAMED = 3;

export function describeRows(parts: BatchQuestionParts) {
  const { rows } = parts;
  const sentOf = (row: BatchRow) => sentLines(row, parts);
  const found = lookThrough(rows, sentOf, parts.order === undefined);
  const { ranked, shared, places } = found;
  const isShared = ({ text }: Line) => shared.some((line) => line.text === text);
  const [place = ''] = places.size === 1 ? places : [''];
  return {
    /** What is out of the ordinary first, the rarest of it in a long list, then the largest, else in the order given. */
    order: parts.order ?? inOrder(ranked),
    /** Only of those that are shown: there can be 25,000. */
    wordsOf(row: BatchRow) {
      const where = places.size === 1 ? '' : placesWords(row.change.places);
      const sent = sentOf(row);
      const lines = [...changesOf(row, sent.length > 0), ...sent.filter((line) => !isShared(line))];
      return {
        key: row.key,
        /** `LMP-1 "Table lamp"`, `Hamburg store (hh01)`, `call 2`. */
        name: [nameOf(row), where].filter((word) => word !== '').join(', '),
        /** What changes and what is sent with it: `price: 19.99 EUR -> 17.99 EUR`. */
        change: joinLines(lines),
        unusual: row.unusual ?? [],
        amounts: row.amounts,
      };
    },
    /** `Germany`, where all are about the same places. */
    places: place,
    /** Sent with each of them. */
    shared,
    /** What is probably wrong, each once. */
    warnings: grouped(found.warnings, rows.length),
    /** Why values before are not known. */
    notKnown: grouped(found.notKnown, rows.length),
    /** Why some cannot be taken back afterwards, each once. */
    cannotUndo: grouped(found.cannotUndo, rows.length),
    /** Everything that changes is told. */
    isWhole: found.isWhole,
    /** Of some of them the values before are known. */
    isCompared: found.isCompared,
    /** Parameters of the first, and of the first of each seller that is named. */
    calls: found.calls,
  };
}

/** Once: each row is opened for it, and let go. */
function lookThrough(rows: readonly BatchRow[], sentOf: (row: BatchRow) => Line[], isRanked: boolean) {
  const ranked: RankedRow[] = [];
  const places = new Set<string>();
  const calls: BatchRow['parameters'][] = [];
  const sellers = new Set<unknown>();
  const [warnings, notKnown, cannotUndo] = [newGroups(), newGroups(), newGroups()];
  let shared: Line[] = [];
  let [isWhole, isCompared] = [true, false];
  let at = 0;
  for (const row of rows) {
    const { change, parameters } = row;
    // What all of them send alike; nothing where there is one.
    if (at === 0) shared = rows.length === 1 ? [] : sentOf(row);
    else if (shared.length > 0) {
      const texts = new Set(sentOf(row).map(({ text }) => text));
      shared = shared.filter(({ text }) => texts.has(text));
    }
    if (isRanked) ranked.push(toRanked(row, at));
    places.add(placesWords(change.places));
    if (at === 0 || !sellers.has(parameters.sellerId)) calls.push(parameters);
    sellers.add(parameters.sellerId);
    for (const warning of change.warnings) warnings.add(warningLine(change, warning), row);
    if (change.noDifferences !== undefined) notKnown.add(sentence(NOT_KNOWN, change.noDifferences), row);
    if (change.cannotUndo !== undefined) cannotUndo.add(sentence(CANNOT_UNDO, change.cannotUndo), row);
    isWhole &&= change.isWhole && (change.sent ?? []).length === 0;
    isCompared ||= change.differences !== undefined;
    at += 1;
  }
  return { ranked, places, calls, warnings, notKnown, cannotUndo, shared, isWhole, isCompared };
}

/** There are thousands of them: what is empty in each is the same empty list. */
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

function changesOf({ change }: BatchRow, sendsMore: boolean): Line[] {
  if (change.differences === undefined) return [];
  const changes = changeLines(change);
  return changes.length === 0 && !sendsMore ? [NO_CHANGE] : changes;
}

/** What is sent and is part of no change. */
function sentLines(row: BatchRow, { operation, request: { owner } }: BatchQuestionParts): Line[] {
  const { change, parameters, body, filledIn } = row;
  const told = change.toldParameters;
  const given = parameterLines({
    operation,
    parameters,
    request: { owner, filledIn, headers: {}, body },
    told,
  });
  if (change.differences === undefined) return [...given, ...bodyLines(body)];
  const sent = (change.sent ?? []).flatMap(({ segments, value }) => describeMembers(value, segments));
  return [...sent, ...given];
}

/** Member by member, so that what all of them send alike can stand once. */
function bodyLines(body: unknown): Line[] {
  if (body === undefined) return [];
  if (!isJsonObject(body)) return describeMembers(body);
  return Object.entries(body).flatMap(([name, member]) => describeMembers(member, [name]));
}

const NO_CHANGE = lineOf(() => `${NO_CHANGES} of what was read`, 0);

function joinLines(lines: readonly Line[]): Line {
  const join = (texts: readonly string[]) =>
    texts.map((text, at) => (at < texts.length - 1 ? text.replace(/\.$/, '') : text)).join('; ');
  return {
    text: join(lines.map(({ text }) => text)),
    short: join(lines.map(({ short }) => short)),
    members: lines.reduce((sum, { members }) => sum + members, 0),
  };
}

/** Kinds of changes beside amounts that fewer rows have come first. */
const FEW = 10;

/** What cannot be summed up first, then what is out of the ordinary, of that what only few have, then the largest. */
function inOrder(rows: readonly RankedRow[]): RankedRow[] {
  const counts = countKinds(rows, ({ unusual }) => unusual.map(kindOf));
  const others = countKinds(rows, ({ amounts }) => amounts?.others ?? []);
  const isLong = rows.length > MOST_WHOLE;
  const ranked = rows.map((row) => {
    const kinds = row.unusual.map((words) => counts.get(kindOf(words)) ?? 0);
    // A list that is told whole needs no choice.
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

/** How many rows are of each kind. */
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

/** Without its amount, so that `down by 45 %` and `down by 31 %` are of one kind. */
export const kindOf = (words: string): string =>
  shortenToCharacters(words.replace(/(?: (?:by|of))? \d[\d.,]*(?: (?:%|[A-Z]{3}))?/g, ''), 40);

const NOT_KNOWN = 'The values before cannot be shown:';

const sentence = (head: string, words: string) => `${head} ${escapeText(words)}`;

/** The same words about several rows stand once: how many rows, and the names of the first. */
function newGroups() {
  const all = new Map<string, { rows: number; named: string[] }>();
  return {
    all,
    add(text: string, row: BatchRow) {
      const group = all.get(text) ?? { rows: 0, named: [] };
      all.set(text, group);
      group.rows += 1;
      if (group.named.length < MOST_NAMED) group.named.push(nameOf(row));
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
