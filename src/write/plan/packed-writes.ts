/** The writes of a long list, packed: their operation and whose they are stand once for all of them. */

import { isDeepStrictEqual } from 'node:util';
import { type LongList, Packed } from '../../base/packed.ts';
import type { PreviewedWrite } from './prepared-batch.ts';

type Shared = Pick<PreviewedWrite['input'], 'operation'> & Pick<PreviewedWrite['request'], 'owner'>;

interface PackedWrite extends Omit<PreviewedWrite, 'input' | 'request'> {
  input: Omit<PreviewedWrite['input'], 'operation'>;
  request: Omit<PreviewedWrite['request'], 'owner'>;
  /** Place of what it shares with others. */
  of: number;
}

export class PackedWrites implements LongList<PreviewedWrite> {
  readonly #writes: Packed<PackedWrite>;
  readonly #shared: Shared[] = [];

  /** @param plainParts as of `Packed` */
  constructor(plainParts?: number) {
    this.#writes = new Packed(plainParts);
  }

  get length(): number {
    return this.#writes.length;
  }

  push(write: PreviewedWrite): void {
    const { input, request, ...own } = write;
    const { operation, ...given } = input;
    const { filledIn, owner } = request;
    this.#writes.push({
      ...own,
      input: given,
      request: { filledIn },
      of: this.#placeOf({ operation, owner }),
    });
  }

  at(index: number): PreviewedWrite | undefined {
    const packed = this.#writes.at(index);
    return packed && this.#open(packed);
  }

  *[Symbol.iterator](): Generator<PreviewedWrite> {
    for (const packed of this.#writes) yield this.#open(packed);
  }

  /** That of the one before, mostly: each write has an owner of its own, that says the same. */
  #placeOf({ operation, owner }: Shared): number {
    const known = this.#shared.findLastIndex(
      (one) => one.operation === operation && isDeepStrictEqual(one.owner, owner),
    );
    return known >= 0 ? known : this.#shared.push({ operation, owner }) - 1;
  }

  #open({ of, input, request, ...own }: PackedWrite): PreviewedWrite {
    const shared = this.#shared[of];
    if (shared === undefined) throw new Error('A packed write without its operation');
    const { operation, owner } = shared;
    return { ...own, input: { ...input, operation }, request: { ...request, owner } };
  }
}
