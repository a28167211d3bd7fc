/** Formats names and texts from outside for our own sentences, quoted and limited in bytes. */

import { byteLength } from '../json.ts';
import { quoteText } from './escape-text.ts';

const PLAIN_ID = /^[\w.-]+$/;
/** One escaped character can take eight bytes. */
const MAX_BYTES_PER_CHARACTER = 8;

/** Returns a plain name unchanged and quotes any other. */
export function nameWithin(name: string, bytes: number): string {
  return PLAIN_ID.test(name) && name.length <= bytes ? name : quoteWithin(name, bytes);
}

export function quoteWithin(text: string, bytes: number): string {
  const whole = quoteText(text);
  if (byteLength(whole) <= bytes) return whole;
  const shown = text.slice(0, bytes / MAX_BYTES_PER_CHARACTER);
  return `${quoteText(shown)}... (${text.length - shown.length} more characters)`;
}
