/**
 * Builds the value of an answer in both forms: selected, safe to show, and within the budget. The rest is in
 * ../service-answer.ts.
 */

import { yieldToEventLoop } from '../../base/event-loop.ts';
import { byteLength } from '../../base/json.ts';
import { DATA_NOTE, escapeJson } from '../../base/text/escape-text.ts';
import { takeValues, tokensOf } from '../../base/text/shorten.ts';
import { fitToBudget } from './fit-to-budget.ts';
import { notShownLines } from './not-shown.ts';
import type { Omission } from './omission.ts';
import { renderValue, sharedLines } from './render.ts';
import { extractSharedMembers, type SharedMembers } from './same-in-all.ts';
import { type Aside, setAside } from './select/aside.ts';
import { createMeasure, type Measure, type ValuePart } from './select/part.ts';
import { joinPath, nameSegment } from './select/path.ts';
import { selectMembers } from './select/select.ts';
import type { UnknownPath } from './select/unknown-path.ts';
import { columnsOfSelect } from './selected-columns.ts';

export interface ValueOptions {
  /** The paths to select (syntax: select/path.ts); empty or absent for everything. */
  select?: readonly string[];
  /** The whole as JSON, if it has been written already. */
  json?: string;
  /** The budget of each form in tokens; the caller subtracts its own additions first. */
  maxTokens: number;
  /** Members set aside if nothing is selected: `payload.attributes`. */
  aside?: readonly string[];
  /** True to state members that all elements of a list share once, apart from the value. */
  takeOutShared?: boolean;
  /** Renders the fitted value, within so many tokens if it can; if absent, generic lines are used. */
  describe?: (value: unknown, maxTokens: number) => string;
}

export interface FittedValue {
  value: unknown;
  /** Members that were taken out of list elements in the value, because all elements share them. */
  shared?: SharedMembers[];
  /** Parts omitted for lack of room. */
  omitted: Omission[];
  /** Parts omitted because they are large and were not selected. */
  aside: Aside[];
  /** Paths of `select` that do not exist. */
  unknown: UnknownPath[];
  /** Lists of which some elements were selected, by path: `10 of 50`. */
  counts?: Readonly<Record<string, string>>;
  text: string;
}

/** The lowest budget in tokens of a further try. */
const MIN_TOKENS = 200;

/**
 * Builds the structured and the text form from the same fitted value. `{ value, omitted, aside, unknown }` as
 * JSON takes at most `maxTokens`, and so does `text`. Hidden characters are spelled out in both.
 */
