/** Names and texts from outside in a sentence of ours, quoted and within so many bytes. */

import { byteLength } from '../json.ts';
import { quoteText } from './escape-text.ts';

const PLAIN_ID = /^[\w.-]+$/;
/** Spelled out, one character can take eight bytes. */
const MOST_BYTES_A_CHARACTER = 8;

/** As it is where it can only be a name, quoted otherwise. */
export function nameWithin(name: string, bytes: number): string {
  return PLAIN_ID.test(name) && name.length <= bytes ? name : quoteWithin(name, bytes);
}

export function quoteWithin(text: string, bytes: number): string {
  const whole = quoteText(text);
  if (byteLength(whole) <= bytes) return whole;
  const kept = text.slice(0, bytes / MOST_BYTES_A_CHARACTER);
  return `${quoteText(kept)}... (${text.length - kept.length} more characters)`;
}
