/** What an issue does to a listing, in one word for tables and in words for a reader: enforcement counts, not severity. */

/** Most harmful first; `none` enforces nothing, `other` is an action that nobody has documented. */
const EFFECTS = ['removed', 'listing', 'search', 'attribute', 'other', 'none'] as const;
type Effect = (typeof EFFECTS)[number];

const BY_ACTION: Readonly<Record<string, Effect>> = {
  CATALOG_ITEM_REMOVED: 'removed',
  LISTING_SUPPRESSED: 'listing',
  SEARCH_SUPPRESSED: 'search',
  ATTRIBUTE_SUPPRESSED: 'attribute',
};

/** The most harmful of an issue's actions. */
export function effectOf(actions: readonly string[]): Effect {
  const effects = actions.map(
    (action): Effect => (Object.hasOwn(BY_ACTION, action) ? BY_ACTION[action] : undefined) ?? 'other',
  );
  return EFFECTS.find((effect) => effects.includes(effect)) ?? 'none';
}

/** What a listing is kept from: everything (`altogether`) or being found (`search`). */
export type Suppressed = 'altogether' | 'search';

const SUPPRESSES: Readonly<Partial<Record<Effect, Suppressed>>> = {
  removed: 'altogether',
  listing: 'altogether',
  search: 'search',
};

export const suppressionOf = (effect: Effect): Suppressed | undefined => SUPPRESSES[effect];

const WORDS: Readonly<Record<Effect, string>> = {
  removed: 'catalog item removed',
  listing: 'suppressed altogether',
  search: 'hidden from search',
  attribute: 'values not shown',
  other: 'other enforcement',
  none: 'nothing enforced',
};

/** While an exemption keeps it off. */
const WORDS_EXEMPT: Readonly<Partial<Record<Effect, string>>> = {
  removed: 'catalog item would be removed',
  listing: 'would be suppressed altogether',
  search: 'would be hidden from search',
  attribute: 'values would not be shown',
};

/** @param effect as a table holds it */
export function effectWords(effect: string, isExempt = false): string {
  const known = EFFECTS.find((each) => each === effect) ?? 'other';
  return (isExempt ? WORDS_EXEMPT[known] : undefined) ?? WORDS[known];
}
