/** The kinds of personal data of buyers and recipients that are told apart, and how a member or a column is one of them. */

import { MARK_KINDS } from '../../base/text/mark-shape.ts';

/** As it stands in a mark. */
export const PERSONAL_KINDS = MARK_KINDS;

export type PersonalKind = (typeof PERSONAL_KINDS)[number];

/** `free text` is shown, but searched for what is personal in it. */
export type Treatment = PersonalKind | 'free text';

/** Where a value comes from: decides which rules hold. Neither is known for a document of an unknown type. */
export interface ValueSource {
  /** Operation id: `orders/getOrder`. */
  operation?: string;
  reportType?: string;
  /** That the report was asked for. */
  marketplaceIds?: readonly string[];
}
