/** Finds the name that a misspelled one most likely stands for. */

import { closest, distance } from 'fastest-levenshtein';

/** The work grows with both lengths, and nobody misspells a text longer than this. */
const MAX_COMPARED = 200;
const MAX_NAMES = 10_000;

/** @returns the name that differs from `wrong` by a third of the longer one at most, whatever its case; undefined for none */
export function nearestName(wrong: string, names: readonly string[]): string | undefined {
  if (names.length === 0 || wrong.length > MAX_COMPARED) return undefined;
  const asked = wrong.toLowerCase();
  const compared = names.slice(0, MAX_NAMES).map((name) => name.toLowerCase());
  const near = closest(asked, compared);
  const most = Math.max(2, asked.length / 3, near.length / 3);
  return distance(asked, near) <= most ? names[compared.indexOf(near)] : undefined;
}

const SHORTEST_BEGINNING = 3;

/** Finds a command, flag or host that was mistyped or half typed. @returns undefined where nothing is near, since a wrong guess is worse than none */
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
