/** Checks that a document is written in sentences short enough to be read once, in its lists and table cells too. */

import type { Finding } from './finding.ts';
import type { Document } from './read-document.ts';

/** A sentence has at most this many words. */
const MAX_SENTENCE = 25;

export function checkSentences({ path, text }: Pick<Document, 'path' | 'text'>): Finding[] {
  let isFenced = false;
  return text.split('\n').flatMap((row, at) => {
    if (/^\s*(?:```|~~~)/.test(row)) isFenced = !isFenced;
    if (isFenced) return [];
    return sentencesOf(row).flatMap((sentence) => {
      const words = wordCount(sentence);
      if (words <= MAX_SENTENCE) return [];
      const start = sentence.split(' ').slice(0, 6).join(' ');
      const message = `a sentence has ${words} words, and may have ${MAX_SENTENCE}: ${start} ...`;
      return [{ path, line: at + 1, message }];
    });
  });
}

/**
 * Returns the sentences of one line, each cell of a table by itself. A code span counts as one word, and a
 * link as its text.
 */
function sentencesOf(row: string): string[] {
  return row
    .replace(/`[^`]*`/g, 'CODE')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split('|')
    .flatMap((cell) => cell.split(/(?<=[.?!][*)"»]*)\s+/))
    .map((sentence) => sentence.trim());
}

const wordCount = (sentence: string) =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
