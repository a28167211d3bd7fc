/** What a person reads before a list of writes: a table of what changes, the rest summed up, what is probably wrong, for whom. */

import type { PreparedRequest } from '../../client/client.ts';
import { byteLength } from '../../json.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { shortenToTokens, takeLines } from '../../text/shorten.ts';
import { fitLines } from '../fit-lines.ts';
import { detailsLine, sellerLines } from '../whose.ts';
import type { Show } from '../words/value.ts';
import { describeRows, kindOf, type ManyRow, MOST_WHOLE, type RowWords } from './rows.ts';

export interface ManyPreviewParts {
  /** `25 listings`, `4 stores`. */
  head: string;
  operation: Operation;
  account: string;
  /** Of one of them: the others go to the same seller. */
  request: Pick<PreparedRequest, 'method' | 'filledIn' | 'owner'>;
  rows: readonly ManyRow[];
  /** Sentences of ours. */
  remarks?: readonly string[];
  /** For who makes the call: with operation and address. */
  isForCaller?: boolean;
}

export interface ManyPreview {
  /** Rows that are summed up, or not shown whole. */
  notShown: number;
  /** `Germany`; empty where each is told with its own. */
  places: string;
  /** What stands in the table, in its order. */
  shown: readonly RowWords[];
  /** On those that stand in no line: `and 470 more, between -5 % and +3 %`. */
  rest: string | undefined;
  warnings: readonly string[];
  cannotUndo: readonly string[];
  /** @param where all of them can be seen */
  text(where?: string): string;
}

/** As long as a person reads before saying yes. */
const MOST_TOKENS = 2_000;
const NOTICE_BYTES = 250;
const REST_BYTES = 360;
/** Of a longer one, what a person reads before saying yes: what is out of the ordinary, then the largest. */
const MOST_ROWS = 25;
/** A row is whole up to here, where there are others. */
const MOST_ROW_BYTES = 600;

/**
 * At most `maxTokens` long (never more than 2,000). What does not fit is counted, with its range, and the first line
 * says so in capitals. No text from outside can make a line of its own.
 */
export function describeMany(parts: ManyPreviewParts, show: Show, maxTokens = MOST_TOKENS): ManyPreview {
  const { rows, remarks = [] } = parts;
  const bytes = Math.min(maxTokens, MOST_TOKENS) * 3 - NOTICE_BYTES;
  const words = describeRows(parts, show);
  const isCompared = rows.some(({ change }) => change.differences !== undefined);
  const head = `${parts.head}${words.places === '' ? '' : `, ${words.places}`}${isCompared ? ', now -> then:' : ':'}`;
  const warnings = takeLines(words.warnings.map(indent), bytes / 12, more);
  const shared = fitLines(words.shared, bytes / 4);
  const undo = takeLines([...words.notKnown, ...words.cannotUndo], bytes / 12, more);
  const end = [
    ...(shared.lines.length === 0 ? [] : ['Sent with each of them:', ...shared.lines]),
    ...(warnings.length === 0 ? [] : ['Probably wrong, though it can be sent:', ...warnings]),
    ...[...undo, ...remarks],
    ...sellerLines(parts, bytes),
    ...(parts.isForCaller ? [detailsLine({ ...parts, parameters: rows[0]?.parameters ?? {} }, bytes)] : []),
  ];
  const most = rows.length <= MOST_WHOLE ? rows.length : MOST_ROWS;
  const described = words.order.slice(0, most).map(words.wordsOf);
  const fitted = fitRows(described, bytes - sizeOf([head, ...end]) - REST_BYTES);
  const left = words.order.slice(fitted.lines.length);
  const rest = left.length === 0 ? undefined : restWords(left);
  const closing =
    rest !== undefined ? [`  ... ${rest}.`] : words.isWhole && fitted.cut === 0 ? [NOTHING_ELSE] : [];
  // What each of them sends is whole only where what they share is.
  const notShown = shared.notShown > 0 ? rows.length : left.length + fitted.cut;
  return {
    ...{
      notShown,
      rest,
      places: words.places,
      warnings: words.warnings,
      cannotUndo: words.cannotUndo,
      shown: described.slice(0, fitted.lines.length),
    },
    text: (where = 'this call with dryRun: true') =>
      [
        ...(notShown === 0
          ? []
          : [
              `SUMMED UP OR CUT HERE: ${count(notShown)} OF ${count(rows.length)}. SEE ALL OF THEM BEFORE YOU AGREE: ${where}`,
            ]),
        ...[head, ...fitted.lines, ...closing, ...end],
      ].join('\n'),
  };
}

