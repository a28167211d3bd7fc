/** E-mail addresses in a text: each @ is looked at once, within the bounds of an address. */

import type { Found } from './found.ts';

/** As it is, wide, URL-encoded, as JSON may escape it. */
const AT = /@|＠|%40|\\u0040/gi;

const MAYBE = /@|＠|%40|\\u0040/i;

/** How long an address is before its @, and what does not stand there. */
const LONGEST_MAILBOX = 64;
const SEPARATOR = /[\s@＠<>"'(),;:=«»[\]{}|\\/?&]/;

/** What stands behind it: a name with at least one dot, whose last part is letters. */
const DOMAIN =
  /^[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,189}[\p{L}\p{N}])?\.(?:xn--[a-z0-9-]{2,59}|\p{L}{2,63})(?![\p{L}\p{N}])/iu;
const LONGEST_DOMAIN = 254;

export function mayHoldEmail(text: string): boolean {
  return MAYBE.test(text);
}

export function findEmails(text: string): Found[] {
  if (!mayHoldEmail(text)) return [];
  const found: Found[] = [];
  let done = 0;
  for (const at of text.matchAll(AT)) {
    if (at.index < done) continue;
    const start = startOfMailbox(text, at.index, done);
    const behind = at.index + at[0].length;
    const domain = start === at.index ? null : DOMAIN.exec(text.slice(behind, behind + LONGEST_DOMAIN));
    if (domain === null) continue;
    done = behind + domain[0].length;
    found.push({ kind: 'e-mail', start, end: done });
  }
  return found;
}

function startOfMailbox(text: string, at: number, done: number): number {
  const first = Math.max(done, at - LONGEST_MAILBOX);
  let start = at;
  while (start > first && !SEPARATOR.test(text.charAt(start - 1))) start -= 1;
  return start;
}
