/**
 * Asks the service to validate a write without making it (VALIDATION_PREVIEW), for a dry run and before a
 * question.
 */

import { AppError, RateLimitError, TimeoutError } from '../../base/errors.ts';
import type { CallInput, CallOptions, CallResult, Client } from '../../call/client-types.ts';
import { errorMessageOf } from '../../render/error-result.ts';
import { readVerdict, type Verdict } from '../model/verdict.ts';
import type { WriteView } from '../model/write-view.ts';

/** The max time for one write of a dry run, because a preview is better without it than late. */
const MAX_MS = 15_000;
/** The max time for all writes before a question, because a user waits for it. */
export const MAX_VALIDATION_MS = 3_000;

export type Validation =
  | { mode: string; response: CallResult; verdict: Verdict }
  | { mode: string; problem: AppError };

/**
 * Validates a write, masked for the assistant.
 * @returns undefined if the operation has no such mode, or the call requests it itself
 * @throws AppError when the call was cancelled
 */
export async function validateWrite(
  client: Client,
  { input, view }: { input: CallInput; view: Pick<WriteView, 'seen' | 'judged'> },
  call: CallOptions,
  maxMs = MAX_MS,
): Promise<Validation | undefined> {
  const { previewMode } = input.operation;
  if (previewMode === undefined || input.parameters[previewMode.parameter] !== undefined) return undefined;
  const { parameter, value: mode } = previewMode;
  const parameters = { ...input.parameters, [parameter]: mode };
  let response: CallResult;
  try {
    response = await client.call({ ...input, parameters }, { ...call, timeoutMs: maxMs });
  } catch (problem) {
    if (call.signal?.aborted === true || !(problem instanceof AppError)) throw problem;
    return { mode, problem };
  }
  await view.seen(input.operation.id, response);
  return view.judged({ mode, response, verdict: readVerdict(input.operation, response) });
}

/** Formats the result: `Checked by the service (3 of 12): it would NOT accept 2 of these`. */
export function formatChecked({
  tried,
  of,
  refused,
}: {
  tried: number;
  of: number;
  refused: number;
}): string {
  if (tried === 0) return `Not checked by the service (0 of ${of})`;
  const which = of === 1 ? 'it' : refused === 0 ? 'these' : `${refused} of these`;
  const rest = tried < of ? ', the rest not checked' : '';
  return `Checked by the service (${tried} of ${of}${rest}): it would ${refused === 0 ? '' : 'NOT '}accept ${which}`;
}

/**
 * Explains why a write was not checked. It omits that a write may have been made, because a validation makes
 * none.
 */
export function uncheckedReason(problem: AppError): string {
  const isLate = problem instanceof TimeoutError || problem instanceof RateLimitError;
  return isLate ? 'there was no answer in time' : errorMessageOf(problem);
}
