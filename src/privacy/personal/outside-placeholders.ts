/** Changes or cuts a text without touching the placeholders in it. */

import { EVERY_PLACEHOLDER } from '../../base/text/placeholder-shape.ts';
import { cutBehind } from '../../base/text/shorten.ts';

/** Returns the first `maxCharacters` of a text, and the whole of a placeholder that begins in them. */
export function cutOutsidePlaceholders(text: string, maxCharacters: number): string {
  for (const mark of text.slice(0, maxCharacters).includes('«') ? text.matchAll(EVERY_PLACEHOLDER) : []) {
    const end = mark.index + mark[0].length;
    if (mark.index < maxCharacters && end > maxCharacters) return text.slice(0, end);
  }
  return cutBehind(text, maxCharacters);
}

export function changeOutsidePlaceholders(text: string, change: (piece: string) => string): string {
  if (!text.includes('«')) return change(text);
  let clean = '';
  let done = 0;
  for (const mark of text.matchAll(EVERY_PLACEHOLDER)) {
    clean += change(text.slice(done, mark.index)) + mark[0];
    done = mark.index + mark[0].length;
  }
  return clean + change(text.slice(done));
}
