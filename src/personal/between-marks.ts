/** A text changed everywhere but in the marks that it holds. */

import { EVERY_MARK } from '../text/mark-shape.ts';

export function changeBetweenMarks(text: string, change: (piece: string) => string): string {
  if (!text.includes('«')) return change(text);
  let clean = '';
  let done = 0;
  for (const mark of text.matchAll(EVERY_MARK)) {
    clean += change(text.slice(done, mark.index)) + mark[0];
    done = mark.index + mark[0].length;
  }
  return clean + change(text.slice(done));
}
