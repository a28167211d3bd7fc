/**
 * Ranks the items of a document. Some of each unusual kind come first, the rarest kind before others, then
 * the lowest prices or the largest refunds.
 */

import { AmountTotals } from './collect-amounts.ts';
import type { DocumentAmount, DocumentItem, DocumentItemPart } from './content.ts';

interface RankedItem {
  item: DocumentItem;
  /** The item with the lowest weight comes first. */
  weight: number;
  /** The index in the document decides where weights are equal. */
  at: number;
}

/** The maximum number of operations and kinds to count one by one; the rest counts as `others`. */
const MAX_KINDS = 30;
const OTHERS = 'others';

export class ItemRanking {
  readonly totals = new AmountTotals();
  readonly #max: number;
  readonly #kinds = new Map<string, BestItems>();
  readonly #usual: BestItems;
  readonly #operations = new Map<string, number>();
  #total = 0;

  /** @param max the number of items to keep */
  constructor(max: number) {
    this.#max = max;
    this.#usual = new BestItems(max);
  }

  get total(): number {
    return this.#total;
  }

  /** @param parts called only for an item that is kept */
  add(item: Omit<DocumentItem, 'parts'>, parts: () => readonly DocumentItemPart[]): void {
    const at = this.#total;
    this.#total += 1;
    const { operation, amounts, unusual } = item;
    count(this.#operations, operation);
    this.totals.add(amounts);
    const weight = weightOf(amounts);
    let ranked: RankedItem | undefined;
    const make = () => {
      ranked ??= { item: { ...item, parts: parts() }, weight, at };
      return ranked;
    };
    if (unusual.length === 0) this.#usual.add(weight, make);
    for (const kind of new Set(unusual.map((one) => one.kind))) this.#bestOf(kind).add(weight, make);
  }

  #bestOf(kind: string): BestItems {
    const key = this.#kinds.has(kind) || this.#kinds.size < MAX_KINDS ? kind : OTHERS;
    const best = this.#kinds.get(key) ?? new BestItems(this.#max);
    this.#kinds.set(key, best);
    return best;
  }

  get operations(): [string, number][] {
    return [...this.#operations];
  }

  /** The number of items for each unusual kind, the rarest kind first. */
  get unusual(): [string, number][] {
    const all = [...this.#kinds].map(([kind, { total }]): [string, number] => [kind, total]);
    return all.sort(([, one], [, other]) => one - other);
  }

  /** Returns one item of each kind, then the next of each, so that no kind pushes another one out. */
  items(): DocumentItem[] {
    const kinds = this.unusual.map(([kind]) => this.#kinds.get(kind)?.sorted() ?? []);
    const found = new Set<DocumentItem>();
    const maxLength = kinds.reduce((max, { length }) => Math.max(max, length), 0);
    for (let at = 0; at < maxLength && found.size < this.#max; at += 1) {
      for (const kind of kinds) {
        const one = kind[at];
        if (one !== undefined && found.size < this.#max) found.add(one.item);
      }
    }
    for (const { item } of this.#usual.sorted()) if (found.size < this.#max) found.add(item);
    return [...found];
  }
}

/**
 * Returns the lowest price, or the negative of the largest amount that is paid; other items keep their order.
 */
function weightOf(amounts: readonly DocumentAmount[]): number {
  let weight = Number.POSITIVE_INFINITY;
  for (const { what, min, max } of amounts) {
    if (/amount|refund|adjust|fee|charge/i.test(what)) return -max;
    if (/price/i.test(what) && !/^(?:minimum|maximum)/.test(what)) weight = Math.min(weight, min);
  }
  return weight;
}

function count(counts: Map<string, number>, name: string): void {
  const key = counts.has(name) || counts.size < MAX_KINDS ? name : OTHERS;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Keeps the best items up to a maximum, and has at most twice as many in memory. */
class BestItems {
  total = 0;
  readonly #max: number;
  #items: RankedItem[] = [];
  /** An item with this weight or more is dropped, because enough collected items are at least as good. */
  #limit: number | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  add(weight: number, make: () => RankedItem): void {
    this.total += 1;
    if (this.#limit !== undefined && weight >= this.#limit) return;
    this.#items.push(make());
    if (this.#items.length < this.#max * 2) return;
    this.#items = this.sorted();
    this.#limit = this.#items.at(-1)?.weight;
  }

  sorted(): RankedItem[] {
    const compared = (one: number, other: number) => (one === other ? 0 : one - other);
    return this.#items
      .toSorted((one, other) => compared(one.weight, other.weight) || one.at - other.at)
      .slice(0, this.#max);
  }
}
