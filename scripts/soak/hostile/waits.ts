/** How long pings wait for their answers, without the time for which the program waited for a processor that others had, on this machine or on its host. */

import { setTimeout as sleep } from 'node:timers/promises';
import { processorWaitMs, stolenMs } from '../../bench/process-facts.ts';
import type { Session } from '../../bench/session.ts';

const PING_EVERY_MS = 50;
/** For those that are on their way when the call has been answered; in a program that hangs they never come. */
const REST_MS = 10_000;

export interface Watch {
  start(): void;
  /** For a processor, so far: of the program and of this process. */
  waitedMs(): number;
  /** The longest wait of a ping. */
  end(): Promise<number>;
}

export function createWatch(session: Session): Watch {
  let timer: NodeJS.Timeout | undefined;
  let longest = 0;
  let waited = waitedOf(session.pid);
  const before = waited;
  const waitedMs = () => {
    // It is gone with the process.
    waited = Math.max(waited, waitedOf(session.pid));
    return waited - before;
  };
  const open = new Set<() => void>();
  const ping = async () => {
    const [at, waitedThen] = [performance.now(), waitedMs()];
    const look = () => {
      longest = Math.max(longest, performance.now() - at - (waitedMs() - waitedThen));
    };
    open.add(look);
    await session.request('ping');
    look();
    open.delete(look);
  };
  return {
    start() {
      void ping();
      timer = setInterval(ping, PING_EVERY_MS);
    },
    waitedMs,
    async end() {
      clearInterval(timer);
      const until = performance.now() + REST_MS;
      while (open.size > 0 && performance.now() < until) await sleep(1);
      for (const look of open) look();
      return longest;
    },
  };
}

const waitedOf = (pid: number): number => processorWaitMs(pid) + processorWaitMs(process.pid) + stolenMs();
