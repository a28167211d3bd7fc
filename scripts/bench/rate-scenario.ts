/** A service that enforces a limit, under more demand than it allows, and how much got through. */

import type { RateLimit, Sandbox } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/start-sandbox.ts';
import type { Row } from './report.ts';
import { exactly } from './statistics.ts';

/** How long there is demand. */
export const demandSeconds = ({ quick }: { quick: boolean }): number => (quick ? 6 : 60);

/** A 429 after this time means that nothing was learned from those before. */
const LEARNING_MS = 10_000;
/** A call that fails at once must not turn the demand into a loop without pauses. */
const PAUSE_AFTER_FAILURE_MS = 50;

export interface RateScenario {
  limit: RateLimit;
  /** Calls kept waiting or in flight, so that demand always exceeds what is allowed. */
  inFlight: number;
}

export interface RateFigures {
  succeeded: number;
  allowed: number;
  refused: number;
  /** 429s after the learning time. */
  refusedLate: number;
}

/** A sandbox in which every operation has this limit. */
export async function startLimited({ limit }: RateScenario, notes: Note[]): Promise<Sandbox> {
  return startSandbox({
    rateLimits: { getCatalogItem: limit, getListingsItem: limit, getItemOffers: limit },
    onAnswer: ({ operation, status }) => {
      if (operation !== 'exchangeToken') notes.push({ at: performance.now(), status });
    },
  });
}

export interface Note {
  at: number;
  status: number;
}

/** Keeps up the demand for `seconds` and counts what the service answered in that time. */
export async function demand(
  { limit, inFlight }: RateScenario,
  notes: readonly Note[],
  seconds: number,
  call: () => Promise<boolean>,
): Promise<RateFigures> {
  const started = performance.now();
  const end = started + seconds * 1000;
  const worker = async () => {
    while (performance.now() < end) {
      if (!(await call())) await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_FAILURE_MS));
    }
  };
  const workers = Array.from({ length: inFlight }, worker);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const seen = notes.filter(({ at }) => at >= started && at <= end);
  void Promise.allSettled(workers);
  const refused = seen.filter(({ status }) => status === 429);
  return {
    succeeded: seen.filter(({ status }) => status === 200).length,
    allowed: Math.floor(limit.burst + limit.requestsPerSecond * seconds),
    refused: refused.length,
    refusedLate: refused.filter(({ at }) => at - started > LEARNING_MS).length,
  };
}

/** @param most429 the target; undefined for none. */
export function rateRows(
  point: number,
  program: string,
  what: string,
  { succeeded, allowed, refused, refusedLate }: RateFigures,
  most429?: number,
): Row[] {
  const row = { point, program };
  const share = (succeeded / allowed) * 100;
  const judged = most429 !== undefined;
  const few = judged && refused <= most429 && refusedLate === 0;
  const fewText = most429 === 0 ? 'none' : `at most ${most429}, all in the first 10 s`;
  return [
    {
      ...row,
      measure: `${what}: succeeded of ${allowed} allowed`,
      value: exactly(share),
      unit: '%',
      ...(judged ? { target: { text: 'at least 95 %', met: share >= 95 } } : {}),
    },
    {
      ...row,
      measure: `${what}: 429s`,
      value: exactly(refused),
      unit: refusedLate > 0 ? `(${refusedLate} after 10 s)` : '',
      ...(judged ? { target: { text: fewText, met: few } } : {}),
    },
  ];
}

export const FAST: RateScenario = { limit: { requestsPerSecond: 5, burst: 10 }, inFlight: 32 };
export const SLOW: RateScenario = { limit: { requestsPerSecond: 0.5, burst: 1 }, inFlight: 8 };

export function limitText({ limit }: RateScenario): string {
  return `${limit.requestsPerSecond}/s burst ${limit.burst}`;
}
