/**
 * Describes what an answer does not show: omitted for lack of room, set aside, or selected by a path that
 * does not exist.
 */

import { delimit } from '../../base/text/escape-text.ts';
import { formatMemberName } from './format-inline.ts';
import type { Omission } from './omission.ts';
import type { Aside } from './select/aside.ts';
import type { UnknownPath } from './select/unknown-path.ts';

interface NotShown {
  omitted: readonly Omission[];
  aside: readonly Aside[];
  unknown: readonly UnknownPath[];
}

/** Returns a line for each part below the way to fetch it; empty if everything is shown. */
export function notShownLines({ omitted, aside, unknown }: NotShown): string[] {
  return [...asideLines(aside), ...omittedLines(omitted), ...unknownLines(unknown)];
}

/** Matches a path of names, numbers and signs of ours only; others are delimited like any untrusted text. */
const PLAIN_PATH = /^[\w$.#~*@:/-]{1,256}$/;

export function formatPath(path: string): string {
  return PLAIN_PATH.test(path) ? path : delimit(path, 300);
}

function omittedLines(omitted: readonly Omission[]): string[] {
  if (omitted.length === 0) return [];
  return ['Left out to stay within the budget; fetch with `select`:', ...omitted.map(omittedLine)];
}

function omittedLine({ select, what, bytes, at = '' }: Omission): string {
  const where = select.length === 0 ? formatLocation(at) : select.map(formatPath).join(', ');
  return `- ${where} (${what}; ${bytes} bytes)`;
}

function formatLocation(path: string): string {
  return path === '' ? 'at the top' : `in ${formatPath(path)}`;
}

function asideLines(aside: readonly Aside[]): string[] {
  return aside.flatMap((each) => {
    const names = each.names.map(formatMemberName).join(', ');
    return [`Only on request, with \`select\`:`, `${omittedLine(each)}${names === '' ? '' : `: ${names}`}`];
  });
}

function unknownLines(unknown: readonly UnknownPath[]): string[] {
  return unknown.map((each) => `Nothing at ${formatPath(each.path)}${formatHint(each)}`);
}

/** Returns `; did you mean payload.sku? (in payload: sku, issues)`; empty if there is no suggestion. */
function formatHint({ at, valid, more, nearest }: UnknownPath): string {
  const near = nearest === undefined ? '' : `; did you mean ${formatPath(nearest)}?`;
  const names = [...valid.map(formatPath), ...(more === undefined ? [] : [`${more} more`])].join(', ');
  return `${near}${names === '' ? '' : ` (${formatLocation(at)}: ${names})`}`;
}

/** Returns the valid alternatives for each path that does not exist. */
export function unknownHints(unknown: readonly UnknownPath[]): string[] {
  return unknown.map(formatHint).map((hint) => hint.replace(/^[; ]+/, ''));
}
