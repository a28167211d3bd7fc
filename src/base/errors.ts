/**
 * The one taxonomy of failures: thrown anywhere, caught once in src/protocol (tools) and src/main.ts (commands). Message and
 * hint can be shown anywhere: words of the service stand in them between « and », escaped (src/base/text/service-text.ts).
 */

import type { ServiceText } from './text/service-text.ts';

/** What every failure says: what happened (`message`) and what to do next (`hint`). */
export abstract class AppError extends Error {
  /** What the reader should do next, one or two sentences; empty when there is nothing to do. */
  hint: string;
  /** The key that the failed call was sent with, where it had one: a repeat with it is the same call to the service. */
  idempotencyKey?: string;

  constructor(message: string, hint = '', options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }

  /** Adds a next step that only the catcher knows. */
  withHint(more: string): this {
    this.hint = joinSentences(this.hint, more);
    return this;
  }

  /** The same in front of the others, for what must be read though a hint is cut at its end. */
  withHintFirst(first: string): this {
    this.hint = joinSentences(first, this.hint);
    return this;
  }
}

const joinSentences = (...parts: string[]) => parts.filter((part) => part !== '').join(' ');

/** One thing wrong with what the caller gave: `path` is dotted (`capabilities.outbound.isSupported`), empty for the whole. */
export interface Problem {
  path: string;
  message: string;
}

/** The caller's arguments or a user's file are wrong; nothing was sent. */
export class InputError extends AppError {
  override readonly name = 'InputError';
  readonly problems: readonly Problem[];

  constructor(message: string, hint = '', problems: readonly Problem[] = []) {
    super(message, hint);
    this.problems = problems;
  }
}

/** A flag or environment variable is wrong. */
export class ConfigError extends AppError {
  override readonly name = 'ConfigError';
}

/** Credentials are missing, unreadable or refused by the identity provider. */
export class CredentialError extends AppError {
  override readonly name = 'CredentialError';
  /** `missing`: nothing configured; `refused`: the identity provider said no; `unreachable`: the keychain did not answer. */
  readonly reason: 'missing' | 'refused' | 'unreachable';
  /** The account that lacks something, where one does; whether a person can enter it on a page is not said by that. */
  account: string | undefined;

  constructor(reason: CredentialError['reason'], message: string, hint = '', options?: ErrorOptions) {
    super(message, hint, options);
    this.reason = reason;
  }
}

/** The service answered, and the answer is a failure (section 7); what it said is in the message. */
export class ApiError extends AppError {
  override readonly name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  readonly requestId: ServiceText | undefined;
  /** True when a write may have been applied although the answer was a failure. */
  readonly mayHaveBeenApplied: boolean;

  constructor(
    fields: {
      status: number;
      requestId?: ServiceText;
      mayHaveBeenApplied?: boolean;
    },
    message: string,
    hint = '',
    options?: ErrorOptions,
  ) {
    super(message, hint, options);
    this.status = fields.status;
    this.requestId = fields.requestId;
    this.mayHaveBeenApplied = fields.mayHaveBeenApplied ?? false;
  }
}

/** The rate limit does not allow the call before the deadline, or the queue is full; nothing is under way. */
export class RateLimitError extends AppError {
  override readonly name = 'RateLimitError';
  /** How long to wait before calling again, in milliseconds. */
  readonly retryAfterMs: number;
  /** True when an earlier attempt of the same write may have been applied. */
  readonly mayHaveBeenApplied: boolean;

  constructor(
    retryAfterMs: number,
    message: string,
    hint = '',
    options: ErrorOptions & { mayHaveBeenApplied?: boolean } = {},
  ) {
    super(message, hint, options);
    this.retryAfterMs = retryAfterMs;
    this.mayHaveBeenApplied = options.mayHaveBeenApplied ?? false;
  }
}

/** Whether the service can have acted on a request that got no answer. */
export type Fate = 'not-sent' | 'unknown';

/** No usable answer came: refused, reset, untrusted certificate, cut short, not JSON, over a limit. */
export class NetworkError extends AppError {
  override readonly name = 'NetworkError';
  /** `not-sent`: the service certainly did not receive the request; `unknown`: it may have. */
  readonly fate: Fate;
  /** Machine-readable cause: a system code such as `ECONNREFUSED`, or one of ours such as `BODY_TOO_LARGE`. */
  readonly code: string;

  constructor(code: string, fate: Fate, message: string, hint = '', options?: ErrorOptions) {
    super(message, hint, options);
    this.code = code;
    this.fate = fate;
  }
}

/** A stated time limit passed. */
export class TimeoutError extends AppError {
  override readonly name = 'TimeoutError';
  readonly fate: Fate;
  readonly timeoutMs: number;

  constructor(timeoutMs: number, fate: Fate, message: string, hint = '', options?: ErrorOptions) {
    super(message, hint, options);
    this.timeoutMs = timeoutMs;
    this.fate = fate;
  }
}

/** A write was not sent because a setting, the person or a check said no; nothing was changed. */
export class WriteRefusedError extends AppError {
  override readonly name = 'WriteRefusedError';
}

/** The account became another's while a call was prepared, again and again; no token was sent to the former's address. */
export class AccountChangedError extends AppError {
  override readonly name = 'AccountChangedError';
}

/** The caller cancelled. */
export class CancelledError extends AppError {
  override readonly name = 'CancelledError';
  readonly fate: Fate;

  constructor(message: string, hint = '', fate: Fate = 'not-sent', options?: ErrorOptions) {
    super(message, hint, options);
    this.fate = fate;
  }
}

/**
 * A write reached the socket too late, because its process or the computer was suspended, so the state that
 * the user approved it for may have changed since. Nothing was sent.
 */
export class WriteTooLateError extends AppError {
  override readonly name = 'WriteTooLateError';
}

/** True when a write that failed so may have been applied all the same. */
export function mayHaveBeenApplied(error: unknown): boolean {
  if (error instanceof ApiError || error instanceof RateLimitError) return error.mayHaveBeenApplied;
  const hasFate =
    error instanceof NetworkError || error instanceof TimeoutError || error instanceof CancelledError;
  return hasFate && error.fate === 'unknown';
}

/** What the system calls a failure (`ENOENT`); empty for an error that has no code. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
