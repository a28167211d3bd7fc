/** What can be wrong with a listing in the made-up world, and what the service does about it. */

export type Action =
  | 'LISTING_SUPPRESSED'
  | 'SEARCH_SUPPRESSED'
  | 'CATALOG_ITEM_REMOVED'
  | 'ATTRIBUTE_SUPPRESSED';

export interface Cause {
  code: string;
  message: string;
  severity: 'ERROR' | 'WARNING' | 'INFO';
  attributeNames: readonly string[];
  categories: readonly string[];
  /** Absent: nothing is enforced. */
  enforced?: { actions: readonly Action[]; exemption: 'NOT_EXEMPT' | 'EXEMPT' | 'EXEMPT_UNTIL_EXPIRY_DATE' };
}

const now = (...actions: readonly Action[]): Cause['enforced'] => ({ actions, exemption: 'NOT_EXEMPT' });
const later = (...actions: readonly Action[]): Cause['enforced'] => ({
  actions,
  exemption: 'EXEMPT_UNTIL_EXPIRY_DATE',
});

export const CAUSES = {
  mainImage: {
    code: '18320',
    severity: 'ERROR',
    categories: ['MISSING_IMAGE'],
    message: 'The main image is missing. Products without one are hidden from search.',
    attributeNames: ['main_product_image_locator'],
    enforced: now('SEARCH_SUPPRESSED'),
  },
  // A warning that enforces: the severity does not tell.
  title: {
    code: '99300',
    severity: 'WARNING',
    categories: ['INVALID_ATTRIBUTE'],
    message: 'The title does not meet the rules for titles: a word is repeated more than twice.',
    attributeNames: ['item_name'],
    enforced: now('SEARCH_SUPPRESSED'),
  },
  origin: {
    code: '90220',
    severity: 'ERROR',
    categories: ['MISSING_ATTRIBUTE'],
    message: "'country_of_origin' is required but is missing.",
    attributeNames: ['country_of_origin'],
    enforced: now('LISTING_SUPPRESSED'),
  },
  approval: {
    code: '5461',
    severity: 'ERROR',
    categories: ['QUALIFICATION_REQUIRED'],
    message: 'Approval is needed to list this brand.',
    attributeNames: ['brand'],
    enforced: now('LISTING_SUPPRESSED'),
  },
  removed: {
    code: '8572',
    severity: 'ERROR',
    categories: ['INVALID_ATTRIBUTE'],
    message: 'The product identifier belongs to another product. The catalog item was removed.',
    attributeNames: ['externally_assigned_product_identifier'],
    enforced: now('CATALOG_ITEM_REMOVED', 'LISTING_SUPPRESSED'),
  },
  safety: {
    code: '100476',
    severity: 'ERROR',
    categories: ['MISSING_ATTRIBUTE'],
    message: "'safety_data_sheet_url' is required for this product type but is missing.",
    attributeNames: ['safety_data_sheet_url'],
    enforced: later('LISTING_SUPPRESSED'),
  },
  responsible: {
    code: '100898',
    severity: 'WARNING',
    categories: ['MISSING_ATTRIBUTE'],
    message: "'responsible_person' will be required; listings without it will be hidden from search.",
    attributeNames: ['responsible_person'],
    enforced: later('SEARCH_SUPPRESSED'),
  },
  exempted: {
    code: '99415',
    severity: 'ERROR',
    categories: ['INVALID_ATTRIBUTE'],
    message: "'item_package_weight' differs from the measured weight by more than 20 percent.",
    attributeNames: ['item_package_weight'],
    enforced: { actions: ['LISTING_SUPPRESSED'], exemption: 'EXEMPT' },
  },
  color: {
    code: '90244',
    severity: 'WARNING',
    categories: ['INVALID_ATTRIBUTE'],
    message: "The value of 'color' is not accepted and is not shown.",
    attributeNames: ['color'],
    enforced: now('ATTRIBUTE_SUPPRESSED'),
  },
  bullets: {
    code: '100339',
    severity: 'WARNING',
    categories: ['MISSING_ATTRIBUTE'],
    message: "'bullet_point' has 2 entries; at least 3 are recommended.",
    attributeNames: ['bullet_point'],
  },
  // An error that enforces nothing.
  imageLink: {
    code: '20017',
    severity: 'ERROR',
    categories: ['INVALID_IMAGE'],
    message: 'An additional image could not be downloaded. The other images are shown.',
    attributeNames: ['other_product_image_locator_1'],
  },
  keywords: {
    code: '99022',
    severity: 'INFO',
    categories: ['INVALID_ATTRIBUTE'],
    message: "'generic_keyword' is longer than search looks at.",
    attributeNames: ['generic_keyword'],
  },
} as const satisfies Readonly<Record<string, Cause>>;

/** Which of every 50 listings have what; the others are in order. */
const PLAN: Readonly<Record<number, readonly Cause[]>> = {
  3: [CAUSES.mainImage],
  5: [CAUSES.bullets],
  7: [CAUSES.title],
  11: [CAUSES.origin],
  13: [CAUSES.approval],
  17: [CAUSES.removed],
  19: [CAUSES.safety],
  23: [CAUSES.responsible, CAUSES.bullets],
  27: [CAUSES.title, CAUSES.keywords],
  29: [CAUSES.exempted],
  31: [CAUSES.color],
  33: [CAUSES.keywords],
  37: [CAUSES.bullets, CAUSES.imageLink],
  41: [CAUSES.imageLink],
  43: [CAUSES.safety, CAUSES.origin],
  47: [CAUSES.origin, CAUSES.mainImage],
};

export const causesOf = (index: number): readonly Cause[] => PLAN[index % 50] ?? [];

/** True while the service does it: an exemption only announces it. */
export const isEnforced = (cause: Cause, action: Action): boolean =>
  cause.enforced?.exemption === 'NOT_EXEMPT' && cause.enforced.actions.includes(action);
