/** Names that a definition gives, as they stand in a sentence or a description: plain ones bare, all others in quotes. */

import { escapeInJson } from './escape-text.ts';

/** What identifiers are made of; nothing in it can end a name or begin something else. */
const PLAIN = /^[\w.$@:/+-]+$/;

/** `sku` -> `sku`; `sku? (path)` -> `"sku? (path)"`, with everything hidden spelled out. */
export function quoteName(name: string): string {
  return PLAIN.test(name) ? name : escapeInJson(JSON.stringify(name));
}
