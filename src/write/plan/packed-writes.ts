/** The writes of a long list, packed: their operation and whose they are stand once for all of them. */

import { isDeepStrictEqual } from 'node:util';
import { type LongList, Packed } from '../../base/packed.ts';
import type { BatchWrite } from './prepared-batch.ts';

type Shared = Pick<BatchWrite['input'], 'operation'> & Pick<BatchWrite['request'], 'owner'>;

interface PackedWrite extends Omit<BatchWrite, 'input' | 'request'> {
  input: Omit<BatchWrite['input'], 'operation'>;
  request: Omit<BatchWrite['request'], 'owner'>;
  /** Place of what it shares with others. */
  of: number;
}

export class PackedWrites implements LongList<BatchWrite> {
  readonly #writes: Packed<PackedWrite>;
  readonly #shared: Shared[] = [];

  /** @param plainParts as of `Packed` */
  constructor(plainParts?: number) {
    this.#writes = new Packed(plainParts);
  }

  get length(): number {
    return this.#writes.length;
  }

  push(write: BatchWrite): void {
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

  at(index: number): BatchWrite | undefined {
    const packed = this.#writes.at(index);
    return packed && this.#open(packed);
  }

  *[Symbol.iterator](): Generator<BatchWrite> {
    for (const packed of this.#writes) yield this.#open(packed);
  }

  /** That of the one before, mostly: each write has an owner of its own, that says the same. */
  #placeOf({ operation, owner }: Shared): number {
    const known = this.#shared.findLastIndex(
      (one) => one.operation === operation && isDeepStrictEqual(one.owner, owner),
    );
    return known >= 0 ? known : this.#shared.push({ operation, owner }) - 1;
  }

  #open({ of, input, request, ...own }: PackedWrite): BatchWrite {
    const shared = this.#shared[of];
    if (shared === undefined) throw new Error('A packed write without its operation');
    const { operation, owner } = shared;
    return { ...own, input: { ...input, operation }, request: { ...request, owner } };
  }
}
