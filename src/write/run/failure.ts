/** What is known of a write that failed: for the journal, and for whoever wants to repeat it. */

import { ApiError, AppError, mayHaveBeenApplied } from '../../base/errors.ts';
import { quoteText } from '../../base/text/escape-text.ts';
import type { Operation } from '../../service/facts/operation.ts';
import type { WriteOutcome } from '../keep/journal/entry.ts';
import type { ReadBack } from '../model/change.ts';

/** @param key the idempotency key that the write was to carry, in case the error does not name the one it carried */
export function failureOutcome(error: unknown, key?: string): WriteOutcome {
  return {
    // What is no error of ours is a crash: nothing is known then. The others tell the worst that any attempt may have done.
    outcome: !(error instanceof AppError) || mayHaveBeenApplied(error) ? 'unknown' : 'failed',
    error: error instanceof Error ? error.message : String(error),
    ...(error instanceof ApiError ? { status: error.status, requestId: error.requestId?.data() } : {}),
    idempotencyKey: (error instanceof AppError ? error.idempotencyKey : undefined) ?? key,
  };
}

/** What a read-back says about a write whose fate is unknown, and how to repeat it without doing it twice. */
export function describeFate(
  error: AppError,
  readBack: ReadBack | undefined,
  { idempotencyKey: place }: Operation,
  key: string | undefined,
): string {
  const found = describeReadBack(readBack, error instanceof ApiError);
  if (place === undefined || key === undefined) return found;
  const where = place.in === 'header' ? `the parameter ${place.name}` : `${place.name} in the body`;
  return `${found} To repeat it so that it happens once only, send the same with ${where} set to ${quoteText(key)}.`;
}

/** @param answered the service has answered, so that nothing can still be on its way. */
function describeReadBack(readBack: ReadBack | undefined, answered: boolean): string {
  if (readBack === undefined) return 'Read the current state before repeating it.';
  // The problem itself may hold text of the service, which has no place in a hint of ours.
  if (readBack.problem !== undefined)
    return 'It could not be read back now: read it before repeating the write.';
  const count = readBack.differences.length + readBack.notYet.length;
  if (count === 0)
    return 'Read back now: the service has exactly what was sent, so the write was applied. Do not repeat it.';
  const differ = `Read back now: members that differ from what was sent: ${count}`;
  return answered
    ? `${differ}, so the write was probably not applied.`
    : `${differ}. The write was not applied so far, but may still be on its way: read it once more before repeating it.`;
}
