/**
 * Makes the placeholders of personal values. The same value has the same placeholder within a session, and no
 * outsider can forge one.
 */

import { createHmac } from 'node:crypto';
import { PLACEHOLDER_KINDS, PLACEHOLDER_LETTERS } from '../../base/text/placeholder-shape.ts';
import { createBoundedMap } from './bounded-map.ts';
import type { PersonalKind } from './kinds.ts';

/** Crockford's base32 alphabet, in which no character looks like another. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Matches `«buyer name 3f2ak9xq»` and `«postcode 101.. 3f2ak9xq»`. */
export const PLACEHOLDER_PARTS = new RegExp(
  `«(${PLACEHOLDER_KINDS.join('|')})(?: ([0-9A-Za-z]{1,4})\\.\\.)? ([0-9a-hjkmnp-tv-z]{${PLACEHOLDER_LETTERS}})»`,
  'u',
);

/** Returns the kind that a placeholder names; undefined for any other text. */
export function kindOfPlaceholder(mark: string): PersonalKind | undefined {
  const word = PLACEHOLDER_PARTS.exec(mark)?.[1];
  return PLACEHOLDER_KINDS.find((kind) => kind === word);
}

/** The cache size and the longest cached value: the same value often comes again at once. */
const MAX_CACHED = 4_000;
const MAX_CACHED_CHARACTERS = 200;

export type PlaceholderMaker = ReturnType<typeof createPlaceholderMaker>;

/**
 * @param key of the session.
 * @param account the account of the data: placeholders of one mean nothing to another
 */
export function createPlaceholderMaker(key: Uint8Array, account: string) {
  const cachedLetters = createBoundedMap<string>(MAX_CACHED);
  return {
    /** @param value as it is compared: a number as its text */
    mark(kind: PersonalKind, value: string): string {
      const known = cachedLetters.get(value);
      const letters = known ?? lettersOf(createHmac('sha256', key).update(`${account}\0${value}`).digest());
      if (known === undefined && value.length <= MAX_CACHED_CHARACTERS) cachedLetters.set(value, letters);
      const area = kind === 'postcode' ? getPostcodeArea(value) : undefined;
      return `«${kind}${area === undefined ? '' : ` ${area}..`} ${letters}»`;
    },
  };
}

/** Starts with a digit, which distinguishes placeholder letters written by a model from a word. */
function lettersOf(digest: Uint8Array): string {
  let letters = String((digest[0] ?? 0) % 10);
  for (let at = 1; at < PLACEHOLDER_LETTERS; at += 1) letters += LETTERS.charAt((digest[at] ?? 0) % 32);
  return letters;
}

/**
 * Returns the part of a postcode that names the region: `SW1A` of `SW1A 1AA`, `101` of `10115`; undefined if
 * none does.
 */
export function getPostcodeArea(postcode: string): string | undefined {
  const plain = postcode.trim().toUpperCase();
  const [outward = '', inward] = plain.split(/[\s-]+/);
  const area =
    inward !== undefined && /[A-Z]/.test(outward)
      ? outward
      : plain.replace(/[\s-]/g, '').slice(0, outward.length > 4 ? 3 : 2);
  return /^[0-9A-Z]{1,4}$/.test(area) ? area : undefined;
}
