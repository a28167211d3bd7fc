/** The lines below an answer: what was left out and how to fetch it, and which paths led nowhere. */

import { byteLength } from '../json.ts';
import { delimit } from '../text/escape-text.ts';
import type { Aside } from './aside.ts';
import type { Omission } from './budget.ts';
import { nameWords } from './render-inline.ts';
import type { UnknownPath } from './unknown-path.ts';

/** A path without anything but names, numbers and our own signs; others are delimited like any service text. */
const PLAIN_PATH = /^[\w$.#~*@:/-]{1,256}$/;

function pathWords(path: string): string {
  return PLAIN_PATH.test(path) ? path : delimit(path, 300);
}

export function omittedLines(omitted: readonly Omission[]): string[] {
  if (omitted.length === 0) return [];
  return ['Left out to stay within the budget; fetch with `select`:', ...omitted.map(omittedLine)];
}

function omittedLine({ select, what, bytes }: Omission): string {
  return `- ${select.map(pathWords).join(', ')} (${what}; ${bytes} bytes)`;
}

export function asideLines(aside: readonly Aside[]): string[] {
  return aside.flatMap((each) => {
    const names = each.names.map(nameWords).join(', ');
    return [`Only on request, with \`select\`:`, `${omittedLine(each)}${names === '' ? '' : `: ${names}`}`];
  });
}

export function unknownLines(unknown: readonly UnknownPath[]): string[] {
  return unknown.map(({ path, at, valid, more, nearest }) => {
    const near = nearest === undefined ? '' : `; did you mean ${pathWords(nearest)}?`;
    const where = at === '' ? 'at the top' : `in ${pathWords(at)}`;
    const names = [...valid.map(pathWords), ...(more === undefined ? [] : [`${more} more`])].join(', ');
    return `Nothing at ${pathWords(path)}${near}${names === '' ? '' : ` (${where}: ${names})`}`;
  });
}

const CUT = '(text cut here; the structured content goes on)';

/** The first lines of a text that fit, and a line that says so. */
export function cutText(text: string, maxTokens: number): string {
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
