/** A dry run of what the service can check without doing it (VALIDATION_PREVIEW): asked, and told as what it is. */

import type { CallInput, CallOptions, CallResult, Client } from '../client/client.ts';
import { AppError } from '../errors.ts';
import type { Operation } from '../service/facts/operation.ts';
import { readVerdict, type Verdict } from '../writes/verdict.ts';

/** Most time for it: a preview is shown without it rather than late. */
const MOST_MS = 15_000;

export type Validation =
  | { mode: string; response: CallResult; verdict: Verdict }
  | { mode: string; problem: AppError };

/**
 * Undefined where the operation has no such mode, or the call asks for it itself.
 * @throws AppError when the call was cancelled
 */
export async function askValidation(
  client: Client,
  input: CallInput & { operation: Operation },
  call: CallOptions,
): Promise<Validation | undefined> {
  const { previewMode } = input.operation;
  if (previewMode === undefined || input.parameters[previewMode.parameter] !== undefined) return undefined;
  const { parameter, value: mode } = previewMode;
  const parameters = { ...input.parameters, [parameter]: mode };
  try {
    const response = await client.call({ ...input, parameters }, { ...call, timeoutMs: MOST_MS });
    return { mode, response, verdict: readVerdict(input.operation, response) };
  } catch (problem) {
    if (call.signal?.aborted === true || !(problem instanceof AppError)) throw problem;
    return { mode, problem };
  }
}
