/** What ends once, told to many who come and go without a look through all of them. */

/** What ends once, for many who come and go. */
export interface Ending {
  signal: AbortSignal;
  abort(reason?: unknown): void;
}

/** Of endings of ours, who is told: a signal looks through all its listeners for each that comes or goes. */
const told = new WeakMap<AbortSignal, Set<() => void>>();

export function createEnding(): Ending {
  const controller = new AbortController();
  const { signal } = controller;
  const all = new Set<() => void>();
  told.set(signal, all);
  return {
    signal,
    abort(reason) {
      if (signal.aborted) return;
      controller.abort(reason);
      for (const run of [...all]) run();
    },
  };
}

/** @returns what ends the listening */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  const all = told.get(signal);
  if (all === undefined) {
    signal.addEventListener('abort', run);
    return () => signal.removeEventListener('abort', run);
  }
  all.add(run);
  return () => all.delete(run);
}
