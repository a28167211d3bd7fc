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
