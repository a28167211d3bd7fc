/** The hostile soak: one case after the other through the spawned program, with pings all the while. */

import { setTimeout as sleep } from 'node:timers/promises';
import { peakMemoryMb } from '../../bench/process-facts.ts';
import type { Session } from '../../bench/session.ts';
import type { HostileCase } from './cases.ts';
import { linesOf, type Measured } from './figures.ts';
import { COLLECTED } from './statements.ts';
import { createWatch } from './waits.ts';

/** The longest that a ping may wait. */
const MOST_WAIT_MS = 150;
const MOST_END_MS = 1000;
/** A call that is answered later than its deadline plus this is too late. */
const GRACE_MS = 1000;
/** After this nothing is expected any more. */
const HANG_MS = 60_000;
/** Cases before a process is ended, every other time while one is in work. */
const CASES_EACH = 60;
const IN_WORK_MS = 200;
const SHOWN = 400;

export interface HostileInput {
  makeCase(seed: number): HostileCase;
  /** Of the first case. */
  seed: number;
  minutes: number;
  /** Most cases. */
  cases: number;
  /** Only cases of it. */
  kind: string | undefined;
  /** Of each call, as set for the program. */
  deadlineMs: number;
  /** A new process, which has been initialized. */
  start(): Promise<Session>;
  /** What the service answers from now on. */
  answer(of: Pick<HostileCase, 'status' | 'body'>): void;
}

export interface HostileOutcome {
  lines: string[];
  violations: string[];
}

export async function runHostile(input: HostileInput): Promise<HostileOutcome> {
  const until = performance.now() + input.minutes * 60_000;
  const last = input.seed + input.cases;
  const measured: Measured[] = [];
  const endings: number[] = [];
  let memoryMb = 0;
  const violations: string[] = [];
  let seed = input.seed;
  while (seed < last && performance.now() < until) {
    const first = seed;
    const tell = (at: number, what: string) => {
      violations.push(`${what}\n  ${howToRepeat(first, at)}`);
      console.log(`VIOLATION: ${violations.at(-1)}`);
    };
    const session = await startProcess(input);
    for (; seed < Math.min(last, first + CASES_EACH) && performance.now() < until; seed += 1) {
      const each = input.makeCase(seed);
      if (each.kind !== (input.kind ?? each.kind)) continue;
      const result = await runCase(session, each, input);
      measured.push(result);
      for (const wrong of judge(result, session, input)) tell(seed, `${wrong}: ${wordsOf(each)}`);
      if (session.isOver || result.callMs >= HANG_MS) {
        seed += 1;
        break;
      }
    }
    memoryMb = Math.max(memoryMb, peakMemoryMb(session.pid) ?? 0);
    if (session.isOver) continue;
    const inWork = seed % 2 === 0 ? input.makeCase(seed) : undefined;
    const endMs = await endProcess(session, inWork, input);
    endings.push(endMs);
    if (endMs <= MOST_END_MS) continue;
    const during = inWork === undefined ? '' : `, in the middle of ${wordsOf(inWork)}`;
    tell(seed, `the process ended ${Math.round(endMs)} ms after its stdin was closed${during}`);
  }
  return { lines: linesOf({ measured, endings, memoryMb }), violations };
}

const wordsOf = ({ kind, tool, how }: HostileCase) => `${kind}, ${tool}, ${how.slice(0, SHOWN)}`;

function howToRepeat(first: number, at: number): string {
  const command = 'npm run soak -- --hostile';
  return `again: ${command} --seed ${at} --cases 1; after what came before it: ${command} --seed ${first} --cases ${at - first + 1}`;
}

function judge({ waitMs, callMs }: Measured, session: Session, { deadlineMs }: HostileInput): string[] {
  return [
    ...(waitMs > MOST_WAIT_MS ? [`a ping waited ${Math.round(waitMs)} ms`] : []),
    ...(callMs > deadlineMs + GRACE_MS ? [`the call took ${Math.round(callMs)} ms`] : []),
    ...(session.isOver ? [`the program ended (${session.stderr.slice(-SHOWN)})`] : []),
  ];
}

/** Has a table with people in it, and every tool loaded that the cases call most. */
async function startProcess({ start, answer }: HostileInput): Promise<Session> {
  const session = await start();
  answer({ status: 200, body: Buffer.from(JSON.stringify(ORDERS)) });
  const collect = () => session.call('collect_data', { ...COLLECT, as: COLLECTED });
  const isThere = () => session.call('query_data', { sql: `SELECT count(*) FROM ${COLLECTED}` });
  for (await collect(); !(await isThere()) && !session.isOver; await collect()) await sleep(IN_WORK_MS);
  await session.call('read_operation', { operation: 'getSupplySources' });
  return session;
}

const COLLECT = { operation: 'searchOrders', parameters: { createdAfter: '2026-01-01T00:00:00Z' } };
const ORDERS = {
  orders: Array.from({ length: 300 }, (_, i) => ({
    orderId: `111-${i}`,
    buyer: { buyerName: `Erika Mustermann ${i}`, buyerEmail: `erika${i}@example.de` },
    note: `for Erika Mustermann ${i}`,
  })),
};

async function runCase(session: Session, each: HostileCase, input: HostileInput): Promise<Measured> {
  input.answer(each);
  const watch = createWatch(session);
  const before = performance.now();
  // Written before the first ping, so that this process holds up none of them.
  const called = session.call(each.tool, each.args);
  watch.start();
  const hang = new AbortController();
  const succeeded = await Promise.race([
    called,
    sleep(HANG_MS, false, { signal: hang.signal }).catch(() => false),
  ]);
  hang.abort();
  const callMs = performance.now() - before;
  return { kind: each.kind, succeeded, callMs: callMs - watch.waitedMs(), waitMs: await watch.end() };
}

async function endProcess(
  session: Session,
  inWork: HostileCase | undefined,
  { answer }: HostileInput,
): Promise<number> {
  if (inWork !== undefined) {
    answer(inWork);
    void session.call(inWork.tool, inWork.args);
    await sleep(IN_WORK_MS);
  }
  const watch = createWatch(session);
  const before = performance.now();
  watch.start();
  await session.close();
  const endMs = performance.now() - before - watch.waitedMs();
  await watch.end();
  return endMs;
}
