/**
 * Turns an error into the outcome of a batch item: the item is sent another time, or it has ended, and how.
 */

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
import type { PersonalData } from '../../../privacy/personal/personal-data.ts';
import type { ItemEnd } from '../../model/outcome.ts';
import type { SendOutcome } from '../batches/batch.ts';
import { BatchEndedError, BatchWaitsError } from '../batches/batch.ts';

/** One reason takes at most this many tokens. */
const MAX_TOKENS = 150;

/** A retry waits this long where the service names no time. */
const PAUSE_MS = 5_000;

/**
 * Returns `later` only for an item that was certainly not applied and may be sent another time.
 * @throws any error that is not ours
 */
export function outcomeOfError(error: unknown, { maskText }: Pick<PersonalData, 'maskText'>): SendOutcome {
  if (!(error instanceof AppError)) throw error;
  const why = shortenToTokens(maskText(error.message), MAX_TOKENS);
  if (mayHaveBeenApplied(error)) return { kind: 'unknown', why };
  const afterMs = pauseAfter(error);
  if (afterMs !== undefined) return { kind: 'later', why, afterMs };
  if (error instanceof CancelledError || error instanceof BatchWaitsError) return { kind: 'later', why };
  if (error instanceof WriteTooLateError) return { kind: 'later', why, afterMs: 0 };
  if (endsRun(error)) return { kind: 'later', why, endsRun: true };
  if (error instanceof InputError) return { kind: 'not_sent', why };
  const kind: ItemEnd = error instanceof ApiError && error.status < 500 ? 'not_accepted' : 'failed';
  return { kind, why };
}

/** Returns true for an item that has not failed, because it is sent another time, or never. */
export function isNotSent(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  const { kind } = outcomeOfError(error, { maskText: (text) => text });
  return kind === 'later' || kind === 'not_sent';
}

/**
 * These errors stop the rest of the batch too: no token, writes switched off, another's account, a disk that
 * accepts nothing.
 */
const ENDS_RUN = [CredentialError, WriteRefusedError, AccountChangedError, ConfigError, BatchEndedError];

/**
 * Returns true where waiting helps neither this item nor those behind it, because somebody has to fix
 * something first.
 */
export const endsRun = (error: unknown) => ENDS_RUN.some((kind) => error instanceof kind);

/** Returns how long to wait before a retry; undefined where waiting does not help. */
function pauseAfter(error: AppError): number | undefined {
  if (error instanceof RateLimitError) return error.retryAfterMs;
  const isStorm = error instanceof ApiError && error.status === 429;
  return isStorm || error instanceof TimeoutError || error instanceof NetworkError ? PAUSE_MS : undefined;
}
