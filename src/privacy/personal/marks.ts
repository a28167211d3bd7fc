/** Marks that stand for a personal value: the same value has the same mark within a session, and nobody can make one up. */

import { createHmac } from 'node:crypto';
import { MARK_KINDS, MARK_LETTERS } from '../../base/text/mark-shape.ts';
import { createBoundedMap } from './bounded-map.ts';
import type { PersonalKind } from './kinds.ts';

/** Crockford's letters: none looks like another. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

/** `«buyer name 3f2ak9xq»`, `«postcode 101.. 3f2ak9xq»`. */
export const MARK = new RegExp(
  `«(${MARK_KINDS.join('|')})(?: ([0-9A-Za-z]{1,4})\\.\\.)? ([0-9a-hjkmnp-tv-z]{${MARK_LETTERS}})»`,
  'u',
);

/** The kind that a mark names; undefined for what is none. */
export function kindOf(mark: string): PersonalKind | undefined {
  const word = MARK.exec(mark)?.[1];
  return MARK_KINDS.find((kind) => kind === word);
}

/** The same value often comes again at once: so many letters are kept, of values up to this length. */
const MOST_MADE = 4_000;
const LONGEST_MADE = 200;

export type Marker = ReturnType<typeof createMarker>;

/** @param key of the session. @param account whose data these are: marks of one mean nothing to another */
export function createMarker(key: Uint8Array, account: string) {
  const made = createBoundedMap<string>(MOST_MADE);
  return {
    /** @param value as it is compared: a number as its text */
    mark(kind: PersonalKind, value: string): string {
      const known = made.get(value);
      const letters = known ?? lettersOf(createHmac('sha256', key).update(`${account}\0${value}`).digest());
      if (known === undefined && value.length <= LONGEST_MADE) made.set(value, letters);
      const area = kind === 'postcode' ? postcodeArea(value) : undefined;
      return `«${kind}${area === undefined ? '' : ` ${area}..`} ${letters}»`;
    },
  };
}

/** A digit first: what a model writes like a mark is told from a word by it. */
function lettersOf(digest: Uint8Array): string {
  let letters = String((digest[0] ?? 0) % 10);
  for (let at = 1; at < MARK_LETTERS; at += 1) letters += LETTERS.charAt((digest[at] ?? 0) % 32);
  return letters;
}

/** What of a postcode tells the region: `SW1A` of `SW1A 1AA`, `101` of `10115`; undefined where nothing does. */
export function postcodeArea(postcode: string): string | undefined {
  const plain = postcode.trim().toUpperCase();
  const [outward = '', inward] = plain.split(/[\s-]+/);
  const area =
    inward !== undefined && /[A-Z]/.test(outward)
      ? outward
      : plain.replace(/[\s-]/g, '').slice(0, outward.length > 4 ? 3 : 2);
  return /^[0-9A-Z]{1,4}$/.test(area) ? area : undefined;
}
