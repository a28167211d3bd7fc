/** Report types whose names are near one that is not known. */

import { distance } from 'fastest-levenshtein';
import { reportTypes } from '../facts/report-types.ts';

const mostNames = 3;
/** Characters of a name that is compared: the work grows with both lengths. */
const longestCompared = 200;

/** Current ones that share the most words with it, the fewest letters apart first; none where no word is shared. */
export function nearestReportTypes(name: string): string[] {
  const wanted = name.slice(0, longestCompared).toUpperCase();
  const words = wordsOf(wanted);
  const near = reportTypes
    .filter(({ deprecated }) => deprecated === undefined)
    .map(({ id }) => ({ id, shared: shared(words, wordsOf(id)), apart: distance(wanted, id) }));
  return near
    .filter(({ id, shared: count, apart }) => count > 0 || apart <= id.length / 4)
    .sort((a, b) => b.shared - a.shared || a.apart - b.apart)
    .slice(0, mostNames)
    .map(({ id }) => id);
}

const EVERYWHERE = new Set(['GET', 'DATA', 'REPORT', 'REPORTS', 'FLAT', 'FILE', 'BY', 'GENERAL', 'AND', '']);

function wordsOf(name: string): Set<string> {
  return new Set(name.split(/[^A-Z0-9]+/).filter((word) => !EVERYWHERE.has(word)));
}

function shared(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...words].filter((word) => others.has(word)).length;
}
