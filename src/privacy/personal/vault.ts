/** What the marks of a session stand for: by account, within bounds, the values that were masked last. */

import { createBoundedMap } from './bounded-map.ts';

/** As it was masked: a number stays one where it comes back. */
export type Original = string | number;

export type Vault = ReturnType<typeof createVault>;

/** Beyond so many, in all accounts together, those that were masked longest ago are forgotten. */
const MOST_VALUES = 400_000;
/** A value counts as one for each so many characters: a text of megabytes as many. */
const CHARACTERS = 100;

const TWICE = Symbol('two values with one mark');

export function createVault() {
  const kept = createBoundedMap<Original | typeof TWICE>(MOST_VALUES, (value) =>
    typeof value === 'string' ? Math.ceil(value.length / CHARACTERS) : 1,
  );
  const keyOf = (account: string, mark: string) => `${mark}${account}`;
  return {
    add(account: string, mark: string, original: Original) {
      const key = keyOf(account, mark);
      const known = kept.get(key);
      kept.set(key, known === undefined ? original : merge(known, original));
    },
    /** `twice`: two values have this mark, so that it stands for neither. */
    find(account: string, mark: string): { original: Original } | 'unknown' | 'twice' {
      const original = kept.get(keyOf(account, mark));
      if (original === undefined) return 'unknown';
      return original === TWICE ? 'twice' : { original };
    },
  };
}

/** The same as a text and as a number is the text, which is what the service takes in most places. */
function merge(known: Original | typeof TWICE, original: Original): Original | typeof TWICE {
  if (known === TWICE || known === original) return known;
  return String(known) === String(original) ? String(original) : TWICE;
}
