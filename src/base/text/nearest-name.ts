/** Finds the name that a misspelled one most likely stands for. */

import { closest, distance } from 'fastest-levenshtein';

/**
 * The maximum length compared, because the work grows with both lengths and nobody misspells a longer text.
 */
const MAX_COMPARED = 200;
const MAX_NAMES = 10_000;

/**
 * Finds the nearest name, ignoring case.
 * @returns the name that differs from `wrong` by at most a third of the longer one; undefined for none
 */
export function nearestName(wrong: string, names: readonly string[]): string | undefined {
  if (names.length === 0 || wrong.length > MAX_COMPARED) return undefined;
  const wanted = wrong.toLowerCase();
  const compared = names.slice(0, MAX_NAMES).map((name) => name.toLowerCase());
  const near = closest(wanted, compared);
  const maxDistance = Math.max(2, wanted.length / 3, near.length / 3);
  return distance(wanted, near) <= maxDistance ? names[compared.indexOf(near)] : undefined;
}

const MIN_BEGINNING = 3;

/**
 * Suggests a command, flag or host for a mistyped or partial one.
 * @returns undefined when no name is near, because a wrong guess is worse than none
 */
export function suggest(given: string, known: readonly string[]): string | undefined {
  const word = given.toLowerCase();
  const maxDistance = Math.max(1, Math.floor(word.length / 3));
  const [nearest] = known
    .map((name) => ({ name, away: distance(word, name) }))
    .filter(({ away }) => away <= maxDistance)
    .sort((a, b) => a.away - b.away);
  if (nearest !== undefined) return nearest.name;
  return word.length < MIN_BEGINNING ? undefined : known.find((name) => name.startsWith(word));
}
