/**
 * Writes the question about a batch: a table of changes, a summary of the rest, probable mistakes, and the
 * account.
 */

import { byteLength } from '../../../base/json.ts';
import { count } from '../../../base/text/format-value.ts';
import { shortenToTokens, takeLines } from '../../../base/text/shorten.ts';
import { NOTHING_ELSE } from '../../model/format/change-lines.ts';
import { fitLines, moreLines, roomForEach } from '../../model/format/fit-lines.ts';
import { sellerLines } from '../../model/format/seller-lines.ts';
import { type RowAmounts, spanOf } from '../../model/listing/changed-amounts.ts';
import { MAX_QUESTION_TOKENS, NOTICE_BYTES, sizeOf, withNotice } from '../write-question.ts';
import {
  type BatchQuestionParts,
  countKinds,
  type DescribedRow,
  describeRows,
  isOpaque,
  kindOfUnusual,
  MAX_WHOLE_ROWS,
  type RankedRow,
} from './batch-rows.ts';

export type BatchQuestion = ReturnType<typeof describeBatchQuestion>;

/** The bytes reserved for numbers that are longer in a part of the rows than in all. */
const REST_BYTES = 80;
/** The max number of rows in a long batch: unusual ones first, then the largest. */
const MAX_ROWS = 25;
/** The max number of rows without a range that are tried; more have no room, however short. */
const MAX_OPAQUE = 200;
/** The max bytes of an uncut row beside others. */
const MAX_ROW_BYTES = 600;

/**
 * Describes a batch in at most `maxTokens` (never more than 2,000). Rows that do not fit are counted with
 * their range, and the first line says so in capitals. No text from outside can make a line of its own.
 */
export function describeBatchQuestion(parts: BatchQuestionParts, maxTokens = MAX_QUESTION_TOKENS) {
  const { rows, remarks = [] } = parts;
  const bytes = Math.min(maxTokens, MAX_QUESTION_TOKENS) * 3 - NOTICE_BYTES;
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
  // Rows that no range covers are summarized only where there is no room for them.
  const max =
    rows.length <= MAX_WHOLE_ROWS
      ? rows.length
      : Math.max(MAX_ROWS, Math.min(MAX_OPAQUE, words.order.filter(isOpaque).length));
  const first = words.order.slice(0, max).flatMap(({ at }) => rows.at(at) ?? []);
  const described = first.map(words.wordsOf);
  const room = bytes - sizeOf([head, ...end]) - byteLength(formatRest(words.order)) - REST_BYTES;
  const fitted = fitRows(described, room, rows.length <= MAX_WHOLE_ROWS);
  const left = words.order.slice(fitted.lines.length);
  const restAfter = (shown: number) =>
    shown < rows.length ? formatRest(words.order.slice(shown)) : undefined;
  const rest = restAfter(fitted.lines.length);
  const closing =
    rest !== undefined ? [`  ... ${rest}.`] : words.isWhole && fitted.cut === 0 ? [NOTHING_ELSE] : [];
  // Rows are complete only if the lines that they share are complete.
  const notShown = shared.notShown > 0 ? rows.length : left.length + fitted.cut;
  const notice = `SUMMED UP OR CUT HERE: ${count(notShown)} OF ${count(rows.length)}`;
  return {
    /** The number of rows that are summarized or cut. */
    notShown,
    /** The number of rows that have no room and no range; such a batch is refused. */
    unsummed: left.filter((row) => row.isListing && isOpaque(row)).length,
    /**
     * Summarizes the rows that are not shown, or follow the first `shown`: `and 470 more, between -5 % and +3
     * %`.
     */
    rest: (shown = fitted.lines.length) => restAfter(shown),
    /** The order, to describe the same rows again. */
    order: words.order,
    /**
     * The heading, such as `25 listings, Germany`, and all lines below the rows, for a page that shows every
     * row.
     */
    head: name,
    around: around(
      words.shared.map(({ text }) => indent(text)),
      allWarnings,
      allUndo,
    ),
    /** The marketplaces, such as `Germany`; empty if each row names its own. */
    places: words.places,
    /** The parameters that show which sellers the rows are for. */
    calls: words.calls,
    warnings: words.warnings,
    cannotUndo: words.cannotUndo,
    /** The rows in the table, in its order. */
    shown: described.slice(0, fitted.lines.length),
    text: withNotice([head, ...fitted.lines, ...closing, ...end], notShown === 0 ? undefined : notice),
  };
}

const indent = (line: string) => `  ${line}`;
const more = (missing: number) => indent(moreLines(missing));

/** Formats a row: `LMP-1 "Table lamp": price: 19.99 EUR -> 17.99 EUR (down by 45 %)`. */
function rowLine({ name, unusual }: DescribedRow, change: string): string {
  const odd = unusual.length === 0 ? '' : ` (${unusual.join('; ')})`;
  return `${name}: ${change}${odd}`;
}

/**
 * Returns the rows in their order, as many as there is room for; a long row is cut where others follow.
 * @param areAll no other rows follow: each of them gets its share of the room, so that none is left out
 */
