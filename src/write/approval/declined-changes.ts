/**
 * Remembers changes that were not approved. For a while they get no code, and no page opens for one that the
 * user declined.
 */

import type { WriteContent } from '../run/send-write.ts';
import { CODE_LIFETIME_MS, digestOfChange } from './confirmation.ts';

const MAX_REMEMBERED = 1_000;

export type DeclinedChanges = ReturnType<typeof createDeclinedChanges>;

/**
 * Remembers each for as long as an approval of it would have been valid.
 * @param now monotonic milliseconds
 */
export function createDeclinedChanges(now: () => number) {
  const all = new Map<string, { until: number; byPerson: boolean }>();
  const find = (content: WriteContent) => {
    const known = all.get(digestOfChange(content));
    return known !== undefined && now() < known.until ? known : undefined;
  };
  return {
    /** @param byPerson false if the host may have declined a question that it never showed */
    add(content: WriteContent, byPerson: boolean): void {
      const key = digestOfChange(content);
      const known = find(content);
      if (known?.byPerson === true && !byPerson) return;
      all.delete(key);
      all.set(key, { until: now() + CODE_LIFETIME_MS, byPerson });
      const [oldest] = all.keys();
      if (all.size > MAX_REMEMBERED && oldest !== undefined) all.delete(oldest);
    },
    has: (content: WriteContent): boolean => find(content) !== undefined,
    wasByPerson: (content: WriteContent): boolean => find(content)?.byPerson === true,
    /** Forgets the change, because it is approved. */
    forget: (content: WriteContent): void => void all.delete(digestOfChange(content)),
  };
}
