/** Differences of one read-back, sorted into not as sent and not visible yet; the reading itself is planned by plan-write.ts, and by list-of-listings.ts for lists. */

import { canonicalJson } from '../../base/canonical-json.ts';
import { type Difference, valueAt } from '../../base/json-difference.ts';
import type { ReadBack } from './failure.ts';

export const AS_SENT: ReadBack = { differences: [], notYet: [] };

/**
 * Sorts differences between what was sent and what was found: where the value from before still stands, the change is
 * not visible yet; anything else differs.
 */
export function sortReadBack(differences: readonly Difference[], before: unknown): ReadBack {
  const isOld = ({ segments, after }: Difference) =>
    before !== undefined && canonicalJson(valueAt(before, segments)) === canonicalJson(after);
  return {
    differences: differences.filter((difference) => !isOld(difference)),
    notYet: differences.filter(isOld),
  };
}
