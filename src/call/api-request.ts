/** One request to the service, its response, and what a layer between a call and the socket is. */

import type { AccountProfile } from '../accounts/account.ts';
import type { AnySignal } from '../base/cancel-signal.ts';
import type { AppError } from '../base/errors.ts';
import type { Segments } from '../base/json-difference.ts';
import type { Operation } from '../service/facts/operation.ts';

/** Searches on demand: few callers ask, and the value may be large. */
export type FindPaths = () => readonly Segments[];

/** A call has to wait. */
export interface Wait {
  /** Milliseconds until the call goes on. */
  ms: number;
  reason: 'rate limit' | 'retry' | 'queue';
}

/** The progress of a call in flight, for the user. */
export type Progress = { kind: 'wait' } & Wait;

/** Told of each attempt of a call. */
export interface DispatchHooks {
  /** It goes out once this resolves, and not before: its place under the limit is there. @throws what ends the call; nothing is sent */
  beforeDispatch(): Promise<void>;
  /**
   * Reports that the attempt did not leave, or that the service refused it for its rate limit: it was not
   * applied. @throws what ends the call
   */
  onNotApplied(): Promise<void>;
}

/** The seller and application whose limits a call counts against; none of it is secret. */
export interface Quota {
  /** Origin of the service's address: limits are counted per region. */
  service: string;
  /** Client id of the application. */
  application: string;
  /** Seller id, or else what names the seller's login. */
  seller: string;
}

/** Bounds how much of an answer is read. */
export interface AnswerBound {
  maxBytes: number;
  /** Returns the next step for an answer that is larger. */
  hint(): string;
}

/** A call that is ready to go; layers may copy it with changes, never mutate it. */
export interface ApiRequest {
  operation: Operation;
  /** Name of the account whose call it is. */
  account: string;
  /** The account for which the address was built: no token of another account goes with the request. */
  owner: AccountProfile;
  quota: Quota;
  method: Operation['method'];
  /** Absolute address, query included. */
  url: string;
  /** Lower-case names; the access token is added by its layer. */
  headers: Readonly<Record<string, string>>;
  /** Serialised body. */
  body?: string;
  /** True when sending it twice does the same as sending it once: a read, or a write with an idempotency key. */
  repeatable: boolean;
  /** The idempotency key that it carries, in a header or in the body. */
  idempotencyKey?: string;
  /** Aborts when the caller cancels or the deadline passes; its reason is the AppError to throw. */
  signal: AnySignal;
  /** When the call must have ended, in milliseconds of the client's clock (`Clock.now`). */
  deadline: number;
  /** The deadline in milliseconds since the epoch, after which no write leaves. */
  wallDeadline?: number;
  onProgress?: (progress: Progress) => void;
  dispatchHooks?: DispatchHooks;
  /**
   * Returns why the request must not leave any more. The transport asks just before the first byte, and waits
   * for nothing in between.
   */
  whyTooLate?: () => AppError | undefined;
  /** A bound that is smaller than the setting max-response-bytes, which bounds every answer. */
  bound?: AnswerBound | undefined;
  /** The answer is wanted without buyers' data, where the operation can leave them out. */
  withoutPersonalData?: boolean | undefined;
}

/** The personal data of buyers that an answer can hold, by data elements. It is plain data, with untrusted text only as such. */
export interface PersonalDataAccess {
  /** All that the operation has. */
  elements: readonly string[];
  /** The elements of the token that the call was sent with. */
  granted: readonly string[];
  /** Why the others are not given. */
  refusal?: string | undefined;
  /** True where no answer about them came, and they are asked for again later. */
  isPaused?: boolean | undefined;
}

export interface ApiResponse {
  status: number;
  /** Lower-case names; a header sent more than once is joined with `, `. */
  headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or undefined when there was no body. */
  body: unknown;
  /** Finds where the body holds a text for what was a number, since a number would have lost digits; absent where nowhere. */
  findNumbersAsText?: FindPaths;
  /** Body size on arrival, decompressed, in bytes. */
  bytes: number;
  /** Set for an operation that leaves buyers' data out unless it is called with a token of its own. */
  personalData?: PersonalDataAccess | undefined;
}

export type Send = (request: ApiRequest) => Promise<ApiResponse>;
export type Layer = (next: Send) => Send;
