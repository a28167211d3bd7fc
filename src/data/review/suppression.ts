/**
 * Classifies the effect of an issue on a listing, for tables and for readers, by its enforcement and not its
 * severity.
 */

/** The effects, most harmful first; `none` enforces nothing, `other` is an undocumented action. */
const EFFECTS = ['removed', 'listing', 'search', 'attribute', 'other', 'none'] as const;
type IssueEffect = (typeof EFFECTS)[number];

const BY_ACTION: Readonly<Record<string, IssueEffect>> = {
  CATALOG_ITEM_REMOVED: 'removed',
  LISTING_SUPPRESSED: 'listing',
  SEARCH_SUPPRESSED: 'search',
  ATTRIBUTE_SUPPRESSED: 'attribute',
};

/** Returns the most harmful effect of an issue's actions. */
export function effectOf(actions: readonly string[]): IssueEffect {
  const effects = actions.map(
    (action): IssueEffect => (Object.hasOwn(BY_ACTION, action) ? BY_ACTION[action] : undefined) ?? 'other',
  );
  return EFFECTS.find((effect) => effects.includes(effect)) ?? 'none';
}

/** A suppressed listing is out of everything (`altogether`) or hidden from search (`search`). */
export type SuppressionKind = 'altogether' | 'search';

const SUPPRESSES: Readonly<Partial<Record<IssueEffect, SuppressionKind>>> = {
  removed: 'altogether',
  listing: 'altogether',
  search: 'search',
};

export const suppressionOf = (effect: IssueEffect): SuppressionKind | undefined => SUPPRESSES[effect];

const DESCRIPTIONS: Readonly<Record<IssueEffect, string>> = {
  removed: 'catalog item removed',
  listing: 'suppressed altogether',
  search: 'hidden from search',
  attribute: 'values not shown',
  other: 'other enforcement',
  none: 'nothing enforced',
};

/** The descriptions while an exemption prevents the effect. */
const EXEMPT_DESCRIPTIONS: Readonly<Partial<Record<IssueEffect, string>>> = {
  removed: 'catalog item would be removed',
  listing: 'would be suppressed altogether',
  search: 'would be hidden from search',
  attribute: 'values would not be shown',
};

/** @param effect the value in a table */
export function formatEffect(effect: string, isExempt = false): string {
  const known = EFFECTS.find((each) => each === effect) ?? 'other';
  return (isExempt ? EXEMPT_DESCRIPTIONS[known] : undefined) ?? DESCRIPTIONS[known];
}
