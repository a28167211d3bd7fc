/** The client's vocabulary: one request, one response, and the layers between a call and the socket. */

import type { Operation } from '../service/facts/operation.ts';

/** Told whenever a call has to wait, so that a person can be told. */
export interface Wait {
  /** Milliseconds until the call goes on. */
  ms: number;
  reason: 'rate limit' | 'retry' | 'queue';
}

/** A call that is ready to go; layers may copy it with changes, never mutate it. */
export interface ApiRequest {
  operation: Operation;
  /** Name of the account whose call it is. */
  account: string;
  method: Operation['method'];
  /** Absolute address, query included. */
  url: string;
  /** Lower-case names; the access token is added by its layer. */
  headers: Readonly<Record<string, string>>;
  /** Serialised body. */
  body?: string;
  /** True when sending it twice does the same as sending it once: a read, or a write with an idempotency key. */
  repeatable: boolean;
  /** Aborts when the caller cancels or the deadline passes; its reason is the AppError to throw. */
  signal: AbortSignal;
  /** When the call must have ended, in milliseconds of the client's clock (`Clock.now`). */
  deadline: number;
  onWait?: (wait: Wait) => void;
}

export interface ApiResponse {
  status: number;
  /** Lower-case names; a header sent more than once is joined with `, `. */
  headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or undefined when there was no body. */
  body: unknown;
  /** Body size on arrival, decompressed, in bytes. */
  bytes: number;
}

export type Send = (request: ApiRequest) => Promise<ApiResponse>;
export type Layer = (next: Send) => Send;

/** Time as the client sees it; injected in tests. `now` is monotonic milliseconds, `wallClock` is Date.now(). */
export interface Clock {
  now(): number;
  wallClock(): number;
  /** Rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
