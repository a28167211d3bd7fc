/** Loaded into a measured program: at exit, writes how long its main thread stood still at most since SIGUSR2, in ms, to HOLD_FILE. */

import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 5;

if (isMainThread) watch();

/** Time spent waiting for a processor that other programs had is left out if the system reports it. */
function watch(): void {
  let at = performance.now();
  let waited = waitedMs();
  let longest = 0;
  const look = () => {
    const now = performance.now();
    const waitedNow = waitedMs();
    longest = Math.max(longest, now - at - (waitedNow - waited) - EVERY_MS);
    at = now;
    waited = waitedNow;
  };
  setInterval(look, EVERY_MS).unref();
  process.on('SIGUSR2', () => {
    longest = 0;
  });
  process.on('exit', () => {
    look();
    writeFileSync(process.env.HOLD_FILE ?? '', String(longest));
  });
}

/** The main thread's, so far; 0 where there is no /proc. */
function waitedMs(): number {
  try {
    const schedule = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8');
    return Number(schedule.split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
