/**
 * The shape of a placeholder for a personal value, the only text between « and » that other text may contain
 * unchanged.
 */

/**
 * The kinds that a placeholder can name. The list is fixed, so that no placeholder can contain a sentence.
 */
export const PLACEHOLDER_KINDS = [
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
export const PLACEHOLDER_LETTERS = 8;

/** The text between « and »: kind, postcode area, suffix. */
export const PLACEHOLDER_CONTENT = `(?:${PLACEHOLDER_KINDS.join('|')})(?: [0-9A-Za-z]{1,4}\\.\\.)? [0-9a-hjkmnp-tv-z]{${PLACEHOLDER_LETTERS}}`;

/** Examples: `«buyer name 3f2ak9xq»`, `«postcode 101.. 3f2ak9xq»`. */
export const PLACEHOLDER_SHAPE = `«${PLACEHOLDER_CONTENT}»`;

/** The pattern for `replace`, `matchAll` and `search`. */
export const EVERY_PLACEHOLDER = new RegExp(PLACEHOLDER_SHAPE, 'g');
export const WHOLE_PLACEHOLDER = new RegExp(`^${PLACEHOLDER_SHAPE}$`);

const FOREIGN_SHAPE = new RegExp(`‹(${PLACEHOLDER_CONTENT})›`, 'g');

/** Replaces the quotes of foreign text that looks like a placeholder, so that nothing resolves it. */
export function requoteForeignPlaceholders(text: string): string {
  return text.includes('«') ? text.replace(EVERY_PLACEHOLDER, (mark) => `‹${mark.slice(1, -1)}›`) : text;
}

/** Returns each such text with its original form, to restore data. */
export function foreignPlaceholdersIn(text: string): { shown: string; meant: string }[] {
  return text.includes('‹')
    ? Array.from(text.matchAll(FOREIGN_SHAPE), ([shown, inside = '']) => ({ shown, meant: `«${inside}»` }))
    : [];
}
