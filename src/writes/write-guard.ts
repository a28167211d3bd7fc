/** Every write goes through here: previewed, confirmed as the settings ask, journalled before and after, read back. */

import type { CallInput, CallOptions, CallResult, Client } from '../client/client.ts';
import type { Config } from '../config.ts';
import {
  ApiError,
  AppError,
  CancelledError,
  NetworkError,
  TimeoutError,
  WriteRefusedError,
} from '../errors.ts';
import type { Outcome, ReadBackDifference } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import {
  CODE_LIFETIME_MS,
  type Confirmations,
  explainRedemption,
  type WriteContent,
} from './confirmation.ts';
import type { Difference } from './difference.ts';

/** The person, as far as the client lets us reach them (see src/mcp/ask.ts). */
export interface Asker {
  canConfirm: boolean;
  answer(key: string): { action: 'accept' | 'decline' | 'cancel'; state: string | undefined } | undefined;
  confirm(key: string, message: string, state: string): never;
}

export interface WriteRequest {
  input: CallInput;
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
  problem?: string;
}

export type WriteResult =
  | { outcome: 'preview' }
  | { outcome: 'needs_confirmation'; code: string; lifetimeMs: number }
  | {
      outcome: 'done';
      journalId: string;
      response: CallResult;
      readBack?: ReadBack;
      journalProblem?: string;
    };

export interface WriteGuard {
  /**
   * @throws WriteRefusedError when it may not be sent; AskPerson while the person is asked; whatever the client throws,
   * with what a read-back found added where the fate of the write is unknown.
   */
  run(request: WriteRequest): Promise<WriteResult>;
}

export interface WriteGuardOptions {
  mode: Config['writes'];
  client: Client;
  journal: Journal;
  /** Codes that the assistant carries. */
  codes: Confirmations;
  /** Codes that travel with a question to the person and back; never shown to the assistant, never taken from it. */
  questions: Confirmations;
}

const KEY = 'confirm';

export function createWriteGuard(options: WriteGuardOptions): WriteGuard {
  return {
    async run(request) {
      if (request.dryRun) return { outcome: 'preview' };
      const code = await authorise(request, options);
      if (code !== undefined) return { outcome: 'needs_confirmation', code, lifetimeMs: CODE_LIFETIME_MS };
      return send(request, options);
    },
  };
}

/** Resolves to undefined when the write may be sent, to a code when it has to be confirmed first. */
async function authorise(request: WriteRequest, options: WriteGuardOptions): Promise<string | undefined> {
  const { mode, codes } = options;
  if (mode === 'allow') return undefined;
  if (mode === 'deny') {
    const hint =
      'The person can change that with --writes or SELLER_WRITES. A preview with dryRun still works.';
    return refuse(request, options, 'Writes are switched off here (--writes=deny); nothing was sent.', hint);
  }
  if (mode === 'ask' && request.person.canConfirm) return askPerson(request, options);
  const content = contentOf(request);
  if (request.confirmationCode === undefined) return codes.issue(content);
  const redemption = codes.redeem(content, request.confirmationCode);
  if (redemption === 'ok') return undefined;
  return refuse(request, options, `${explainRedemption(redemption)} Nothing was sent.`);
}

/** A no is final: it leads to no code and no second question for this call. */
async function askPerson(request: WriteRequest, options: WriteGuardOptions): Promise<undefined> {
  const content = contentOf(request);
  const answer = request.person.answer(KEY);
  if (answer === undefined)
    return request.person.confirm(KEY, request.preview, options.questions.issue(content));
  if (answer.action !== 'accept') {
    const word = answer.action === 'decline' ? 'said no' : 'closed the question';
    return refuse(
      request,
      options,
      `The person ${word}; nothing was sent.`,
      'Ask them what they would like instead; do not repeat the call.',
    );
  }
  const redemption = options.questions.redeem(content, answer.state ?? '');
  if (redemption === 'ok') return undefined;
  const reason =
    redemption === 'other-content'
      ? 'What would be written has changed since the person was asked'
      : 'The question to the person is no longer valid';
  return refuse(
    request,
    options,
    `${reason}; nothing was sent.`,
    'Call the tool again, so that the person is asked anew.',
  );
}

async function refuse(
  request: WriteRequest,
  { journal }: WriteGuardOptions,
  reason: string,
  hint = '',
): Promise<never> {
  const problem = await journal.refuse(contentOf(request), reason);
  throw new WriteRefusedError(problem === undefined ? reason : `${reason} ${problem.message}`, hint);
}

function contentOf({ input }: WriteRequest): WriteContent {
  const { account, operation, parameters, body } = input;
  return { account, operation: operation.id, parameters, body };
}

async function send(request: WriteRequest, { client, journal }: WriteGuardOptions): Promise<WriteResult> {
  // A yes that arrives after the call was cancelled sends nothing.
  if (request.call.signal?.aborted === true)
    throw new CancelledError('The call was cancelled; nothing was sent.');
  const journalId = await journal.begin(contentOf(request));
  let response: CallResult;
  try {
    response = await client.call(request.input, request.call);
  } catch (error) {
    throw await recordFailure(error, journalId, request, journal);
  }
  const readBack = await tryReadBack(request);
  const outcome = { outcome: 'done', status: response.status, requestId: response.requestId } as const;
  const problem = await journal.end(journalId, { ...outcome, differences: toJournal(readBack) });
  return { outcome: 'done', journalId, response, readBack, journalProblem: problem?.message };
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
  return error instanceof AppError ? error.withHint(fateHint(readBack)) : error;
}

function failureOutcome(error: unknown): Outcome {
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

function fateHint(readBack: ReadBack | undefined): string {
  if (readBack === undefined) return 'Read the current state before repeating it.';
  if (readBack.problem !== undefined)
    return `It could not be read back (${readBack.problem}): read it before repeating the write.`;
  if (readBack.differences.length === 0)
    return 'Read back now: the service has exactly what was sent, so the write was applied. Do not repeat it.';
  return `Read back now: ${readBack.differences.length} members differ from what was sent, so the write was probably not applied.`;
}

async function tryReadBack({ readBack, call }: WriteRequest): Promise<ReadBack | undefined> {
  if (readBack === undefined || call.signal?.aborted === true) return undefined;
  try {
    return { differences: await readBack() };
  } catch (error) {
    return { differences: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

function toJournal(readBack: ReadBack | undefined): ReadBackDifference[] | undefined {
  if (readBack === undefined || readBack.problem !== undefined) return undefined;
  return readBack.differences.map(({ path, before, after }) => ({ path, sent: before, found: after }));
}
