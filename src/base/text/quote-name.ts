/** Formats names from a definition or of a user for a sentence: plain ones bare, all others in quotes. */

import { escapeInJson, quoteText } from './escape-text.ts';

/** The characters of identifiers, none of which can end a name or begin other text. */
const PLAIN = /^[\w.$@:/+-]+$/;

/** Formats `sku` as `sku` and `sku? (path)` as `"sku? (path)"`, with everything hidden escaped. */
export function quoteName(name: string): string {
  return PLAIN.test(name) ? name : escapeInJson(JSON.stringify(name));
}

/** One word or address, which cannot contain an instruction to the reader. */
const ONE_WORD = /^[\p{L}\p{M}\p{N}.@'-]{1,40}$/u;

/** Formats a user's name for others. Users choose their names, so several words are quoted. */
export const quoteUserName = (name: string): string => (ONE_WORD.test(name) ? name : quoteText(name));
