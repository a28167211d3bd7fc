/** What a person reads before a list of writes: a table of what changes, the rest summed up, what is probably wrong, for whom. */

import { byteLength } from '../../../base/json.ts';
import { shortenToTokens, takeLines } from '../../../base/text/shorten.ts';
import { count } from '../../../base/text/value-words.ts';
import { type RowAmounts, spanOf } from '../../model/listing/changed-amounts.ts';
import { NOTHING_ELSE } from '../../model/words/change-lines.ts';
import { fitLines, moreLines, roomForEach } from '../../model/words/fit-lines.ts';
import { sellerLines } from '../../model/words/whose.ts';
import { MOST_TOKENS, NOTICE_BYTES, sizeOf, withNotice } from '../write-question.ts';
import {
  type BatchQuestionParts,
  countKinds,
  describeRows,
  isOpaque,
  kindOf,
  MOST_WHOLE,
  type RankedRow,
  type RowWords,
} from './batch-rows.ts';

export type BatchQuestion = ReturnType<typeof describeBatchQuestion>;

/** For numbers that are longer in a part of the rows than in all. */
const REST_BYTES = 80;
/** Of a longer one, what a person reads before saying yes: what is out of the ordinary, then the largest. */
const MOST_ROWS = 25;
/** Of what cannot be summed up, tried: more have no room, however short. */
const MOST_OPAQUE = 200;
/** A row is whole up to here, where there are others. */
const MOST_ROW_BYTES = 600;

/**
 * At most `maxTokens` long (never more than 2,000). What does not fit is counted, with its range, and the first line
 * says so in capitals. No text from outside can make a line of its own.
 */
export function describeBatchQuestion(parts: BatchQuestionParts, maxTokens = MOST_TOKENS) {
  const { rows, remarks = [] } = parts;
  const bytes = Math.min(maxTokens, MOST_TOKENS) * 3 - NOTICE_BYTES;
  const words = describeRows(parts);
  const name = `${parts.head}${words.places === '' ? '' : `, ${words.places}`}`;
  const head = `${name}${words.isCompared ? ', now -> then:' : ':'}`;
  const allWarnings = words.warnings.map(indent);
  const allUndo = [...words.notKnown, ...words.cannotUndo];
  const shared = fitLines(words.shared, bytes / 4);
  const around = (sent: readonly string[], warnings: readonly string[], undo: readonly string[]) => [
    ...(sent.length === 0 ? [] : ['Sent with each of them:', ...sent]),
    ...(warnings.length === 0 ? [] : ['Probably wrong, though it can be sent:', ...warnings]),
    ...undo,
    ...remarks,
    ...sellerLines(parts, words.calls, bytes),
  ];
  const end = around(
    shared.lines,
    takeLines(allWarnings, bytes / 12, more),
    takeLines(allUndo, bytes / 12, more),
  );
  // What no range covers is summed up only where there is no room for it.
  const most =
    rows.length <= MOST_WHOLE
      ? rows.length
      : Math.max(MOST_ROWS, Math.min(MOST_OPAQUE, words.order.filter(isOpaque).length));
  const first = words.order.slice(0, most).flatMap(({ at }) => rows.at(at) ?? []);
  const described = first.map(words.wordsOf);
  const room = bytes - sizeOf([head, ...end]) - byteLength(restWords(words.order)) - REST_BYTES;
  const fitted = fitRows(described, room, rows.length <= MOST_WHOLE);
  const left = words.order.slice(fitted.lines.length);
  const restAfter = (shown: number) =>
    shown < rows.length ? restWords(words.order.slice(shown)) : undefined;
  const rest = restAfter(fitted.lines.length);
  const closing =
    rest !== undefined ? [`  ... ${rest}.`] : words.isWhole && fitted.cut === 0 ? [NOTHING_ELSE] : [];
  // What each of them sends is whole only where what they share is.
  const notShown = shared.notShown > 0 ? rows.length : left.length + fitted.cut;
  const notice = `SUMMED UP OR CUT HERE: ${count(notShown)} OF ${count(rows.length)}`;
  return {
    /** Rows that are summed up, or not shown whole. */
    notShown,
    /** Rows without room that no range covers: such a list is not asked about. */
    unsummed: left.filter((row) => row.isListing && isOpaque(row)).length,
    /** On those that stand in no line, or not among the first so many: `and 470 more, between -5 % and +3 %`. */
    rest: (shown = fitted.lines.length) => restAfter(shown),
    /** For another look at the same rows. */
    order: words.order,
    /** `25 listings, Germany`, and all that stands below the rows, for who sees every one of them. */
    head: name,
    around: around(
      words.shared.map(({ text }) => indent(text)),
      allWarnings,
      allUndo,
    ),
    /** `Germany`; empty where each is told with its own. */
    places: words.places,
    /** Parameters by which it is told for whom they are. */
    calls: words.calls,
    warnings: words.warnings,
    cannotUndo: words.cannotUndo,
    /** What stands in the table, in its order. */
    shown: described.slice(0, fitted.lines.length),
    text: withNotice([head, ...fitted.lines, ...closing, ...end], notShown === 0 ? undefined : notice),
  };
}

