/** Numbers that look random and are the same in every run. */

/** A linear congruential generator of integers from 0 to 2^24: random enough for made-up data, and repeatable. */
export function createSequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}

/** Returns a seed for what is always the same for one text, such as a SKU. */
export const seedOf = (text: string): number =>
  [...text].reduce((sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) >>> 0, 7);

/** One of them, as the sequence has it. @throws RangeError where there is none */
export function pick<T>(next: () => number, all: readonly T[]): T {
  const found = all[next() % all.length];
  if (found === undefined) throw new RangeError('nothing to choose from');
  return found;
}
