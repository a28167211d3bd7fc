/** The issues that listings of the demo world can have, and their enforcement (causes.yaml). */

import { causes } from './generated/causes.ts';

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
  /** The form of a title that has this fault; absent where the title is in order. */
  title?: string;
  categories: readonly string[];
  /** Absent: nothing is enforced. */
  enforced?: { actions: readonly Action[]; exemption: 'NOT_EXEMPT' | 'EXEMPT' | 'EXEMPT_UNTIL_EXPIRY_DATE' };
}

export const causesOf = (index: number): readonly Cause[] => causes.plan[index % 50] ?? [];

/** True while the service does it: an exemption only announces it. */
export const isEnforced = (cause: Cause, action: Action): boolean =>
  cause.enforced?.exemption === 'NOT_EXEMPT' && cause.enforced.actions.includes(action);
