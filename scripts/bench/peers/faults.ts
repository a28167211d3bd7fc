/** What happens to one call when the service fails once, or keeps resetting the connection. */

import type { Fault } from '../../../sandbox/sandbox.ts';
import type { Row } from '../report.ts';
import { exactly } from '../statistics.ts';
import type { Subject, SubjectKind } from './subject.ts';

/** A library that loops is stopped after this many attempts, or this much time. */
const MOST_ATTEMPTS = 2000;
const MOST_MS = 15_000;

interface FaultCase {
  what: string;
  prepare(subject: Subject): void;
}

const fault = (what: string, one: Fault): FaultCase => ({
  what,
  prepare: ({ sandbox }) => sandbox.faults.next({ operation: 'getCatalogItem', ...one }),
});

const CASES: readonly FaultCase[] = [
  { what: 'token rejected once', prepare: ({ sandbox }) => sandbox.expireTokens() },
  fault('one 503', { status: 503 }),
  fault('one reset connection', { reset: true }),
  fault('every connection reset', { reset: true, times: Number.POSITIVE_INFINITY }),
];

export async function measureFaults(kind: SubjectKind): Promise<Row[]> {
  const rows: Row[] = [];
  for (const one of CASES) rows.push(await measureCase(kind, one));
  return rows;
}

/** One call to get a token, then the call that hits the fault. */
async function measureCase(kind: SubjectKind, { what, prepare }: FaultCase): Promise<Row> {
  const subject = await kind.open({ rateLimits: false });
  try {
    await subject.call();
    const before = subject.sandbox.stats().calls;
    prepare(subject);
    const started = performance.now();
    const ended = await Promise.race([subject.call(), stopped(subject, before)]);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const attempts = subject.sandbox.stats().calls - before;
    const outcome = ended === 'stopped' ? 'still trying, stopped' : ended ? 'succeeded' : 'failed';
    return {
      point: 7,
      measure: `${what}: requests sent`,
      program: kind.name,
      value: exactly(attempts),
      unit: '',
      note: `${outcome} after ${seconds} s`,
    };
  } finally {
    await subject.close();
  }
}

async function stopped({ sandbox }: Subject, before: number): Promise<'stopped'> {
  const end = performance.now() + MOST_MS;
  while (performance.now() < end && sandbox.stats().calls - before < MOST_ATTEMPTS) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return 'stopped';
}
