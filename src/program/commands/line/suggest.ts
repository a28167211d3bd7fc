/** Finds the known name that a mistyped one was meant to be. */

import { distance } from 'fastest-levenshtein';

const SHORTEST_BEGINNING = 3;

/** Undefined where nothing is near: a wrong guess is worse than none. */
export function suggest(given: string, known: readonly string[]): string | undefined {
  const word = given.toLowerCase();
  const most = Math.max(1, Math.floor(word.length / 3));
  const [nearest] = known
    .map((name) => ({ name, away: distance(word, name) }))
    .filter(({ away }) => away <= most)
    .sort((a, b) => a.away - b.away);
  if (nearest !== undefined) return nearest.name;
  return word.length < SHORTEST_BEGINNING ? undefined : known.find((name) => name.startsWith(word));
}
