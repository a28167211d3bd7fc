/** Generated texts of any characters. */

import fc from 'fast-check';

const codePoint = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 0x7f }) },
  fc.integer({ min: 0x80, max: 0xd7ff }),
  fc.integer({ min: 0xe000, max: 0x10ffff }),
);

/**
 * Generates any character like fast-check's unit "binary", which first makes a map of a million characters.
 */
export const anyCharacter = codePoint.map((point) => String.fromCodePoint(point));

/** Strings of them. */
export const anyCharacters = (lengths: { minLength?: number; maxLength?: number } = {}) =>
  fc.array(codePoint, lengths).map((points) => String.fromCodePoint(...points));