const NOTHING_ELSE = 'Nothing else changes.';
const indent = (line: string) => `  ${line}`;
const more = (missing: number) => `  ... and ${missing} more lines that are not listed here`;
const count = (number: number) => number.toLocaleString('en-US');

const sizeOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + byteLength(line) + 1, 0);

/** `LMP-1 "Table lamp": price: 19.99 EUR -> 17.99 EUR (down by 45 %)`. */
export function rowLine({ name, unusual }: RowWords, change: string): string {
  const odd = unusual.length === 0 ? '' : ` (${unusual.join('; ')})`;
  return `${name}: ${change}${odd}`;
}

/** In their order, as many as there is room for; one that is long is cut where others follow. */
function fitRows(rows: readonly RowWords[], bytes: number): { lines: string[]; cut: number } {
  const lines: string[] = [];
  let [left, cut] = [bytes, 0];
  for (const row of rows) {
    const whole = indent(rowLine(row, row.change.text));
    const most = rows.length === 1 ? left : Math.min(left, MOST_ROW_BYTES);
    const line =
      byteLength(whole) < most
        ? whole
        : indent(rowLine(row, shortenToTokens(row.change.short, Math.max(60, MOST_ROW_BYTES / 3))));
    left -= byteLength(line) + 1;
    if (left < 0) break;
    if (line !== whole) cut += 1;
    lines.push(line);
  }
  return { lines, cut };
}

/** `and 470 more, between -5 % and +3 %`. */
function restWords(rows: readonly ManyRow[]): string {
  const known = rows.flatMap(({ relative }) => (relative === undefined ? [] : [relative]));
  const all = count(rows.length);
  const odd = oddWords(rows);
  if (known.length === 0) return `and ${all} more that are not listed here${odd}`;
  if (known.length === rows.length) return `and ${all} more, ${rangeWords(known)}${odd}`;
  return `and ${all} more that are not listed here, ${count(known.length)} of them ${rangeWords(known)}${odd}`;
}

function rangeWords(shares: readonly number[]): string {
  // Not by spreading: there can be thousands.
  const [least, most] = [percent(shares.reduce(smaller)), percent(shares.reduce(larger))];
  return least === most ? `by ${least}` : `between ${least} and ${most}`;
}

/** Kinds of what is out of the ordinary that are counted one by one. */
const MOST_KINDS = 4;

/** `, 375 of them out of the ordinary: 300 down, 80 below the minimum price`. */
function oddWords(rows: readonly ManyRow[]): string {
  const odd = rows.filter(({ unusual = [] }) => unusual.length > 0);
  if (odd.length === 0) return '';
  const kinds = new Map<string, number>();
  for (const { unusual = [] } of odd) {
    for (const kind of new Set(unusual.map(kindOf))) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const told = [...kinds].toSorted(([, one], [, other]) => other - one).slice(0, MOST_KINDS);
  const words = told.map(([kind, number]) => `${count(number)} ${kind}`);
  const more = kinds.size > told.length ? ', and others' : '';
  return `, ${count(odd.length)} of them out of the ordinary: ${words.join(', ')}${more}`;
}

const smaller = (one: number, other: number) => Math.min(one, other);
const larger = (one: number, other: number) => Math.max(one, other);

/** `-5 %`, `+3 %`. */
export function percent(share: number): string {
  const rounded = Math.round(share * 1_000) / 10;
  return `${rounded > 0 ? '+' : ''}${rounded === 0 ? 0 : rounded} %`;
}
