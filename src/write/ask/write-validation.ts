/** What the service can check without doing it (VALIDATION_PREVIEW): asked by a dry run and before a question, and told as what it is. */

import { AppError, RateLimitError, TimeoutError } from '../../base/errors.ts';
import type { CallInput, CallOptions, CallResult, Client } from '../../call/client-types.ts';
import { messageOf } from '../../tell/error-result.ts';
import { readVerdict, type Verdict } from '../model/verdict.ts';
import type { WriteView } from '../model/write-view.ts';

/** Most time for one of a dry run: a preview is shown without it rather than late. */
const MOST_MS = 15_000;
/** For all of them before a question: a person waits for it. */
export const BEFORE_ASKING_MS = 3_000;

export type Validation =
  | { mode: string; response: CallResult; verdict: Verdict }
  | { mode: string; problem: AppError };

/**
 * As the assistant may see it; undefined where the operation has no such mode, or the call asks for it itself.
 * @throws AppError when the call was cancelled
 */
export async function askValidation(
  client: Client,
  { input, view }: { input: CallInput; view: Pick<WriteView, 'seen' | 'judged'> },
  call: CallOptions,
  mostMs = MOST_MS,
): Promise<Validation | undefined> {
  const { previewMode } = input.operation;
  if (previewMode === undefined || input.parameters[previewMode.parameter] !== undefined) return undefined;
  const { parameter, value: mode } = previewMode;
  const parameters = { ...input.parameters, [parameter]: mode };
  let response: CallResult;
  try {
    response = await client.call({ ...input, parameters }, { ...call, timeoutMs: mostMs });
  } catch (problem) {
    if (call.signal?.aborted === true || !(problem instanceof AppError)) throw problem;
    return { mode, problem };
  }
  await view.seen(input.operation.id, response);
  return view.judged({ mode, response, verdict: readVerdict(input.operation, response) });
}

/** `Checked by the service (3 of 12): it would NOT accept 2 of these`. */
export function checkedWords({ tried, of, refused }: { tried: number; of: number; refused: number }): string {
  if (tried === 0) return `Not checked by the service (0 of ${of})`;
  const which = of === 1 ? 'it' : refused === 0 ? 'these' : `${refused} of these`;
  const rest = tried < of ? ', the rest not checked' : '';
  return `Checked by the service (${tried} of ${of}${rest}): it would ${refused === 0 ? '' : 'NOT '}accept ${which}`;
}

/** Why one was not checked: that a write may have been made is no matter of what is only checked. */
export function notCheckedWhy(problem: AppError): string {
  const isLate = problem instanceof TimeoutError || problem instanceof RateLimitError;
  return isLate ? 'there was no answer in time' : messageOf(problem);
}