const indent = (line: string) => `  ${line}`;
const more = (missing: number) => indent(moreLines(missing));

/** `LMP-1 "Table lamp": price: 19.99 EUR -> 17.99 EUR (down by 45 %)`. */
function rowLine({ name, unusual }: RowWords, change: string): string {
  const odd = unusual.length === 0 ? '' : ` (${unusual.join('; ')})`;
  return `${name}: ${change}${odd}`;
}

/**
 * Returns the rows in their order, as many as there is room for; a long row is cut where others follow.
 * @param areAll no other rows follow: each of them gets its share of the room, so that none is left out
 */
function fitRows(
  rows: readonly RowWords[],
  bytes: number,
  areAll: boolean,
): { lines: string[]; cut: number } {
  const whole = rows.map((row) => indent(rowLine(row, row.change.text)));
  const sizes = whole.map((line) => byteLength(line) + 1);
  const share = areAll ? roomForEach(sizes, bytes) : bytes;
  const most = rows.length === 1 ? share : Math.min(share, MOST_ROW_BYTES);
  const lines: string[] = [];
  let [left, cut] = [bytes, 0];
  for (const [at, row] of rows.entries()) {
    const isWhole = (sizes[at] ?? 0) <= Math.min(left, most);
    const line = isWhole ? (whole[at] ?? '') : cutLine(row, Math.min(most, Math.max(left, MIN_ROW_BYTES)));
    left -= byteLength(line) + 1;
    if (left < 0) break;
    if (!isWhole) cut += 1;
    lines.push(line);
  }
  return { lines, cut };
}

/** A change that is cut to fewer bytes tells the reader nothing. */
const MIN_CHANGE_BYTES = 100;
const MIN_ROW_BYTES = 180;

function cutLine(row: RowWords, bytes: number): string {
  const amounts = amountsIn(row);
  const left = bytes - byteLength(indent(rowLine(row, amounts))) - 1;
  const change = Math.min(MOST_ROW_BYTES, Math.max(MIN_CHANGE_BYTES, left));
  return indent(rowLine(row, shortenToTokens(row.change.short, change / 3) + amounts));
}

/** Every amount in a row that is cut. */
function amountsIn({ amounts }: RowWords): string {
  if (amounts === undefined) return '';
  const range = amounts.shares === undefined ? '' : `; in all of it ${rangeWords([amounts.shares])}`;
  return range + freshWords([amounts]) + dateWords([amounts]);
}

/** `and 470 more, between -5 % and +3 %`: every amount in them lies in what is told. */
function restWords(rows: readonly RankedRow[]): string {
  const known = rows.flatMap(({ amounts }) => amounts?.shares ?? []);
  const all = count(rows.length);
  const amounts = rows.flatMap(({ amounts }) => amounts ?? []);
  const more = `${freshWords(amounts)}${dateWords(amounts)}${otherWords(rows)}${oddWords(rows)}`;
  if (known.length === 0) return `and ${all} more that are not listed here${more}`;
  if (known.length === rows.length) return `and ${all} more, ${rangeWords(known)}${more}`;
  return `and ${all} more that are not listed here, ${count(known.length)} of them ${rangeWords(known)}${more}`;
}

