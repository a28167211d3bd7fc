/** Keeps what arrived, for tests and checks that compare it; bounded, and off unless asked for. */

import type { RecordedRequest } from './types.ts';

const MAX_KEPT = 10_000;

export interface Recorder {
  add(request: RecordedRequest): void;
  read(): readonly RecordedRequest[];
}

export function createRecorder(on: boolean): Recorder {
  const kept: RecordedRequest[] = [];
  return {
    add(request) {
      if (!on) return;
      kept.push(request);
      if (kept.length > MAX_KEPT) kept.shift();
    },
    read: () => [...kept],
  };
}
