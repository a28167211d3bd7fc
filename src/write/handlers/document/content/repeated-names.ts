/** Counts names that occur more than once, with a number of eight bytes for each. */

/** The maximum number of names to compare. */
const MAX_NAMES = 5_000_000;

export class RepeatedNames {
  #digests = new Float64Array(1_024);
  #size = 0;

  add(name: string): void {
    if (this.#size === MAX_NAMES) return;
    if (this.#size === this.#digests.length) {
      const larger = new Float64Array(this.#digests.length * 2);
      larger.set(this.#digests);
      this.#digests = larger;
    }
    this.#digests[this.#size] = digestOf(name);
    this.#size += 1;
  }

  /** Returns how many of the names repeat an earlier one. */
  repeated(): number {
    const sorted = this.#digests.subarray(0, this.#size).sort();
    let repeated = 0;
    for (let at = 1; at < sorted.length; at += 1) if (sorted[at] === sorted[at - 1]) repeated += 1;
    return repeated;
  }
}

/** Hashes a name to 53 bits, so that two of some millions hardly ever collide. */
function digestOf(name: string): number {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    one = Math.imul(one ^ code, 2_654_435_761);
    other = Math.imul(other ^ code, 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
  other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & other) + (one >>> 0);
}
