/** Formats tokens of the next page so that they can be sent back unchanged. */

import { delimit, hasHidden, quoteText } from '../../base/text/escape-text.ts';

/** Matches `NextToken`, `nextPageToken`, `pageToken`, `paginationToken`, but no access token. */
const NAME = /^(?:next|previous|prev|page|pagination|continuation)(?:page)?_?token$/i;

/**
 * Matches the characters of such tokens (base64, also of addresses, UUIDs, percent signs), which cannot form
 * a sentence.
 */
const PLAIN = /^[\w+/=.~%:|-]+$/;

/** The limit in characters of a token without delimiters. */
const MAX_PLAIN_CHARACTERS = 4_000;

/**
 * Returns a plain token as it is, and any other as a delimited JSON string with the way to send it. Returns
 * undefined for a value that is no page token.
 */
export function formatPageToken(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || !NAME.test(name)) return undefined;
  if (value.length <= MAX_PLAIN_CHARACTERS && PLAIN.test(value)) return value;
  const hidden = hasHidden(value) || /\\u\{[0-9A-F]+\}/.test(value);
  const how = hidden || /[«»]/.test(value) ? HIDDEN : JSON_STRING;
  return `${delimit(quoteText(value))} (${how})`;
}

const JSON_STRING = 'send what stands between « and », as this JSON string';
const HIDDEN = 'it holds characters that are spelled out here, so it cannot be sent back as it stands';
