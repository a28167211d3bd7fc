/** What ends a command early: the first signal asks it to, and when its time is over the process is gone all the same. */

const NAMES = ['SIGINT', 'SIGTERM'] as const;
type Name = (typeof NAMES)[number];

/** A command that was asked to end is gone within a second. */
export const GRACE_MS = 900;

const LOOK_AGAIN_MS = 20;

/** Work of the operating system that Node waits for when it exits: a file or a name server that does not answer. */
const UNENDED_WORK = /^(?:FSReq|GetAddrInfoReq|GetNameInfoReq)/;

/** What is used of the process. */
export interface StoppedProcess {
  readonly pid: number;
  once(name: Name, listener: () => void): unknown;
  off(name: Name, listener: () => void): unknown;
  kill(pid: number, name: Name): unknown;
  getActiveResourcesInfo(): readonly string[];
}

export interface StopSignals {
  /**
   * Aborts on SIGINT and SIGTERM. Before it is first read, both end the process at once, as the system does by itself:
   * also in the midst of a long calculation, when no listener would be called.
   */
  readonly signal: AbortSignal;
  /** How long what runs may take to end, in milliseconds from the first signal. */
  graceMs: number;
  /** Calls `exit` as soon as the process can; from now on a signal ends it at once. */
  leave(exit: () => void): void;
}

/** @param tell says to the person that the process is ended in the midst of its work. */
export function createStopSignals(process: StoppedProcess, tell: (text: string) => void): StopSignals {
  const abort = new AbortController();
  const listeners = new Map<Name, () => void>();
  const forget = () => {
    for (const [name, listener] of listeners) process.off(name, listener);
  };
  const stop = (name: Name, graceMs: number) => {
    setTimeout(() => {
      tell('Stopped before everything was finished.\n');
      forget();
      // Not exit(), which waits for work that cannot be ended: the system does not.
      process.kill(process.pid, name);
    }, graceMs).unref();
    abort.abort();
  };
  const signals: StopSignals = {
    get signal() {
      for (const name of listeners.size === 0 ? NAMES : []) {
        const listener = () => stop(name, signals.graceMs);
        listeners.set(name, listener);
        // Once: a second one of the same kind ends the process at once.
        process.once(name, listener);
      }
      return abort.signal;
    },
    graceMs: GRACE_MS,
    leave(exit) {
      forget();
      const isHeldUp = () => process.getActiveResourcesInfo().some((kind) => UNENDED_WORK.test(kind));
      if (abort.signal.aborted && isHeldUp()) setTimeout(() => signals.leave(exit), LOOK_AGAIN_MS);
      else exit();
    },
  };
  return signals;
}
