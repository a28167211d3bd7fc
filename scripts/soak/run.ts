/** The soak itself: calls at a steady rate while faults happen, then the results. */

import { setTimeout as sleep } from 'node:timers/promises';
import { SHOP_ID } from '../../sandbox/fixtures/supply-sources.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { callCatalog } from '../bench/catalog-call.ts';
import type { Session } from '../bench/session.ts';
import { pickCall, type SoakCall } from './calls.ts';
import { startFaults } from './faults.ts';
import { Ledger } from './ledger.ts';
import { watch } from './watch.ts';

const FAULT_EVERY_MS = 300;
/** Time for calls in flight at the end, beyond the deadline of a call. */
const REST_MS = 5000;
const MAX_STEPS = 3;
/** After its faults the service must be in use again within this time. */
const RECOVERY_MS = 30_000;
const RECOVERY_PAUSE_MS = 250;

export interface SoakInput {
  sandbox: Sandbox;
  session: Session;
  minutes: number;
  callsPerSecond: number;
  /** The deadline of each call to the service, as set for the program. */
  deadlineMs: number;
}

export interface SoakOutcome {
  lines: string[];
  violations: string[];
}

export async function runSoak(input: SoakInput): Promise<SoakOutcome> {
  const { sandbox, session, deadlineMs } = input;
  const ledger = new Ledger(deadlineMs);
  const watched = watch(session.pid);
  const faults = startFaults(sandbox, FAULT_EVERY_MS);
  const calls = await makeCalls(input, ledger);
  watched.stop();
  faults.stop();
  await waitForRest(ledger, MAX_STEPS * deadlineMs + REST_MS);
  const recoveredMs = await timeToRecover(input);
  const { rateLimited, rejectedTokens, exchanges, connections } = sandbox.stats();
  const happened = [...faults.counts].map(([name, count]) => `${name} ${count}`).join(', ');
  return {
    lines: [
      `${calls} calls, ${ledger.cancelled} of them cancelled, ${session.late} answers after a cancellation`,
      ...ledger.lines(),
      ...watched.lines(),
      `the service: ${rateLimited} 429s, ${rejectedTokens} tokens refused, ${exchanges} exchanges, ${connections} connections`,
      `faults: ${happened}`,
      `a call succeeded ${Math.round(recoveredMs)} ms after the last fault`,
    ],
    violations: [
      ...ledger.violations(),
      ...watched.violations(),
      ...(recoveredMs < RECOVERY_MS ? [] : [`no call succeeded within ${RECOVERY_MS} ms after the faults`]),
      ...(/unhandled|uncaught/i.test(session.stderr) ? [`unhandled on stderr: ${session.stderr}`] : []),
    ],
  };
}

/** Calls repeatedly until one succeeds or time runs out. */
async function timeToRecover({ sandbox, session }: SoakInput): Promise<number> {
  const started = performance.now();
  while (performance.now() < started + RECOVERY_MS) {
    if (await callCatalog(session, sandbox.marketplaceId)) return performance.now() - started;
    await sleep(RECOVERY_PAUSE_MS);
  }
  return Number.POSITIVE_INFINITY;
}

async function makeCalls(input: SoakInput, ledger: Ledger): Promise<number> {
  const { sandbox, session, minutes, callsPerSecond } = input;
  const supplySourceId = SHOP_ID;
  const started = performance.now();
  let count = 0;
  while (performance.now() < started + minutes * 60_000) {
    void makeCall(session, ledger, pickCall(sandbox, supplySourceId, count));
    count += 1;
    // The next start is computed from the clock, so that a pause is made up for and the rate holds.
    await sleep(Math.max(0, started + (count * 1000) / callsPerSecond - performance.now()));
  }
  return count;
}

async function makeCall(session: Session, ledger: Ledger, call: SoakCall): Promise<void> {
  ledger.opened(call);
  const before = performance.now();
  const answered = session.call(call.tool, call.args);
  if (call.cancelAfterMs !== undefined) cancelLater(session, ledger, call, call.cancelAfterMs);
  ledger.answered(call, await answered, performance.now() - before);
}

function cancelLater(session: Session, ledger: Ledger, call: SoakCall, ms: number): void {
  const requestId = session.lastId;
  setTimeout(() => {
    if (!ledger.cancel(call)) return;
    session.notify('notifications/cancelled', { requestId, reason: 'soak' });
    session.forget(requestId);
  }, ms);
}

async function waitForRest(ledger: Ledger, mostMs: number): Promise<void> {
  const latest = performance.now() + mostMs;
  while (ledger.unanswered > 0 && performance.now() < latest) await sleep(100);
}
