/** The rows of a list of changes: one line for each, what all of them share lifted out and told once. */

import type { PreparedRequest } from '../../client/client.ts';
import { isJsonObject } from '../../json.ts';
import { formatPath } from '../../json-difference.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { escapeText } from '../../text/escape-text.ts';
import type { Change } from '../change.ts';
import { changeLines } from '../change-lines.ts';
import { describeMembers } from '../describe-difference.ts';
import type { Line } from '../fit-lines.ts';
import { parameterLines } from '../sent-parameters.ts';
import { placesWords, subjectWords } from '../words/subject.ts';
import type { Show } from '../words/value.ts';

/** One change of a list. */
export interface ManyRow {
  key: string;
  change: Change;
  parameters: Readonly<Record<string, unknown>>;
  body?: unknown;
  /** In words of ours: `down by 45 %`. Such rows come first. */
  unusual?: readonly string[];
  /** -0.05 is 5 % less: the largest come first, and the range of the rest is told. */
  relative?: number;
}

export interface RowWords {
  key: string;
  /** `LMP-1 "Table lamp"`, `Hamburg store (hh01)`, `call 2`. */
  name: string;
  /** What changes and what is sent with it: `price: 19.99 EUR -> 17.99 EUR`. */
  change: Line;
  unusual: readonly string[];
  relative: number | undefined;
}

export interface ManyWords {
  /** What is out of the ordinary first, then the largest, else in the order given. */
  rows: RowWords[];
  /** `Germany`, where all are about the same places. */
  places: string;
  /** Sent with each of them. */
  shared: Line[];
  /** What is probably wrong, each once. */
  warnings: string[];
  /** Why values before are not known. */
  notKnown: string[];
  /** Why some cannot be taken back afterwards, each once. */
  cannotUndo: string[];
  /** Everything that changes is told. */
  isWhole: boolean;
}

/** Bytes of each name. */
const MOST_NAME_BYTES = 150;
/** Of a list of several, a title only tells which one is meant. */
const LONGEST_TITLE = 40;
/** Rows that a warning names. */
const MOST_NAMED = 3;

export interface RowsOf {
  operation: Operation;
  request: Pick<PreparedRequest, 'filledIn'>;
  rows: readonly ManyRow[];
}

export function describeRows({ operation, request, rows }: RowsOf, show: Show): ManyWords {
  const described = rows.map((row) => ({ row, ...partsOf(row, operation, request, show) }));
  const counts = countTexts(described.flatMap(({ sent }) => sent.map(({ text }) => text)));
  const isShared = ({ text }: Line) => rows.length > 1 && counts.get(text) === rows.length;
  const places = new Set(rows.map(({ change }) => placesWords(change.places)));
  const [place = ''] = places.size === 1 ? places : [''];
  const words = described.map(({ row, changes, sent }): RowWords => {
    const where = places.size === 1 ? '' : placesWords(row.change.places);
    const lines = [...changes, ...sent.filter((line) => !isShared(line))];
    return {
      ...{ key: row.key, name: [nameOf(row), where].filter((word) => word !== '').join(', ') },
      ...{ change: joinLines(lines), unusual: row.unusual ?? [], relative: row.relative },
    };
  });
  return {
    rows: words.sort(byWeight),
    places: place,
    shared: described[0]?.sent.filter(isShared) ?? [],
    warnings: warningsOf(rows, show),
    notKnown: sentencesOf(rows, NOT_KNOWN, ({ noDifferences }) => noDifferences),
    cannotUndo: sentencesOf(rows, 'Cannot be undone afterwards:', ({ cannotUndo }) => cannotUndo),
    isWhole: rows.every(({ change }) => change.isWhole && (change.sent ?? []).length === 0),
  };
}

function partsOf(
  { change, parameters, body }: ManyRow,
  operation: Operation,
  request: Pick<PreparedRequest, 'filledIn'>,
  show: Show,
) {
  const { filledIn } = request;
  const told = change.toldParameters;
  const given = parameterLines(
    { operation, parameters, request: { filledIn, headers: {}, body }, told },
    show,
  );
  const sent = (change.sent ?? []).flatMap(({ segments, value }) => describeMembers(value, show, segments));
  if (change.differences !== undefined) {
    const changes = changeLines(change, show);
    return {
      changes: changes.length === 0 && sent.length === 0 ? [NO_CHANGE] : changes,
      sent: [...sent, ...given],
    };
  }
  return { changes: [], sent: [...given, ...bodyLines(body, show)] };
}

/** Member by member, so that what all of them send alike can stand once. */
function bodyLines(body: unknown, show: Show): Line[] {
  if (body === undefined) return [];
  if (!isJsonObject(body)) return describeMembers(body, show);
  return Object.entries(body).flatMap(([name, member]) => describeMembers(member, show, [name]));
}

const NO_CHANGE: Line = { text: 'no changes', short: 'no changes', members: 0 };

function joinLines(lines: readonly Line[]): Line {
  const join = (texts: readonly string[]) =>
    texts.map((text, at) => (at < texts.length - 1 ? text.replace(/\.$/, '') : text)).join('; ');
  return {
    text: join(lines.map(({ text }) => text)),
    short: join(lines.map(({ short }) => short)),
    members: lines.reduce((sum, { members }) => sum + members, 0),
  };
}

function countTexts(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** What a person knows it by; a call by its number. */
export function nameOf({ key, change }: Pick<ManyRow, 'key' | 'change'>): string {
  const { subject } = change;
  const short =
    subject.kind === 'listing' && subject.title !== undefined
      ? { ...subject, title: cut(subject.title) }
      : subject;
  return subjectWords(short, MOST_NAME_BYTES) ?? `call ${escapeText(key)}`;
}

function cut(title: string): string {
  const characters = [...title];
  return characters.length <= LONGEST_TITLE ? title : `${characters.slice(0, LONGEST_TITLE - 3).join('')}...`;
}

function byWeight(one: RowWords, other: RowWords): number {
  const isOdd = ({ unusual }: RowWords) => Number(unusual.length > 0);
  const weight = ({ relative }: RowWords) => (relative === undefined ? -1 : Math.abs(relative));
  return isOdd(other) - isOdd(one) || weight(other) - weight(one);
}

/** The same words about several rows stand once. */
function warningsOf(rows: readonly ManyRow[], show: Show): string[] {
  const found = rows.flatMap((row) =>
    row.change.warnings.map(({ segments, message }) => ({
      name: nameOf(row),
      text: `${formatPath(segments, show)}: ${show(message)}`,
    })),
  );
  return grouped(found, rows.length);
}

const NOT_KNOWN = 'The values before cannot be shown:';

function sentencesOf(
  rows: readonly ManyRow[],
  head: string,
  pick: (change: Change) => string | undefined,
): string[] {
  const found = rows.flatMap((row) => {
    const sentence = pick(row.change);
    return sentence === undefined ? [] : [{ name: nameOf(row), text: `${head} ${escapeText(sentence)}` }];
  });
  return grouped(found, rows.length);
}

function grouped(found: readonly { name: string; text: string }[], total: number): string[] {
  const names = new Map<string, string[]>();
  for (const { name, text } of found) names.set(text, [...(names.get(text) ?? []), name]);
  return [...names].map(([text, all]) => {
    if (all.length === total && total > 1) return `${text} (all ${total})`;
    const more = all.length - MOST_NAMED;
    return `${all.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}: ${text}`;
  });
}
