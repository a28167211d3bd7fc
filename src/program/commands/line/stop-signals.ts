/**
 * Handles stop signals: the first one asks the command to end, and after its grace period the process is
 * ended.
 */

const NAMES = ['SIGINT', 'SIGTERM'] as const;
type SignalName = (typeof NAMES)[number];

/** The default grace period, so that a stopped command ends within a second. */
export const GRACE_MS = 900;

const LOOK_AGAIN_MS = 20;

/** Work of the operating system that delays the exit of Node: a file or name server that does not answer. */
const UNENDED_WORK = /^(?:FSReq|GetAddrInfoReq|GetNameInfoReq)/;

/** The part of the process that is used here. */
export interface StoppedProcess {
  readonly pid: number;
  once(name: SignalName, listener: () => void): unknown;
  off(name: SignalName, listener: () => void): unknown;
  kill(pid: number, name: SignalName): unknown;
  getActiveResourcesInfo(): readonly string[];
}

export interface StopSignals {
  /**
   * Aborts on SIGINT and SIGTERM. Before the first read, both end the process at once, even during a long
   * calculation, when no listener would be called.
   */
  readonly signal: AbortSignal;
  /** The grace period in milliseconds from the first signal. */
  graceMs: number;
  /** Calls `exit` as soon as the process can exit; from then on a signal ends it at once. */
  leave(exit: () => void): void;
}

/**
 * Installs the handlers.
 * @param tell tells the user that the process was ended during its work.
 */
export function createStopSignals(process: StoppedProcess, tell: (text: string) => void): StopSignals {
  const abort = new AbortController();
  const listeners = new Map<SignalName, () => void>();
  const forget = () => {
    for (const [name, listener] of listeners) process.off(name, listener);
  };
  const stop = (name: SignalName, graceMs: number) => {
    setTimeout(() => {
      tell('Stopped before everything was finished.\n');
      forget();
      // A signal is used because exit() would wait for operating system work that cannot be cancelled.
      process.kill(process.pid, name);
    }, graceMs).unref();
    abort.abort();
  };
  const signals: StopSignals = {
    get signal() {
      for (const name of listeners.size === 0 ? NAMES : []) {
        const listener = () => stop(name, signals.graceMs);
        listeners.set(name, listener);
        // The listener runs once, so that a second signal of the same kind ends the process at once.
        process.once(name, listener);
      }
      return abort.signal;
    },
    graceMs: GRACE_MS,
    leave(exit) {
      forget();
      const isDelayed = () => process.getActiveResourcesInfo().some((kind) => UNENDED_WORK.test(kind));
      if (abort.signal.aborted && isDelayed()) setTimeout(() => signals.leave(exit), LOOK_AGAIN_MS);
      else exit();
    },
  };
  return signals;
}
