/**
 * The kinds of personal data of buyers and recipients, and the source that decides how a member or column is
 * treated.
 */

import { PLACEHOLDER_KINDS } from '../../base/text/placeholder-shape.ts';

/** The kind as it appears in a placeholder. */
export const PERSONAL_KINDS = PLACEHOLDER_KINDS;

export type PersonalKind = (typeof PERSONAL_KINDS)[number];

/** `free text` is shown, but personal data in it is masked. */
export type Treatment = PersonalKind | 'free text';

/**
 * The source of a value, which decides which rules apply. Neither type is known for a document of unknown
 * origin.
 */
export interface ValueSource {
  /** Operation id: `orders/getOrder`. */
  operation?: string;
  reportType?: string;
  /** The marketplaces that the report was requested for. */
  marketplaceIds?: readonly string[];
}
