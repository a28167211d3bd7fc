/** Describes a failed write for the journal, and for a caller that wants to repeat it. */

import { ApiError, AppError, mayHaveBeenApplied } from '../../base/errors.ts';
import { quoteText } from '../../base/text/escape-text.ts';
import type { Operation } from '../../service/facts/operation.ts';
import type { ReadBack } from '../model/change.ts';
import type { WriteOutcome } from '../records/journal/entry.ts';

/** @param key the idempotency key of the write, in case the error does not name the one that was sent */
export function failureOutcome(error: unknown, key?: string): WriteOutcome {
  return {
    // Any other error is a crash, after which nothing is known. Our errors report the worst that any attempt
    // may have done.
    outcome: !(error instanceof AppError) || mayHaveBeenApplied(error) ? 'unknown' : 'failed',
    error: error instanceof Error ? error.message : String(error),
    ...(error instanceof ApiError ? { status: error.status, requestId: error.requestId?.data() } : {}),
    idempotencyKey: (error instanceof AppError ? error.idempotencyKey : undefined) ?? key,
  };
}

/**
 * Describes the read-back of a write with an unknown outcome, and how to repeat it without doing it twice.
 */
export function describeReadBackOutcome(
  error: AppError,
  readBack: ReadBack | undefined,
  { idempotencyKey: field }: Operation,
  key: string | undefined,
): string {
  const found = describeReadBack(readBack, error instanceof ApiError);
  if (field === undefined || key === undefined) return found;
  const where = field.in === 'header' ? `the parameter ${field.name}` : `${field.name} in the body`;
  return `${found} To repeat it so that it happens once only, send the same with ${where} set to ${quoteText(key)}.`;
}

/** @param answered the service has answered, so that nothing can still be in flight */
function describeReadBack(readBack: ReadBack | undefined, answered: boolean): string {
  if (readBack === undefined) return 'Read the current state before repeating it.';
  // The problem itself may have text of the service, which must not be in a hint.
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
