/** The value of an answer in both forms: selected, safe to show, and within the budget. What stands around it is ../service-answer.ts. */

import { letOthersRun } from '../../base/event-loop.ts';
import { byteLength } from '../../base/json.ts';
import { DATA_NOTE, escapeJson } from '../../base/text/escape-text.ts';
import { takeValues, tokensOf } from '../../base/text/shorten.ts';
import { askedColumns } from './asked-columns.ts';
import { fitToBudget } from './fit-to-budget.ts';
import { notShownLines } from './not-shown.ts';
import type { Omission } from './omission.ts';
import { renderValue, sharedLines } from './render.ts';
import { type SharedMembers, takeOutShared } from './same-in-all.ts';
import { type Aside, setAside } from './select/aside.ts';
import { createMeasure, type Measure, type Part } from './select/part.ts';
import { joinPath, nameSegment } from './select/path.ts';
import { selectMembers } from './select/select.ts';
import type { UnknownPath } from './select/unknown-path.ts';

export interface ValueOptions {
  /** Paths to select (syntax: select/path.ts); empty or left out for everything. */
  select?: readonly string[];
  /** The whole as JSON, where it has been written already. */
  json?: string;
  /** Budget of each form, in tokens; what the tool adds itself has to be taken off first. */
  maxTokens: number;
  /** Members left aside while nothing is selected: `payload.attributes`. */
  aside?: readonly string[];
  /** States members that all elements of a list share once, apart from the value. */
  takeOutShared?: boolean;
  /** Writes the fitted value as text, within so many tokens if it can; generic lines where left out. */
  describe?: (value: unknown, maxTokens: number) => string;
}

export interface FittedValue {
  value: unknown;
  /** Members that were taken out of the elements of lists in the value, because all of them share these. */
  shared?: SharedMembers[];
  /** Left out for want of room. */
  omitted: Omission[];
  /** Left out because it is large and was not asked for. */
  aside: Aside[];
  /** Paths of `select` that lead nowhere. */
  unknown: UnknownPath[];
  /** Lists of which some elements were selected, by path: `10 of 50`. */
  counts?: Readonly<Record<string, string>>;
  text: string;
}

/** Smallest budget that a first try is lowered to. */
const SMALLEST = 200;

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

/** The same of a large value, with a turn for others between two steps. */
export async function fitValueInTurns(whole: unknown, options: ValueOptions): Promise<FittedValue> {
  const steps = fitInSteps(whole, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await letOthersRun();
  }
}

/** What the notes of an answer take that leaves nothing aside. */
const ALL_SHOWN = tokensOf(JSON.stringify({ aside: [], unknown: [] }));

/** Share of the budget from which on an answer is not tried with more elements. */
const FULL = 0.85;

/** Each step is at most one pass over the value. */
function* fitInSteps(whole: unknown, options: ValueOptions): Generator<undefined, FittedValue, undefined> {
  const safe = escapeJson(whole, options.json);
  yield;
  const { maxTokens } = options;
  const measure = createMeasure();
  const { part, aside, unknown } = choose(safe, options, measure);
  yield;
  // It remembers what it measures: this is the one pass over the value.
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
    // The fitted value got shorter where members were taken out.
    const json = answer.shared === undefined ? 0 : tokensOf(JSON.stringify(answer));
    const size = Math.max(tokensOf(text), json);
    if (size <= maxTokens) fitting = { text, ...answer };
    const hasRoom = json > 0 && omitted.length > 0 && size < maxTokens * FULL;
    if (fitting !== undefined && (size > maxTokens || !hasRoom || tries >= 5)) return fitting;
    if (tries >= 5 || room <= SMALLEST) return { ...answer, text: cutText(text, maxTokens) };
    room = Math.max(SMALLEST, Math.floor(((room * maxTokens) / size) * 0.95));
    yield;
  }
}

function withoutShared(
  value: unknown,
  options: ValueOptions,
  unknown: readonly UnknownPath[],
): Pick<FittedValue, 'value' | 'shared'> {
  if (options.takeOutShared !== true) return { value };
  const once = takeOutShared(value, askedColumns(foundPaths(options, unknown)));
  return once.shared.length === 0 ? { value } : once;
}

/** A path that leads nowhere makes no column. */
const foundPaths = ({ select = [] }: ValueOptions, unknown: readonly UnknownPath[]) =>
  select.filter((path) => unknown.every((each) => each.path !== path));

function choose(
  value: unknown,
  { select = [], aside = [] }: ValueOptions,
  measure: Measure,
): { part: Part; aside: Aside[]; unknown: UnknownPath[] } {
  if (select.length === 0) return { unknown: [], ...setAside(value, aside, measure) };
  const { part, unknown } = selectMembers(value, select);
  return { part, aside: [], unknown };
}

/** Lists that are looked at for how much of them was selected; of more, the first. */
const MOST_LISTS = 200;

function countSelected(part: Part, maxTokens: number): Readonly<Record<string, string>> | undefined {
  if (part.kind === 'whole') return undefined;
  const all: [string, string][] = [];
  let seen = 0;
  const visit = (inner: Part, path: string) => {
    if (inner.kind === 'whole' || inner.kind === 'text') return;
    seen += 1;
    // Who names one element by its index knows what comes.
    if (inner.kind === 'elements' && inner.entries.length > 1 && inner.entries.length < inner.total)
      all.push([path, `${inner.entries.length} of ${inner.total}`]);
    for (const { key, part: each } of inner.entries) {
      if (seen >= MOST_LISTS) return;
      visit(each, joinPath(path, typeof key === 'number' ? `${key}` : nameSegment(key)));
    }
  };
  visit(part, '');
  const fitting = takeValues(all, maxTokens);
  return fitting.length === 0 ? undefined : Object.fromEntries(fitting);
}

/** The names go where they would take more than so many tokens. */
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

/** The first lines of a text that fit, and a line that says so. */
function cutText(text: string, maxTokens: number): string {
  const room = maxTokens * 3 - byteLength(CUT) - 1;
  if (byteLength(text) <= maxTokens * 3) return text;
  const kept: string[] = [];
  let used = 0;
  for (const line of text.split('\n')) {
    used += byteLength(line) + 1;
    if (used > room) break;
    kept.push(line);
  }
  return [...kept, CUT].join('\n');
}
