/** The shape of a mark that stands for a personal value: the one thing between « and » that other text may hold as it is. */

/** What a mark can say: a fixed list, so that no mark carries a sentence. */
export const MARK_KINDS = [
  'buyer name',
  'address',
  'e-mail',
  'phone',
  'tax number',
  'postcode',
  'buyer text',
] as const;

/** A digit and seven of either, 38 bits: of a million values one or two share a mark, which then resolves to neither. */
export const MARK_LETTERS = 8;

/** Kind, area of a postcode, letters: what stands between « and ». */
export const MARK_INSIDE = `(?:${MARK_KINDS.join('|')})(?: [0-9A-Za-z]{1,4}\\.\\.)? [0-9a-hjkmnp-tv-z]{${MARK_LETTERS}}`;

/** `«buyer name 3f2ak9xq»`, `«postcode 101.. 3f2ak9xq»`. */
export const MARK_SHAPE = `«${MARK_INSIDE}»`;

/** For `replace`, `matchAll` and `search`. */
export const EVERY_MARK = new RegExp(MARK_SHAPE, 'g');
export const WHOLE_MARK = new RegExp(`^${MARK_SHAPE}$`);

const FOREIGN_SHAPE = new RegExp(`‹(${MARK_INSIDE})›`, 'g');

/** What comes from elsewhere and looks like a mark is none: in other quotes, nobody takes it for one. */
export function withForeignMarks(text: string): string {
  return text.includes('«') ? text.replace(EVERY_MARK, (mark) => `‹${mark.slice(1, -1)}›`) : text;
}

/** Each of them, and how it is meant, for the way back into data. */
export function foreignMarksIn(text: string): { shown: string; meant: string }[] {
  return text.includes('‹')
    ? Array.from(text.matchAll(FOREIGN_SHAPE), ([shown, inside = '']) => ({ shown, meant: `«${inside}»` }))
    : [];
}
