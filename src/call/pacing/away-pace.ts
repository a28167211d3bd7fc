/**
 * Paces one limit while the store is away: each replica sends in time slots of its own, by the store's clock.
 * Other replicas may still reach the store, which gives out what these shares leave over, and nothing that
 * may go at once.
 */

import { MIN_SHARERS, NOTICED_US } from '../../replicas/shared-store.ts';

export interface Share {
  requestsPerSecond: number;
  burst: number;
  replicas: { count: number; own: number };
  /** When the store was lost, and the last place that it gave; microseconds of its clock. */
  lostAt: number;
  lastPlace: number;
}

/** Slots are longer than the limit asks for by so much: calls arrive later than they are sent, and not all as late. */
const LONGER = 0.05;
/**
 * Calls start in this fraction of a slot, because the replica with the next slot begins at once. It is larger
 * where the burst leaves room for one more call.
 */
const used = (burst: number) => (burst > 1 ? 0.25 : LONGER);

export class AwayPace {
  readonly #slot: number;
  readonly #usedMost: number;
  readonly #replicas: { count: number; own: number };
  #from: number;
  /** The slot that was used last. */
  #used = -1;

  constructor({ requestsPerSecond, burst, replicas, lostAt, lastPlace }: Share) {
    const count = Math.max(MIN_SHARERS, replicas.count);
    this.#slot = (1_000_000 / requestsPerSecond) * (1 + LONGER);
    this.#usedMost = this.#slot * used(burst);
    this.#replicas = { count, own: replicas.own };
    // The others have places that the store gave them, one each: with nothing left over they come first.
    this.#from = Math.max(lostAt + NOTICED_US, lastPlace) + this.#slot * (burst > 1 ? 1 : count);
  }

  /** Microseconds until the next call may go; 0 counts it as sent. */
  take(now: number): number {
    const { count, own } = this.#replicas;
    const from = Math.max(now, this.#from);
    let slot = Math.floor(from / this.#slot);
    const isLate = from - slot * this.#slot > this.#usedMost;
    if (isLate || slot <= this.#used) slot = Math.max(slot + (isLate ? 1 : 0), this.#used + 1);
    slot += (((own - slot) % count) + count) % count;
    const wait = slot * this.#slot - now;
    if (wait > 0) return wait;
    this.#used = slot;
    return 0;
  }

  /** The service refused a call: nothing goes for so long. */
  refused(now: number, pause: number): void {
    this.#from = Math.max(this.#from, now + pause + this.#slot);
  }
}
