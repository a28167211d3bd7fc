/** Finds the operations nearest to an unknown name; whole words count more than single letters. */

import { distance } from 'fastest-levenshtein';
import type { Operation } from '../facts/operation.ts';
import { slugOf } from './find-entries.ts';

const MAX_SHOWN = 5;
/** The maximum characters of the unknown name that are compared. */
const MAX_COMPARED = 100;
/** The weight of a verb, which is low because most names begin with one of a few. */
const VERB = 0.5;
/** The weight of a misspelled word, against 1 for a whole word or its beginning. */
const SLIP = 0.7;
/** The minimum length of a beginning; shorter ones begin too many words. */
const MIN_BEGINNING = 3;
/** The maximum number of letters by which a whole name may differ as a misspelling. */
const FEW_SLIPS = 2;

/**
 * Returns IDs, the likeliest first: by words in common, then sellers' operations, then operations that do not
 * end, then by edit distance.
 */
export function nearestOperations(operations: readonly Operation[], wanted: string): string[] {
  const text = wanted.slice(0, MAX_COMPARED);
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
    .slice(0, MAX_SHOWN)
    .map(({ id }) => id);
}

/** Splits `getListingsItem` or `get listings-item` into get, listings, item. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

/** Returns 0 to 1, or more for a misspelled name or the beginning of one. */
function likeness(words: readonly string[], name: string, operation: Operation): number {
  const [own, written] = [operation.name.toLowerCase(), name.toLowerCase()];
  if (written.length >= MIN_BEGINNING * 2 && distance(own, written) <= FEW_SLIPS) return 3;
  if (written !== '' && own.startsWith(written)) return 2;
  return shareOf(words, wordsOf(operation.name));
}

/** Returns the weighted share of the given words that a name contains. */
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
  if (short.length >= MIN_BEGINNING && long.startsWith(short)) return 1;
  return distance(word, own) <= Math.floor(word.length / 3) ? SLIP : 0;
}
