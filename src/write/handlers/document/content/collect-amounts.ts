/** Collects amounts by their kind, within an item and over all items. */

import type { DocumentAmount, TotalAmount } from './content.ts';

/** The maximum number of kinds of amounts to list; the others are added up as one. */
const MAX_KINDS = 40;
const OTHERS = 'other numbers';

export class AmountCollector {
  readonly #amounts = new Map<string, DocumentAmount>();

  readonly add = (what: string, value: number): void => {
    const key = this.#amounts.has(what) || this.#amounts.size < MAX_KINDS ? what : OTHERS;
    const known = this.#amounts.get(key);
    if (known === undefined) {
      this.#amounts.set(key, { what: key, min: value, max: value, sum: value });
      return;
    }
    known.min = Math.min(known.min, value);
    known.max = Math.max(known.max, value);
    known.sum += value;
  };

  all(): DocumentAmount[] {
    return [...this.#amounts.values()];
  }
}

export class AmountTotals {
  readonly #totals = new Map<string, TotalAmount>();

  add(amounts: readonly DocumentAmount[]): void {
    for (const { what, min, max, sum } of amounts) {
      const key = this.#totals.has(what) || this.#totals.size < MAX_KINDS ? what : OTHERS;
      const known = this.#totals.get(key);
      if (known === undefined) {
        this.#totals.set(key, { what: key, min, max, sum, items: 1 });
        continue;
      }
      known.min = Math.min(known.min, min);
      known.max = Math.max(known.max, max);
      known.sum += sum;
      known.items += 1;
    }
  }

  all(): TotalAmount[] {
    return [...this.#totals.values()];
  }
}
