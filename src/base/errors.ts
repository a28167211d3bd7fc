/**
 * The taxonomy of failures, thrown anywhere and caught once in src/protocol (tools) and src/main.ts
 * (commands). Message and hint are safe to show anywhere: service text in them is escaped and delimited by «
 * and » (src/base/text/service-text.ts).
 */

import type { ServiceText } from './text/service-text.ts';

/** The base of every failure: what happened (`message`) and what to do next (`hint`). */
export abstract class AppError extends Error {
  /** The reader's next step in one or two sentences; empty when there is none. */
  hint: string;
  /**
   * The idempotency key of the failed call, if it had one. The service treats a repeat with it as the same
   * call.
   */
  idempotencyKey?: string;

  constructor(message: string, hint = '', options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }

  /** Appends a next step that only the catcher knows. */
  withHint(more: string): this {
    this.hint = joinSentences(this.hint, more);
    return this;
  }

  /** Prepends a next step that must be read even if the end of a long hint is cut off. */
  withHintFirst(first: string): this {
    this.hint = joinSentences(first, this.hint);
    return this;
  }
}

const joinSentences = (...parts: string[]) => parts.filter((part) => part !== '').join(' ');

/**
 * One problem of the caller's input: `path` is dotted (`capabilities.outbound.isSupported`), empty for the
 * whole input.
 */
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
  /**
   * `missing`: nothing is configured; `refused`: the identity provider rejected them; `unreachable`: the
   * keychain did not answer.
   */
  readonly reason: 'missing' | 'refused' | 'unreachable';
  /** The account that lacks something, if any. It does not imply that a user can enter it on a page. */
  account: string | undefined;

  constructor(reason: CredentialError['reason'], message: string, hint = '', options?: ErrorOptions) {
    super(message, hint, options);
    this.reason = reason;
  }
}

/** The service answered with a failure (section 7), whose text is in the message. */
export class ApiError extends AppError {
  override readonly name = 'ApiError';
  /** The HTTP status. */
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

/** The rate limit does not allow the call before the deadline, or the queue is full; nothing is in flight. */
export class RateLimitError extends AppError {
  override readonly name = 'RateLimitError';
  /** The time to wait before the next call, in milliseconds. */
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

/** States whether the service can have processed a request that got no answer. */
export type Fate = 'not-sent' | 'unknown';

/** No usable answer arrived: refused, reset, untrusted certificate, cut short, not JSON, over a limit. */
export class NetworkError extends AppError {
  override readonly name = 'NetworkError';
  /** `not-sent`: the service certainly did not receive the request; `unknown`: it may have. */
  readonly fate: Fate;
  /**
   * The machine-readable cause: a system code such as `ECONNREFUSED`, or one of ours such as
   * `BODY_TOO_LARGE`.
   */
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

/** A setting, the user or a check rejected a write before it was sent; nothing was changed. */
export class WriteRefusedError extends AppError {
  override readonly name = 'WriteRefusedError';
}

/**
 * The account changed its owner repeatedly while a call was prepared; no token was sent to the former owner's
 * address.
 */
export class AccountChangedError extends AppError {
  override readonly name = 'AccountChangedError';
}

/** The caller cancelled the call. */
export class CancelledError extends AppError {
  override readonly name = 'CancelledError';
  readonly fate: Fate;

  constructor(message: string, hint = '', fate: Fate = 'not-sent', options?: ErrorOptions) {
    super(message, hint, options);
    this.fate = fate;
  }
}

/**
 * A write reached the socket too late, because its process or the computer was suspended. The state for which
 * the user approved it may have changed since. Nothing was sent.
 */
export class WriteTooLateError extends AppError {
  override readonly name = 'WriteTooLateError';
}

/** Returns true when a write with this failure may have been applied all the same. */
export function mayHaveBeenApplied(error: unknown): boolean {
  if (error instanceof ApiError || error instanceof RateLimitError) return error.mayHaveBeenApplied;
  const hasFate =
    error instanceof NetworkError || error instanceof TimeoutError || error instanceof CancelledError;
  return hasFate && error.fate === 'unknown';
}

/** Returns the system's code of a failure (`ENOENT`); empty for an error without a code. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
