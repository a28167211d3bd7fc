/** Tokens that lead to the next page: shown so that they can be sent back exactly as they are. */

import { delimit, hasHidden, quoteText } from '../../base/text/escape-text.ts';

/** `NextToken`, `nextPageToken`, `pageToken`, `paginationToken`; a token of access is none. */
const NAME = /^(?:next|previous|prev|page|pagination|continuation)(?:page)?_?token$/i;

/** What such tokens are made of (base64, also of addresses, UUIDs, percent signs); no room for a sentence. */
const PLAIN = /^[\w+/=.~%:|-]+$/;

/** Longest token that stands bare, in characters. */
const LONGEST_BARE = 4_000;

/**
 * Bare where it is plain. Anything else is given as a JSON string between the marks, with the way to send it.
 * Undefined for what is no page token.
 */
export function pageTokenWords(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || !NAME.test(name)) return undefined;
  if (value.length <= LONGEST_BARE && PLAIN.test(value)) return value;
  const hidden = hasHidden(value) || /\\u\{[0-9A-F]+\}/.test(value);
  const how = hidden || /[«»]/.test(value) ? HIDDEN : JSON_STRING;
  return `${delimit(quoteText(value))} (${how})`;
}

const JSON_STRING = 'send what stands between « and », as this JSON string';
const HIDDEN = 'it holds characters that are spelled out here, so it cannot be sent back as it stands';
