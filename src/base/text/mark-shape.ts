/**
 * The shape of a placeholder for a personal value, the only text between « and » that other text may contain
 * unchanged.
 */

/**
 * The kinds that a placeholder can name. The list is fixed, so that no placeholder can contain a sentence.
 */
export const MARK_KINDS = [
  'buyer name',
  'address',
  'e-mail',
  'phone',
  'tax number',
  'postcode',
  'buyer text',
] as const;

/**
 * The length of the suffix: a digit and seven letters or digits, 38 bits. Of a million values one or two
 * share a placeholder, which then resolves to neither.
 */
export const MARK_LETTERS = 8;

/** The text between « and »: kind, postcode area, suffix. */
export const MARK_INSIDE = `(?:${MARK_KINDS.join('|')})(?: [0-9A-Za-z]{1,4}\\.\\.)? [0-9a-hjkmnp-tv-z]{${MARK_LETTERS}}`;

/** Examples: `«buyer name 3f2ak9xq»`, `«postcode 101.. 3f2ak9xq»`. */
export const MARK_SHAPE = `«${MARK_INSIDE}»`;

/** The pattern for `replace`, `matchAll` and `search`. */
export const EVERY_MARK = new RegExp(MARK_SHAPE, 'g');
export const WHOLE_MARK = new RegExp(`^${MARK_SHAPE}$`);

const FOREIGN_SHAPE = new RegExp(`‹(${MARK_INSIDE})›`, 'g');

/** Replaces the quotes of foreign text that looks like a placeholder, so that nothing resolves it. */
export function withForeignMarks(text: string): string {
  return text.includes('«') ? text.replace(EVERY_MARK, (mark) => `‹${mark.slice(1, -1)}›`) : text;
}

/** Returns each such text with its original form, to restore data. */
export function foreignMarksIn(text: string): { shown: string; meant: string }[] {
  return text.includes('‹')
    ? Array.from(text.matchAll(FOREIGN_SHAPE), ([shown, inside = '']) => ({ shown, meant: `«${inside}»` }))
    : [];
}