function fitRows(
  rows: readonly DescribedRow[],
  bytes: number,
  areAll: boolean,
): { lines: string[]; cut: number } {
  const whole = rows.map((row) => indent(rowLine(row, row.change.text)));
  const sizes = whole.map((line) => byteLength(line) + 1);
  const share = areAll ? roomForEach(sizes, bytes) : bytes;
  const max = rows.length === 1 ? share : Math.min(share, MAX_ROW_BYTES);
  const lines: string[] = [];
  let [left, cut] = [bytes, 0];
  for (const [at, row] of rows.entries()) {
    const isWhole = (sizes[at] ?? 0) <= Math.min(left, max);
    const line = isWhole ? (whole[at] ?? '') : cutLine(row, Math.min(max, Math.max(left, MIN_ROW_BYTES)));
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

function cutLine(row: DescribedRow, bytes: number): string {
  const amounts = amountsIn(row);
  const left = bytes - byteLength(indent(rowLine(row, amounts))) - 1;
  const change = Math.min(MAX_ROW_BYTES, Math.max(MIN_CHANGE_BYTES, left));
  return indent(rowLine(row, shortenToTokens(row.change.short, change / 3) + amounts));
}

/** Lists every amount in a row that is cut. */
function amountsIn({ amounts }: DescribedRow): string {
  if (amounts === undefined) return '';
  const range = amounts.shares === undefined ? '' : `; in all of it ${formatRange([amounts.shares])}`;
  return range + formatFresh([amounts]) + formatDates([amounts]);
}

/** Summarizes the rest: `and 470 more, between -5 % and +3 %`. The ranges cover every amount in it. */
function formatRest(rows: readonly RankedRow[]): string {
  const known = rows.flatMap(({ amounts }) => amounts?.shares ?? []);
  const all = count(rows.length);
  const amounts = rows.flatMap(({ amounts }) => amounts ?? []);
  const more = `${formatFresh(amounts)}${formatDates(amounts)}${formatOthers(rows)}${formatOdd(rows)}`;
  if (known.length === 0) return `and ${all} more that are not listed here${more}`;
  if (known.length === rows.length) return `and ${all} more, ${formatRange(known)}${more}`;
  return `and ${all} more that are not listed here, ${count(known.length)} of them ${formatRange(known)}${more}`;
}

interface AmountRange {
  least: number;
  most: number;
}

// Spreading would fail, because there can be thousands of ranges.
const joined = (ranges: readonly AmountRange[]): AmountRange =>
  ranges.reduce((one, other) => ({
    least: Math.min(one.least, other.least),
    most: Math.max(one.most, other.most),
  }));

/** The tolerance keeps arithmetic noise from widening a range. */
const NOISE = 1e-6;

/** Formats the range, rounded outwards. */
function formatRange(shares: readonly AmountRange[]): string {
  const { least, most } = joined(shares);
  const [from, to] = [
    formatShare(Math.floor(least * 1_000 + NOISE) / 1_000),
    formatShare(Math.ceil(most * 1_000 - NOISE) / 1_000),
  ];
  return from === to ? `by ${from}` : `between ${from} and ${to}`;
}

/** The max number of kinds that are listed. */
const MAX_KINDS = 4;

/** Formats new amounts: `; set where there was none: price in EUR between 5 and 9`. */
function formatFresh(amounts: readonly RowAmounts[]): string {
  const kinds = new Map<string, AmountRange>();
  for (const { what, value } of amounts.flatMap(({ fresh }) => fresh)) {
    const known = kinds.get(what);
    const one = { least: value, most: value };
    kinds.set(what, known === undefined ? one : joined([known, one]));
  }
  if (kinds.size === 0) return '';
  const listed = [...kinds].slice(0, MAX_KINDS);
  const others = [...kinds.values()].slice(MAX_KINDS);
  const all = others.length === 0 ? listed : [...listed, ['other numbers', joined(others)] as const];
  const words = all.map(
    ([what, { least, most }]) => `${what} ${least === most ? least : `between ${least} and ${most}`}`,
  );
  return `; set where there was none: ${words.join(', ')}`;
}

/** Renders the span of dates: `; dates between 2026-12-01 and 2026-12-24`. */
function formatDates(amounts: readonly RowAmounts[]): string {
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

/** Counts changes other than amounts: `; beside amounts: 12 title`. */
function formatOthers(rows: readonly RankedRow[]): string {
  const words = formatKinds(countKinds(rows, ({ amounts }) => amounts?.others ?? []));
  return words === '' ? '' : `; beside amounts: ${words}`;
}

/** Counts unusual changes: `, 375 of them out of the ordinary: 300 down, 80 below the minimum price`. */
function formatOdd(rows: readonly RankedRow[]): string {
  const odd = rows.filter(({ unusual }) => unusual.length > 0);
  if (odd.length === 0) return '';
  const words = formatKinds(countKinds(odd, ({ unusual }) => unusual.map(kindOfUnusual)));
  return `, ${count(odd.length)} of them out of the ordinary: ${words}`;
}

function formatKinds(kinds: ReadonlyMap<string, number>): string {
  const listed = [...kinds].toSorted(([, one], [, other]) => other - one).slice(0, MAX_KINDS);
  const words = listed.map(([kind, number]) => `${count(number)} ${kind}`);
  return `${words.join(', ')}${kinds.size > listed.length ? ', and others' : ''}`;
}

/** Formats a share: `-5 %`, `+3 %`. */
export function formatShare(share: number): string {
  const rounded = Math.round(share * 1_000) / 10;
  return `${rounded > 0 ? '+' : ''}${rounded === 0 ? 0 : rounded} %`;
}
