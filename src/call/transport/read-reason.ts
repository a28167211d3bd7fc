/** What a signed address says when it refuses: the beginning of its answer. */

import type { Dispatcher } from 'undici';

const LONGEST_BYTES = 4_096;

/** Empty where it does not come. */
export async function readReason(answer: Dispatcher.ResponseData): Promise<string> {
  let reason = '';
  try {
    for await (const piece of answer.body) {
      reason += String(piece);
      if (reason.length >= LONGEST_BYTES) break;
    }
  } catch {
    // The status says enough.
  }
  return reason.slice(0, LONGEST_BYTES);
}