interface Range {
  least: number;
  most: number;
}

// Not by spreading: there can be thousands.
const joined = (ranges: readonly Range[]): Range =>
  ranges.reduce((one, other) => ({
    least: Math.min(one.least, other.least),
    most: Math.max(one.most, other.most),
  }));

/** What the arithmetic adds is no reason to tell a wider range. */
const NOISE = 1e-6;

/** Rounded outwards. */
function rangeWords(shares: readonly Range[]): string {
  const { least, most } = joined(shares);
  const [from, to] = [
    percent(Math.floor(least * 1_000 + NOISE) / 1_000),
    percent(Math.ceil(most * 1_000 - NOISE) / 1_000),
  ];
  return from === to ? `by ${from}` : `between ${from} and ${to}`;
}

/** Kinds that are told one by one. */
const MOST_KINDS = 4;

/** `; set where there was none: price in EUR between 5 and 9`. */
function freshWords(amounts: readonly RowAmounts[]): string {
  const kinds = new Map<string, Range>();
  for (const { what, value } of amounts.flatMap(({ fresh }) => fresh)) {
    const known = kinds.get(what);
    const one = { least: value, most: value };
    kinds.set(what, known === undefined ? one : joined([known, one]));
  }
  if (kinds.size === 0) return '';
  const told = [...kinds].slice(0, MOST_KINDS);
  const others = [...kinds.values()].slice(MOST_KINDS);
  const all = others.length === 0 ? told : [...told, ['other numbers', joined(others)] as const];
  const words = all.map(
    ([what, { least, most }]) => `${what} ${least === most ? least : `between ${least} and ${most}`}`,
  );
  return `; set where there was none: ${words.join(', ')}`;
}

/** Renders the span of dates: `; dates between 2026-12-01 and 2026-12-24`. */
function dateWords(amounts: readonly RowAmounts[]): string {
  const dates = amounts.flatMap((one) => one.dates ?? []);
  if (dates.length === 0) return '';
  const { from, to } = dates.reduce(spanOf, {});
  const open = dates.filter(({ hasNoEnd }) => hasNoEnd === true).length;
  const words = [
    ...(from === undefined ? [] : [`from ${from}`]),
    ...(to === undefined ? [] : [`until ${to}`]),
    ...(open === 0 ? [] : [`${count(open)} without an end`]),
  ];
  return `; with dates ${words.join(' ')}`;
}

/** `; beside amounts: 12 title`. */
function otherWords(rows: readonly RankedRow[]): string {
  const words = kindWords(countKinds(rows, ({ amounts }) => amounts?.others ?? []));
  return words === '' ? '' : `; beside amounts: ${words}`;
}

/** `, 375 of them out of the ordinary: 300 down, 80 below the minimum price`. */
function oddWords(rows: readonly RankedRow[]): string {
  const odd = rows.filter(({ unusual }) => unusual.length > 0);
  if (odd.length === 0) return '';
  const words = kindWords(countKinds(odd, ({ unusual }) => unusual.map(kindOf)));
  return `, ${count(odd.length)} of them out of the ordinary: ${words}`;
}

function kindWords(kinds: ReadonlyMap<string, number>): string {
  const told = [...kinds].toSorted(([, one], [, other]) => other - one).slice(0, MOST_KINDS);
  const words = told.map(([kind, number]) => `${count(number)} ${kind}`);
  return `${words.join(', ')}${kinds.size > told.length ? ', and others' : ''}`;
}

/** `-5 %`, `+3 %`. */
export function percent(share: number): string {
  const rounded = Math.round(share * 1_000) / 10;
  return `${rounded > 0 ? '+' : ''}${rounded === 0 ? 0 : rounded} %`;
}
