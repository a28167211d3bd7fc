/** How the cost of work grows with its input, told without a limit in seconds: a busy machine slows both sizes alike. */

/** Quadratic work never gets there; linear work at its first undisturbed try. */
const TRIES = 25;

/** For ten times the input linear work takes about 10 times as long, quadratic 100. */
const FACTOR = 10;
const AT_MOST = 40;

/** @param prepare makes the work for an input of a size */
export function growsLinearly(size: number, prepare: (size: number) => () => unknown): boolean {
  const [small, large] = [prepare(size), prepare(FACTOR * size)];
  let [leastSmall, leastLarge] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let count = 0; count < TRIES; count += 1) {
    leastSmall = Math.min(leastSmall, timeOf(small));
    leastLarge = Math.min(leastLarge, timeOf(large));
    if (leastLarge < AT_MOST * leastSmall) return true;
  }
  return false;
}

function timeOf(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
