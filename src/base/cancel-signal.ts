/** A cancellation signal that stays cheap with many short-lived listeners. */

/**
 * A signal of either kind, which callers read and listen to alike: an `Ending` or the system's `AbortSignal`.
 */
export type AnySignal = CancelSignal | AbortSignal;

/**
 * Maps the AbortSignals of our own endings back to them, because AbortSignal searches all its listeners for
 * each one added or removed.
 */
const endings = new WeakMap<AbortSignal, CancelSignal>();

/**
 * A cancellation signal for many short-lived listeners. Most of them need no AbortSignal, whose creation
 * costs more than all else.
 */
export class CancelSignal {
  aborted = false;
  reason: unknown;
  readonly told = new Set<() => void>();
  #controller: AbortController | undefined;

  /** The AbortSignal for callers that accept nothing else, created on first use. */
  get signal(): AbortSignal {
    this.#controller ??= this.#makeController();
    return this.#controller.signal;
  }

  #makeController(): AbortController {
    const controller = new AbortController();
    endings.set(controller.signal, this);
    if (this.aborted) controller.abort(this.reason);
    return controller;
  }

  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.#controller?.abort(reason);
    for (const run of [...this.told]) run();
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }
}

/**
 * Calls `run` when the signal aborts.
 * @returns a function that removes the listener
 */
export function onAbort(stop: AnySignal, run: () => void): () => void {
  if (!(stop instanceof CancelSignal)) {
    const ending = endings.get(stop);
    if (ending !== undefined) return onAbort(ending, run);
    stop.addEventListener('abort', run);
    return () => stop.removeEventListener('abort', run);
  }
  stop.told.add(run);
  return () => stop.told.delete(run);
}
