/**
 * Stores the originals of the placeholders of a session by account: the values that were masked last, within
 * bounds.
 */

import { createBoundedMap } from './bounded-map.ts';

/** The value as it was masked: a number stays a number when it is restored. */
export type OriginalValue = string | number;

export type Vault = ReturnType<typeof createVault>;

/** The limit over all accounts; the values that were masked longest ago are dropped. */
const MAX_VALUES = 400_000;
/** The number of characters that count as one value, so that a text of megabytes counts as many. */
const CHARACTERS = 100;

const TWICE = Symbol('two values with one mark');

export function createVault() {
  const originals = createBoundedMap<OriginalValue | typeof TWICE>(MAX_VALUES, (value) =>
    typeof value === 'string' ? Math.ceil(value.length / CHARACTERS) : 1,
  );
  const keyOf = (account: string, mark: string) => `${mark}${account}`;
  return {
    add(account: string, mark: string, original: OriginalValue) {
      const key = keyOf(account, mark);
      const known = originals.get(key);
      originals.set(key, known === undefined ? original : merge(known, original));
    },
    /** `twice`: two values share this placeholder, so that it resolves to neither. */
    find(account: string, mark: string): { original: OriginalValue } | 'unknown' | 'twice' {
      const original = originals.get(keyOf(account, mark));
      if (original === undefined) return 'unknown';
      return original === TWICE ? 'twice' : { original };
    },
  };
}

/** Merges equal text and number to the text, which the service accepts in most places. */
function merge(known: OriginalValue | typeof TWICE, original: OriginalValue): OriginalValue | typeof TWICE {
  if (known === TWICE || known === original) return known;
  return String(known) === String(original) ? String(original) : TWICE;
}
