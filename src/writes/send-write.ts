/** One authorised write, what it consists of and how it is sent: an intent in the journal before, an outcome after, and a read-back to know what the service has. */

import type { CallInput, CallOptions, CallResult, Client } from '../client/client.ts';
import { ApiError, AppError, CancelledError, NetworkError, TimeoutError } from '../errors.ts';
import type { ReadBackDifference, WriteOutcome } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import type { Difference } from '../json-difference.ts';
import type { WriteContent } from './confirmation.ts';

/** The person, as far as the client lets us reach them (see src/mcp/questions.ts). */
export interface Asker {
  canConfirm: boolean;
  answer(key: string): { action: 'accept' | 'decline' | 'cancel'; state: string | undefined } | undefined;
  confirm(key: string, message: string, state: string): never;
}

export interface WriteRequest {
  input: CallInput;
  /** Parameters that the account fills in; they are part of what is confirmed and recorded. */
  filledIn: Readonly<Record<string, string>>;
  dryRun: boolean;
  confirmationCode?: string;
  /** What the person reads before saying yes. */
  preview: string;
  person: Asker;
  call: CallOptions;
  /** Reads the written thing again and says what differs from what was sent; absent where nothing can be read. */
  readBack?: () => Promise<Difference[]>;
}

export interface ReadBack {
  /** Empty when the service has what was sent. */
  differences: Difference[];
  /** Why it could not be read back, where it could not. */
  problem?: unknown;
}

export type WriteResult =
  | { outcome: 'preview' }
  | { outcome: 'needs_confirmation'; code: string }
  | {
      outcome: 'done';
      journalId: string;
      response: CallResult;
      readBack?: ReadBack;
      journalProblem?: string;
    };

/** What a confirmation is bound to, and the journal records. */
export function contentOf({ input, filledIn }: WriteRequest): WriteContent {
  const { account, operation, parameters, body } = input;
  return { account, operation: operation.id, parameters: { ...parameters, ...filledIn }, body };
}

/** @throws whatever the client throws, with what a read-back found added where the fate of the write is unknown. */
export async function sendWrite(
  request: WriteRequest,
  { client, journal, now }: { client: Client; journal: Journal; now: () => number },
): Promise<WriteResult> {
  // A yes that arrives after the call was cancelled sends nothing.
  if (request.call.signal?.aborted === true)
    throw new CancelledError('The call was cancelled; nothing was sent.');
  const journalId = await journal.begin(contentOf(request));
  let response: CallResult;
  try {
    response = await client.call(request.input, leaveTimeToReadBack(request, now()));
  } catch (error) {
    throw await recordFailure(error, journalId, request, journal);
  }
  const readBack = await tryReadBack(request);
  const outcome = { outcome: 'done', status: response.status, requestId: response.requestId } as const;
  const problem = await journal.end(journalId, { ...outcome, differences: toJournal(readBack) });
  return { outcome: 'done', journalId, response, readBack, journalProblem: problem?.message };
}

/** A write without an answer is the one that has to be read back: it must not use up the time of both. */
const SHARE_OF_THE_WRITE = 0.8;

function leaveTimeToReadBack({ call, readBack }: WriteRequest, now: number): CallOptions {
  const { deadline } = call;
  if (deadline === undefined || readBack === undefined) return call;
  return { ...call, deadline: now + (deadline - now) * SHARE_OF_THE_WRITE };
}

async function recordFailure(
  error: unknown,
  id: string,
  request: WriteRequest,
  journal: Journal,
): Promise<unknown> {
  const outcome = failureOutcome(error);
  if (outcome.outcome !== 'unknown') {
    await journal.end(id, outcome);
    return error;
  }
  const readBack = await tryReadBack(request);
  await journal.end(id, { ...outcome, differences: toJournal(readBack) });
  return error instanceof AppError ? error.withHint(fateHint(readBack, error instanceof ApiError)) : error;
}

function failureOutcome(error: unknown): WriteOutcome {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof ApiError) {
    const { status, requestId, mayHaveBeenApplied } = error;
    return { outcome: mayHaveBeenApplied ? 'unknown' : 'failed', status, requestId, error: text };
  }
  const hasFate =
    error instanceof NetworkError || error instanceof TimeoutError || error instanceof CancelledError;
  if (hasFate) return { outcome: error.fate === 'unknown' ? 'unknown' : 'failed', error: text };
  // Anything else that the client throws comes before the request leaves.
  return { outcome: error instanceof AppError ? 'failed' : 'unknown', error: text };
}

/** @param answered the service has answered, so that nothing can still be on its way. */
function fateHint(readBack: ReadBack | undefined, answered: boolean): string {
  if (readBack === undefined) return 'Read the current state before repeating it.';
  // The problem itself may hold text of the service, which has no place in a hint of ours.
  if (readBack.problem !== undefined)
    return 'It could not be read back now: read it before repeating the write.';
  if (readBack.differences.length === 0)
    return 'Read back now: the service has exactly what was sent, so the write was applied. Do not repeat it.';
  const differ = `Read back now: members that differ from what was sent: ${readBack.differences.length}`;
  return answered
    ? `${differ}, so the write was probably not applied.`
    : `${differ}. The write was not applied so far, but may still be on its way: read it once more before repeating it.`;
}

async function tryReadBack({ readBack, call }: WriteRequest): Promise<ReadBack | undefined> {
  if (readBack === undefined || call.signal?.aborted === true) return undefined;
  try {
    return { differences: await readBack() };
  } catch (problem) {
    return { differences: [], problem };
  }
}

function toJournal(readBack: ReadBack | undefined): ReadBackDifference[] | undefined {
  if (readBack === undefined || readBack.problem !== undefined) return undefined;
  return readBack.differences.map(({ path, before, after }) => ({ path, sent: before, found: after }));
}
