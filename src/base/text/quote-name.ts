/** Names that a definition gives, or a person has, as they stand in a sentence or a description: plain ones bare, all others in quotes. */

import { escapeInJson, quoteText } from './escape-text.ts';

/** What identifiers are made of; nothing in it can end a name or begin something else. */
const PLAIN = /^[\w.$@:/+-]+$/;

/** `sku` -> `sku`; `sku? (path)` -> `"sku? (path)"`, with everything hidden spelled out. */
export function quoteName(name: string): string {
  return PLAIN.test(name) ? name : escapeInJson(JSON.stringify(name));
}

/** One word, or an address: whatever people call themselves, it says nothing to who reads it. */
const ONE_WORD = /^[\p{L}\p{M}\p{N}.@'-]{1,40}$/u;

/** Of a person, for others: everyone chooses their name, so that one of several words is in quotes. */
export const quotePerson = (name: string): string => (ONE_WORD.test(name) ? name : quoteText(name));
