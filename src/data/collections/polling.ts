/** Polls a report or query that the service creates on request, until it is done. */

import { sleep } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { formatAge, formatDuration } from '../../base/text/duration.ts';
import type { ServiceText } from '../../base/text/service-text.ts';
import { type CallInput, PATIENCE_MS } from '../../call/client-types.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { type DocumentJob, fetchDocument } from './collect-document.ts';
import { type ReportError, readReason } from './report-failure.ts';

/** A younger result is used instead of a new one. */
export const RECENT_MS = 4 * 3_600_000;
/** Some results take hours. */
const MAX_WAIT_MS = 4 * 3_600_000;
/** The first pauses are short, because small reports are done in seconds. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
const SLOWER = 1.5;

export interface PollingJob extends Omit<DocumentJob, 'id'> {
  /** Returns the path of a file that does not exist yet, in a folder of this work alone. */
  scratch(): Promise<string>;
}

/** @returns the body of the answer. @throws the client's errors */
export async function callWithPatience(
  { client, account, owner, signal, tell }: PollingJob,
  operation: Operation,
  input: Partial<Pick<CallInput, 'parameters' | 'body'>>,
): Promise<unknown> {
  const { body } = await client.call(
    { operation, parameters: {}, account, owner, ...input },
    {
      signal,
      timeoutMs: PATIENCE_MS,
      onProgress: ({ ms }) =>
        tell({
          message: `${operation.name} waits ${formatDuration(ms)} for the service's limit`,
          leftMs: ms,
        }),
    },
  );
  return body;
}

/**
 * @param look resolves to the result, or to a text with its progress.
 * @throws the errors of `look`, and `tooSlow`
 */
export async function pollUntilDone<Done extends object>(
  { clock, signal, tell }: PollingJob,
  look: () => Promise<Done | string>,
  tooSlow: (waitedMs: number) => ReportError,
): Promise<Done> {
  const from = clock.now();
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(MAX_PAUSE_MS, pause * SLOWER)) {
    const found = await look();
    if (typeof found !== 'string') return found;
    const waited = clock.now() - from;
    if (waited > MAX_WAIT_MS) throw tooSlow(waited);
    const long = waited < 1_000 ? '' : `, for ${formatAge(waited)} so far`;
    tell({ message: `${found}${long}` });
    await sleep(clock, pause, signal);
  }
}

/** Reads why the service could not create it. @param id the document with the reason */
export async function failureReason(
  job: PollingJob,
  id: string | undefined,
): Promise<ServiceText | undefined> {
  if (id === undefined) return undefined;
  try {
    const file = await job.scratch();
    const { charset } = await fetchDocument({ ...job, id }, file);
    return await readReason(file, charset);
  } catch (error) {
    job.signal.throwIfAborted();
    // The failure itself is more important than a reason that cannot be read.
    return error instanceof AppError ? undefined : Promise.reject(error);
  }
}
