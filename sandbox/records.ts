/** Records the requests to the sandbox: counts them always, and stores them on request for tests that compare them. */

import type { OperationStats, RecordedRequest, SandboxStats } from './sandbox.ts';

const MAX_KEPT = 10_000;

export type Recorder = ReturnType<typeof createRecorder>;

export function createRecorder(on: boolean) {
  const kept: RecordedRequest[] = [];
  return {
    /** `describe` runs only when recording is on. */
    add(describe: () => RecordedRequest): void {
      if (!on) return;
      kept.push(describe());
      if (kept.length > MAX_KEPT) kept.shift();
    },
    read: (): readonly RecordedRequest[] => [...kept],
  };
}

export const TOKEN_EXCHANGE = 'exchangeToken';

export type Counter = ReturnType<typeof createCounter>;

const none = (): OperationStats => ({ calls: 0, succeeded: 0, rateLimited: 0, failed: 0 });

function outcomeOf(status: number | 'cut'): 'succeeded' | 'rateLimited' | 'failed' {
  if (status === 429) return 'rateLimited';
  return status !== 'cut' && status >= 200 && status < 300 ? 'succeeded' : 'failed';
}

export function createCounter() {
  const operations = new Map<string, OperationStats>();
  let connections = 0;
  let rejectedTokens = 0;
  return {
    connection(): void {
      connections += 1;
    },
    rejectedToken(): void {
      rejectedTokens += 1;
    },
    /** `cut`: the connection ended without an answer. */
    answered(operation: string, status: number | 'cut'): void {
      const stats = operations.get(operation) ?? none();
      operations.set(operation, stats);
      stats.calls += 1;
      stats[outcomeOf(status)] += 1;
    },
    read(): SandboxStats {
      const { [TOKEN_EXCHANGE]: exchange = none(), ...calls } = Object.fromEntries(
        [...operations].map(([name, stats]) => [name, { ...stats }]),
      );
      const sum = (key: keyof OperationStats): number =>
        Object.values(calls).reduce((total, one) => total + one[key], 0);
      return {
        exchanges: exchange.succeeded,
        failedExchanges: exchange.failed + exchange.rateLimited,
        calls: sum('calls'),
        rateLimited: sum('rateLimited'),
        rejectedTokens,
        connections,
        operations: calls,
      };
    },
  };
}
