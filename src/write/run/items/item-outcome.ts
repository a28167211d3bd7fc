/** What became of one item of a list: a write's result, or the error in its place, as the list keeps and tells it. */

import {
  AccountChangedError,
  ApiError,
  AppError,
  CancelledError,
  ConfigError,
  CredentialError,
  InputError,
  mayHaveBeenApplied,
  NetworkError,
  RateLimitError,
  TimeoutError,
  WriteRefusedError,
  WriteTooLateError,
} from '../../../base/errors.ts';
import { shortenToTokens } from '../../../base/text/shorten.ts';
import type { CallResult } from '../../../call/client.ts';
import type { PersonalData } from '../../../privacy/personal/personal-data.ts';
import type { End } from '../../model/outcome.ts';
import { verdictWords } from '../../model/verdict.ts';
import type { WriteView } from '../../model/write-view.ts';
import type { ItemOutcome, Sent } from '../batches/batch.ts';
import { BatchEndedError, BatchWaitsError } from '../batches/batch.ts';
import { workWords } from '../follow-work.ts';
import type { WriteResult } from '../send-write.ts';
import type { StoredWrite } from './stored-write.ts';

/** Of one reason. */
const MOST_TOKENS = 150;

/** What of its answer is told with an item; undefined where there is nothing worth telling. */
export type AnswerOfItem = (
  write: StoredWrite,
  response: CallResult,
  view: Pick<WriteView, 'value'>,
) => Promise<unknown>;

interface OutcomeParts {
  write: StoredWrite;
  view: WriteView;
  personal: Pick<PersonalData, 'maskText'>;
  answerOf: AnswerOfItem;
}

export async function itemOutcome(
  result: WriteResult,
  { write, view, personal, answerOf }: OutcomeParts,
): Promise<ItemOutcome> {
  const journalId = 'journalId' in result ? result.journalId : undefined;
  if ('verdict' in result && result.verdict.outcome !== 'accepted') {
    const why = shortenToTokens(personal.maskText(verdictWords(view.judged(result).verdict)), MOST_TOKENS);
    return { kind: 'not_accepted', why, journalId };
  }
  if (result.outcome === 'failed' && result.work !== undefined) {
    const why = shortenToTokens(personal.maskText(workWords(result.work)), MOST_TOKENS);
    return { kind: 'failed', why, journalId };
  }
  const facts = await answerOf(write, result.response, view);
  const told = { journalId, facts };
  if (result.outcome === 'requested' && journalId !== undefined) {
    const why = result.work && shortenToTokens(personal.maskText(workWords(result.work)), MOST_TOKENS);
    return { kind: 'requested', why, ...told };
  }
  if (result.outcome === 'accepted_not_visible') return { kind: 'accepted_not_visible', ...told };
  return { kind: 'accepted', ...('readBack' in result ? readAgain(result) : {}), ...told };
}

function readAgain({ readBack }: Extract<WriteResult, { readBack?: unknown }>): Partial<ItemOutcome> {
  if (readBack === undefined) return {};
  if (readBack.problem !== undefined) return { readBack: 'failed' };
  const count = readBack.differences.length;
  if (count === 0) return { readBack: 'same' };
  const places = readBack.differences.slice(0, 3).map(({ path }) => path || 'the whole');
  const why = `Accepted; read back, the service differs from what was sent in ${places.join(', ')}${count > 3 ? ` and ${count - 3} more places` : ''}.`;
  return { readBack: 'differs', why };
}

/** How long to wait where the service says nothing of it. */
const PAUSE_MS = 5_000;

/** Again only what certainly was not applied, and what may go another time. @throws what is no error of ours */
export function outcomeOfError(error: unknown, { maskText }: Pick<PersonalData, 'maskText'>): Sent {
  if (!(error instanceof AppError)) throw error;
  const why = shortenToTokens(maskText(error.message), MOST_TOKENS);
  if (mayHaveBeenApplied(error)) return { kind: 'unknown', why };
  const afterMs = pauseAfter(error);
  if (afterMs !== undefined) return { kind: 'later', why, afterMs };
  if (error instanceof CancelledError || error instanceof BatchWaitsError) return { kind: 'later', why };
  if (error instanceof WriteTooLateError) return { kind: 'later', why, afterMs: 0 };
  if (endsRun(error)) return { kind: 'later', why, endsRun: true };
  if (error instanceof InputError) return { kind: 'not_sent', why };
  const kind: End = error instanceof ApiError && error.status < 500 ? 'not_accepted' : 'failed';
  return { kind, why };
}

/** Certainly not applied, and sent another time. */
export const staysToBeSent = (error: unknown): boolean =>
  error instanceof AppError && outcomeOfError(error, { maskText: (text) => text }).kind === 'later';

/** Nothing else of the list can be sent either: no token, switched off, another's account, a disk that takes nothing. */
const ENDS_RUN = [CredentialError, WriteRefusedError, AccountChangedError, ConfigError, BatchEndedError];

/** Waiting does not help, for this one and for those behind it: somebody has to put something right first. */
export const endsRun = (error: unknown) => ENDS_RUN.some((kind) => error instanceof kind);

/** Undefined where waiting does not help. */
function pauseAfter(error: AppError): number | undefined {
  if (error instanceof RateLimitError) return error.retryAfterMs;
  const isStorm = error instanceof ApiError && error.status === 429;
  return isStorm || error instanceof TimeoutError || error instanceof NetworkError ? PAUSE_MS : undefined;
}
