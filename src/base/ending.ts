/** What ends once, told to many who come and go without a look through all of them. */

/** Looked at and listened to alike: one of ours, or one of the system's. */
export type Stop = Ending | AbortSignal;

/** Of signals that were made for an ending of ours: a signal looks through all its listeners for each that comes or goes. */
const endings = new WeakMap<AbortSignal, Ending>();

/** What ends once, for many who come and go. To most of them it is signal enough: the system's takes longer to make than all else. */
export class Ending {
  aborted = false;
  reason: unknown;
  readonly told = new Set<() => void>();
  #controller: AbortController | undefined;

  /** For whoever takes nothing else. */
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

/** @returns what ends the listening */
export function onAbort(stop: Stop, run: () => void): () => void {
  if (!(stop instanceof Ending)) {
    const ending = endings.get(stop);
    if (ending !== undefined) return onAbort(ending, run);
    stop.addEventListener('abort', run);
    return () => stop.removeEventListener('abort', run);
  }
  stop.told.add(run);
  return () => stop.told.delete(run);
}