export function fitValue(whole: unknown, options: ValueOptions): FittedValue {
  const steps = fitInSteps(whole, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Does the same for a large value, and yields to the event loop between steps. */
export async function fitLargeValue(whole: unknown, options: ValueOptions): Promise<FittedValue> {
  const steps = fitInSteps(whole, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await yieldToEventLoop();
  }
}

/** The tokens of an answer's notes if nothing is set aside. */
const ALL_SHOWN = tokensOf(JSON.stringify({ aside: [], unknown: [] }));

/** The share of the budget above which no further try adds elements. */
const FULL_SHARE = 0.85;

/** Each step is at most one pass over the value. */
function* fitInSteps(whole: unknown, options: ValueOptions): Generator<undefined, FittedValue, undefined> {
  const safe = escapeJson(whole, options.json);
  yield;
  const { maxTokens } = options;
  const measure = createMeasure();
  const { part, aside, unknown } = selectOrSetAside(safe, options, measure);
  yield;
  // The measure caches its results, so this is the only pass over the value.
  measure(part);
  yield;
  const counts = countSelected(part, maxTokens / 8);
  const notes = {
    aside: withNames(aside, maxTokens / 4),
    unknown: takeValues(unknown, maxTokens / 4),
    counts,
  };
  const isAll = notes.aside.length === 0 && notes.unknown.length === 0 && counts === undefined;
  let room = maxTokens - (isAll ? ALL_SHOWN : tokensOf(JSON.stringify(notes))) - 1;
  let fitting: FittedValue | undefined;
  for (let tries = 0; ; tries += 1) {
    const { value, omitted } = fitToBudget(part, room, measure);
    yield;
    const once = withoutShared(value, options, notes.unknown);
    const answer = { ...once, omitted, aside: notes.aside, unknown: notes.unknown, counts };
    const text = writeText(answer, options);
    // The fitted value got shorter if members were taken out.
    const json = answer.shared === undefined ? 0 : tokensOf(JSON.stringify(answer));
    const size = Math.max(tokensOf(text), json);
    if (size <= maxTokens) fitting = { text, ...answer };
    const hasRoom = json > 0 && omitted.length > 0 && size < maxTokens * FULL_SHARE;
    if (fitting !== undefined && (size > maxTokens || !hasRoom || tries >= 5)) return fitting;
    if (tries >= 5 || room <= MIN_TOKENS) return { ...answer, text: cutText(text, maxTokens) };
    room = Math.max(MIN_TOKENS, Math.floor(((room * maxTokens) / size) * 0.95));
    yield;
  }
}

function withoutShared(
  value: unknown,
  options: ValueOptions,
  unknown: readonly UnknownPath[],
): Pick<FittedValue, 'value' | 'shared'> {
  if (options.takeOutShared !== true) return { value };
  const once = extractSharedMembers(value, columnsOfSelect(foundPaths(options, unknown)));
  return once.shared.length === 0 ? { value } : once;
}

/** A path that does not exist makes no column. */
const foundPaths = ({ select = [] }: ValueOptions, unknown: readonly UnknownPath[]) =>
  select.filter((path) => unknown.every((each) => each.path !== path));

function selectOrSetAside(
  value: unknown,
  { select = [], aside = [] }: ValueOptions,
  measure: Measure,
): { part: ValuePart; aside: Aside[]; unknown: UnknownPath[] } {
  if (select.length === 0) return { unknown: [], ...setAside(value, aside, measure) };
  const { part, unknown } = selectMembers(value, select);
  return { part, aside: [], unknown };
}

/** The limit of lists that are checked for selected elements; the first ones are checked. */
const MAX_LISTS = 200;

function countSelected(part: ValuePart, maxTokens: number): Readonly<Record<string, string>> | undefined {
  if (part.kind === 'whole') return undefined;
  const all: [string, string][] = [];
  let seen = 0;
  const visit = (inner: ValuePart, path: string) => {
    if (inner.kind === 'whole' || inner.kind === 'text') return;
    seen += 1;
    // A selection of one element by index needs no count.
    if (inner.kind === 'elements' && inner.entries.length > 1 && inner.entries.length < inner.total)
      all.push([path, `${inner.entries.length} of ${inner.total}`]);
    for (const { key, part: each } of inner.entries) {
      if (seen >= MAX_LISTS) return;
      visit(each, joinPath(path, typeof key === 'number' ? `${key}` : nameSegment(key)));
    }
  };
  visit(part, '');
  const fitting = takeValues(all, maxTokens);
  return fitting.length === 0 ? undefined : Object.fromEntries(fitting);
}

/** Drops the names if they would take more than so many tokens. */
function withNames(aside: Aside[], maxTokens: number): Aside[] {
  if (aside.length === 0) return aside;
  const fits = tokensOf(JSON.stringify(aside)) <= maxTokens;
  return aside.map((each) => (fits ? each : { ...each, names: [] }));
}

function writeText(answer: Omit<FittedValue, 'text'>, options: ValueOptions): string {
  const { maxTokens, describe } = options;
  const after = notShownLines(answer).join('\n');
  const room = maxTokens - tokensOf(after) - tokensOf(DATA_NOTE) - 1;
  const rendered = () => [
    ...(answer.shared ?? []).flatMap(sharedLines),
    ...renderValue(answer.value, foundPaths(options, answer.unknown)),
  ];
  const body = describe?.(answer.value, room) ?? rendered().join('\n');
  const text = after === '' ? body : `${body}\n${after}`;
  return text.includes('«') ? `${DATA_NOTE}\n${text}` : text;
}

const CUT = '(text cut here; the structured content goes on)';

/** Returns the first lines of a text that fit, and a line that reports the cut. */
function cutText(text: string, maxTokens: number): string {
  const room = maxTokens * 3 - byteLength(CUT) - 1;
  if (byteLength(text) <= maxTokens * 3) return text;
  const fittingLines: string[] = [];
  let used = 0;
  for (const line of text.split('\n')) {
    used += byteLength(line) + 1;
    if (used > room) break;
    fittingLines.push(line);
  }
  return [...fittingLines, CUT].join('\n');
}
