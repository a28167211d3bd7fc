/** The outcome of every call of the soak. */

import { percentile } from '../bench/statistics.ts';
import type { SoakCall } from './calls.ts';

/** A call answered later than its deadline plus this is a violation. */
const GRACE_MS = 1000;

interface Late {
  kind: string;
  ms: number;
  limitMs: number;
}

export class Ledger {
  readonly #deadlineMs: number;
  readonly #open = new Set<SoakCall>();
  readonly #counts = new Map<string, { ok: number; failed: number; latencies: number[] }>();
  readonly #late: Late[] = [];
  cancelled = 0;

  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
  }

  opened(call: SoakCall): void {
    this.#open.add(call);
  }

  /** The server owes a cancelled call no answer; false when it was already answered. */
  cancel(call: SoakCall): boolean {
    const open = this.#open.delete(call);
    if (open) this.cancelled += 1;
    return open;
  }

  answered(call: SoakCall, ok: boolean, ms: number): void {
    if (!this.#open.delete(call)) return;
    const counts = this.#counts.get(call.kind) ?? { ok: 0, failed: 0, latencies: [] };
    this.#counts.set(call.kind, counts);
    counts[ok ? 'ok' : 'failed'] += 1;
    counts.latencies.push(ms);
    const limitMs = call.steps * this.#deadlineMs + GRACE_MS;
    if (ms > limitMs) this.#late.push({ kind: call.kind, ms, limitMs });
  }

  get unanswered(): number {
    return this.#open.size;
  }

  violations(): string[] {
    const late = this.#late.map(
      ({ kind, ms, limitMs }) => `a ${kind} call took ${Math.round(ms)} ms (${limitMs} allowed)`,
    );
    const lost = [...this.#open].map(({ kind }) => `a ${kind} call was never answered`);
    return [...late, ...lost];
  }

  /** One line for each kind of call. */
  lines(): string[] {
    return [...this.#counts].map(([kind, { ok, failed, latencies }]) => {
      const [p50, p99, most] = [0.5, 0.99, 1].map((share) => Math.round(percentile(latencies, share)));
      const shares = `${ok} succeeded, ${failed} ended with an error`;
      return `${kind.padEnd(10)} ${shares}; p50 ${p50} ms, p99 ${p99} ms, longest ${most} ms`;
    });
  }
}
