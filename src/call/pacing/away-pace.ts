/** A share of one limit while the store is away: each replica has slots of its own, in the time of the store's clock. */

export interface Share {
  requestsPerSecond: number;
  /** Of the calls that may go at once, those that were left when the store was last asked; none of them is sure. */
  left: number;
  burst: number;
  replicas: { count: number; own: number };
  /** When the store was lost, and the last place that it gave; microseconds of its clock. */
  lostAt: number;
  lastPlace: number;
}

/** Slots are longer than the limit asks for by so much: calls arrive later than they are sent, and not all as late. */
const LONGER = 0.05;
/** Of a slot so much is used, since whoever has the next one begins at once: more where a call is left over at once. */
const used = (burst: number) => (burst > 1 ? 0.25 : LONGER);

export class AwayPace {
  readonly #slot: number;
  readonly #usedMost: number;
  readonly #replicas: { count: number; own: number };
  #left: number;
  #from: number;
  /** The slot that was used last. */
  #used = -1;

  constructor({ requestsPerSecond, left, burst, replicas, lostAt, lastPlace }: Share) {
    const { count } = replicas;
    this.#slot = (1_000_000 / requestsPerSecond) * (1 + LONGER);
    this.#usedMost = this.#slot * used(burst);
    this.#replicas = replicas;
    this.#left = Math.floor(left / count);
    // The others have places that the store gave them, one each: with nothing left over they come first.
    this.#from = Math.max(lostAt, lastPlace) + this.#slot * (burst > 1 ? 1 : count);
  }

  /** Microseconds until the next call may go; 0 counts it as sent. */
  take(now: number): number {
    if (this.#left > 0) {
      this.#left -= 1;
      return 0;
    }
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
    this.#left = 0;
    this.#from = Math.max(this.#from, now + pause + this.#slot);
  }
}
