/** Keeps a number of calls in flight and notes how long each took. */

export interface LoadResult {
  callsPerSecond: number;
  /** One per call, in order of completion, in ms. */
  latencies: number[];
  failures: number;
}

/** @param call true when it succeeded. */
export async function runLoad(
  calls: number,
  inFlight: number,
  call: () => Promise<boolean>,
): Promise<LoadResult> {
  const latencies: number[] = [];
  let started = 0;
  let failures = 0;
  const worker = async () => {
    while (started < calls) {
      started += 1;
      const before = performance.now();
      if (!(await call())) failures += 1;
      latencies.push(performance.now() - before);
    }
  };
  const before = performance.now();
  await Promise.all(Array.from({ length: inFlight }, worker));
  return { callsPerSecond: (calls / (performance.now() - before)) * 1000, latencies, failures };
}
