/** How the cost of work grows with its input, told without a limit in seconds: a busy machine slows both sizes alike. */

/** Quadratic work never gets there; linear work at its first undisturbed try. */
const TRIES = 60;

/** Ten small inputs cost linear work what one of ten times their size does, so that both are disturbed as much; quadratic work costs ten times as much for the one. */
const FACTOR = 10;
const AT_MOST = 4;

/**
 * The number of runs of the small input, because a disturbed or uncompiled one would make anything look
 * linear.
 */
const LOOKS = 5;

/**
 * @param size ten times of it should fit into a processor's cache: what does not is slowed by other work, and alone
 * @param prepare makes the work for an input of a size
 */
export function growsLinearly(size: number, prepare: (size: number) => () => unknown): boolean {
  const [small, large] = [prepare(size), prepare(FACTOR * size)];
  let leastLarge = timeOf(large, 1);
  let leastSmall = Math.min(...Array.from({ length: LOOKS }, () => timeOf(small, FACTOR)));
  for (let count = 1; count < TRIES && leastLarge >= AT_MOST * leastSmall; count += 1) {
    leastLarge = Math.min(leastLarge, timeOf(large, 1));
    leastSmall = Math.min(leastSmall, timeOf(small, FACTOR));
  }
  return leastLarge < AT_MOST * leastSmall;
}

function timeOf(work: () => unknown, times: number): number {
  const started = performance.now();
  for (let time = 0; time < times; time += 1) work();
  return performance.now() - started;
}
