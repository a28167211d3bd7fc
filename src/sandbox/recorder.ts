/** Keeps what arrived, for tests and checks that compare it; bounded, and off unless asked for. */

import type { RecordedRequest } from './types.ts';

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
