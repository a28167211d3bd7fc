/** Makes one answer of the service usable: selected, safe to show, and within the budget in both its forms. */

import { byteLength } from '../json.ts';
import { DATA_NOTE, escapeJson } from '../text/escape-text.ts';
import { tokensOf } from '../text/shorten.ts';
import { type Aside, setAside } from './aside.ts';
import { fitToBudget, type Omission } from './budget.ts';
import { asideLines, cutText, omittedLines, unknownLines } from './notes.ts';
import type { Part } from './part.ts';
import { renderValue } from './render.ts';
import { selectMembers } from './select.ts';
import type { UnknownPath } from './unknown-path.ts';

export interface AnswerOptions {
  /** Paths to select (syntax: path.ts); empty or left out for everything. */
  select?: readonly string[];
  /** Budget of each form, in tokens; what the tool adds itself has to be taken off first. */
  maxTokens: number;
  /** Members left aside while nothing is selected: `payload.attributes`. */
  aside?: readonly string[];
  /** Writes the fitted value as text, within so many tokens if it can; generic lines where left out. */
  describe?: (value: unknown, maxTokens: number) => string;
}

export interface Answer {
  value: unknown;
  /** Left out for want of room. */
  omitted: Omission[];
  /** Left out because it is large and was not asked for. */
  aside: Aside[];
  /** Paths of `select` that lead nowhere. */
  unknown: UnknownPath[];
  text: string;
}

/** Smallest budget that a first try is lowered to. */
const SMALLEST = 200;

/**
 * Builds the structured and the text form from the same fitted value. `{ value, omitted, aside, unknown }` as
 * JSON takes at most `maxTokens`, and so does `text`. Hidden characters are spelled out in both.
 */
export function buildAnswer(whole: unknown, options: AnswerOptions): Answer {
  const safe = escapeJson(whole);
  const { maxTokens, select = [] } = options;
  const { part, aside, unknown } = choose(safe, select, options.aside ?? []);
  const notes = { aside: withNames(aside, maxTokens / 4), unknown: within(unknown, maxTokens / 4) };
  let room = maxTokens - tokensOf(JSON.stringify(notes)) - 1;
  for (let tries = 0; ; tries += 1) {
    const fitted = fitToBudget(undefined, room, part);
    const text = writeText({ ...fitted, ...notes }, options);
    const size = tokensOf(text);
    if (size <= maxTokens) return { ...fitted, ...notes, text };
    if (tries >= 5 || room <= SMALLEST) return { ...fitted, ...notes, text: cutText(text, maxTokens) };
    room = Math.max(SMALLEST, Math.floor(((room * maxTokens) / size) * 0.95));
  }
}

function choose(
  value: unknown,
  select: readonly string[],
  aside: readonly string[],
): { part: Part; aside: Aside[]; unknown: UnknownPath[] } {
  if (select.length === 0) return { ...setAside(value, aside), unknown: [] };
  const { part, unknown } = selectMembers(value, select);
  return { part, aside: [], unknown };
}

/** The names go where they would take more than so many tokens. */
function withNames(aside: readonly Aside[], maxTokens: number): Aside[] {
  const fits = tokensOf(JSON.stringify(aside)) <= maxTokens;
  return aside.map((each) => (fits ? each : { ...each, names: [] }));
}

/** As many as fit into so many tokens. */
function within<T>(values: readonly T[], maxTokens: number): T[] {
  let used = 0;
  return values.filter((value) => {
    used += byteLength(JSON.stringify(value)) + 1;
    return used <= maxTokens * 3;
  });
}

function writeText(answer: Omit<Answer, 'text'>, { maxTokens, describe }: AnswerOptions): string {
  const after = [
    ...asideLines(answer.aside),
    ...omittedLines(answer.omitted),
    ...unknownLines(answer.unknown),
  ].join('\n');
  const room = maxTokens - tokensOf(after) - tokensOf(DATA_NOTE) - 1;
  const body = describe?.(answer.value, room) ?? renderValue(answer.value).join('\n');
  const text = after === '' ? body : `${body}\n${after}`;
  return text.includes('«') ? `${DATA_NOTE}\n${text}` : text;
}
