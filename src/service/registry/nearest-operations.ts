/** The operations that somebody probably meant by a name that none has: whole words count before single letters. */

import { distance } from 'fastest-levenshtein';
import type { Operation } from '../facts/operation.ts';
import { slugOf } from './find-entries.ts';

const MOST_SHOWN = 5;
/** Characters of the wrong name that are looked at. */
const LONGEST = 100;
/** What a verb counts: most names begin with one of a few. */
const VERB = 0.5;
/** What a word with a slip in it counts, against 1 for a whole word or the beginning of one. */
const SLIP = 0.7;
/** Shorter ones begin too many words. */
const SHORTEST_BEGINNING = 3;
/** Letters in which a whole name may differ and still be the one that was meant. */
const FEW_SLIPS = 2;

/** Returns ids, the likeliest first: by words in common, then sellers' operations, then operations that do not end, then by edit distance. */
export function nearestOperations(operations: readonly Operation[], wanted: string): string[] {
  const text = wanted.slice(0, LONGEST);
  const slash = text.indexOf('/');
  const [group, name] = [wordsOf(text.slice(0, Math.max(0, slash))), text.slice(slash + 1)];
  const words = wordsOf(name);
  return operations
    .map((operation) => ({
      id: operation.id,
      likeness: likeness(words, name, operation) + shareOf(group, wordsOf(slugOf(operation.id))) / 10,
      isOther: operation.audience !== undefined,
      isOld: operation.ending !== undefined,
      far: Math.min(
        distance(operation.name.toLowerCase(), name.toLowerCase()),
        distance(operation.id.toLowerCase(), text.toLowerCase()),
      ),
    }))
    .sort(
      (one, other) =>
        other.likeness - one.likeness ||
        Number(one.isOther) - Number(other.isOther) ||
        Number(one.isOld) - Number(other.isOld) ||
        one.far - other.far,
    )
    .slice(0, MOST_SHOWN)
    .map(({ id }) => id);
}

/** `getListingsItem`, `get listings-item` -> get, listings, item. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

/** 0 to 1; more for a name that differs by a slip only, or that goes on where the words end. */
function likeness(words: readonly string[], name: string, operation: Operation): number {
  const [own, written] = [operation.name.toLowerCase(), name.toLowerCase()];
  if (written.length >= SHORTEST_BEGINNING * 2 && distance(own, written) <= FEW_SLIPS) return 3;
  if (written !== '' && own.startsWith(written)) return 2;
  return shareOf(words, wordsOf(operation.name));
}

/** How much of the words that were written stands in a name. */
function shareOf(words: readonly string[], own: readonly string[]): number {
  let found = 0;
  let whole = 0;
  for (const [at, word] of words.entries()) {
    const weight = at === 0 && words.length > 1 ? VERB : 1;
    whole += weight;
    found += weight * Math.max(0, ...own.map((each) => sameness(word, each)));
  }
  return whole === 0 ? 0 : found / whole;
}

function sameness(word: string, own: string): number {
  const [short, long] = word.length < own.length ? [word, own] : [own, word];
  if (word === own) return 1;
  if (short.length >= SHORTEST_BEGINNING && long.startsWith(short)) return 1;
  return distance(word, own) <= Math.floor(word.length / 3) ? SLIP : 0;
}
