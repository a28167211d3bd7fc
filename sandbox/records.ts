/** What went through the sandbox: counted always, and kept for tests and checks that compare it where asked for. */

import type { OperationStats, RecordedRequest, SandboxStats } from './types.ts';

const MAX_KEPT = 10_000;

export interface Recorder {
  /** `describe` runs only when recording is on. */
  add(describe: () => RecordedRequest): void;
  read(): readonly RecordedRequest[];
}

export function createRecorder(on: boolean): Recorder {
  const kept: RecordedRequest[] = [];
  return {
    add(describe) {
      if (!on) return;
      kept.push(describe());
      if (kept.length > MAX_KEPT) kept.shift();
    },
    read: () => [...kept],
  };
}

export const TOKEN_EXCHANGE = 'exchangeToken';

export interface Counter {
  connection(): void;
  rejectedToken(): void;
  /** `cut`: the connection ended without an answer. */
  answered(operation: string, status: number | 'cut'): void;
  read(): SandboxStats;
}

const none = (): OperationStats => ({ calls: 0, succeeded: 0, rateLimited: 0, failed: 0 });

function outcomeOf(status: number | 'cut'): 'succeeded' | 'rateLimited' | 'failed' {
  if (status === 429) return 'rateLimited';
  return status !== 'cut' && status >= 200 && status < 300 ? 'succeeded' : 'failed';
}

export function createCounter(): Counter {
  const operations = new Map<string, OperationStats>();
  let connections = 0;
  let rejectedTokens = 0;
  return {
    connection: () => {
      connections += 1;
    },
    rejectedToken: () => {
      rejectedTokens += 1;
    },
    answered(operation, status) {
      const stats = operations.get(operation) ?? none();
      operations.set(operation, stats);
      stats.calls += 1;
      stats[outcomeOf(status)] += 1;
    },
    read() {
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
