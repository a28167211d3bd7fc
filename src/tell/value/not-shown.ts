/** Says in words what an answer does not show: left out for want of room, set aside, or asked for in vain. */

import { delimit } from '../../base/text/escape-text.ts';
import { nameWords } from './inline-words.ts';
import type { Omission } from './omission.ts';
import type { Aside } from './select/aside.ts';
import type { UnknownPath } from './select/unknown-path.ts';

interface NotShown {
  omitted: readonly Omission[];
  aside: readonly Aside[];
  unknown: readonly UnknownPath[];
}

/** A line for each, under what to do about it; empty where all is shown. */
export function notShownLines({ omitted, aside, unknown }: NotShown): string[] {
  return [...asideLines(aside), ...omittedLines(omitted), ...unknownLines(unknown)];
}

/** A path without anything but names, numbers and our own signs; others are delimited like any service text. */
const PLAIN_PATH = /^[\w$.#~*@:/-]{1,256}$/;

export function pathWords(path: string): string {
  return PLAIN_PATH.test(path) ? path : delimit(path, 300);
}

function omittedLines(omitted: readonly Omission[]): string[] {
  if (omitted.length === 0) return [];
  return ['Left out to stay within the budget; fetch with `select`:', ...omitted.map(omittedLine)];
}

function omittedLine({ select, what, bytes, at = '' }: Omission): string {
  const where = select.length === 0 ? placeWords(at) : select.map(pathWords).join(', ');
  return `- ${where} (${what}; ${bytes} bytes)`;
}

function placeWords(path: string): string {
  return path === '' ? 'at the top' : `in ${pathWords(path)}`;
}

function asideLines(aside: readonly Aside[]): string[] {
  return aside.flatMap((each) => {
    const names = each.names.map(nameWords).join(', ');
    return [`Only on request, with \`select\`:`, `${omittedLine(each)}${names === '' ? '' : `: ${names}`}`];
  });
}

function unknownLines(unknown: readonly UnknownPath[]): string[] {
  return unknown.map((each) => `Nothing at ${pathWords(each.path)}${hintOf(each)}`);
}

/** `; did you mean payload.sku? (in payload: sku, issues)`; empty where nothing can follow. */
function hintOf({ at, valid, more, nearest }: UnknownPath): string {
  const near = nearest === undefined ? '' : `; did you mean ${pathWords(nearest)}?`;
  const names = [...valid.map(pathWords), ...(more === undefined ? [] : [`${more} more`])].join(', ');
  return `${near}${names === '' ? '' : ` (${placeWords(at)}: ${names})`}`;
}

/** What could have been selected instead, for each path that leads nowhere. */
export function unknownHints(unknown: readonly UnknownPath[]): string[] {
  return unknown.map(hintOf).map((hint) => hint.replace(/^[; ]+/, ''));
}
