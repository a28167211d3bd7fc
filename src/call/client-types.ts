/** Types of a client for its callers: a call, its options and its answer. create-client.ts makes one. */

import type { AccountProfile } from '../accounts/account.ts';
import type { ServiceText } from '../base/text/service-text.ts';
import type { Operation } from '../service/facts/operation.ts';
import type { Refusal } from './access.ts';
import type { AnswerBound, ApiResponse, DispatchHooks, Progress } from './api-request.ts';
import type { BuiltRequest } from './request/build-request.ts';
import type { SentDay } from './request/resolve-days.ts';
import type { SentMarketplace } from './request/resolve-marketplaces.ts';

export interface CallInput {
  operation: Operation;
  /** Path, query and header parameters by their exact names. */
  parameters: Readonly<Record<string, unknown>>;
  body?: unknown;
  /** The service's answer from which the body was built: our checks never refuse the same values. */
  answeredBody?: unknown;
  account: string;
  /** The same question in other versions: asked where the account may not call this one. */
  otherVersions?: readonly Pick<CallInput, 'operation' | 'parameters' | 'body'>[];
  /** True for what needs no buyers' data, such as the state before a write. */
  withoutPersonalData?: boolean;
  /** The account that was approved: the call is refused if the account has become another's, and it fills in values from here. */
  owner?: AccountProfile;
  /** Sent where the operation takes an idempotency key and the arguments hold none; a new one when left out. */
  idempotencyKey?: string;
}

/** How long a call of work in the background waits for its place under the limit, which for orders is minutes. */
export const PATIENCE_MS = 60 * 60_000;

export interface CallOptions {
  signal?: AbortSignal;
  /**
   * When the work that this call is part of must have ended, in milliseconds of the client's clock
   * (`performance.now()`); the call gets what is left of it, at most its own timeout.
   */
  deadline?: number;
  /**
   * Instead of the client's own timeout, for work in the background that may wait minutes for its place under the limit;
   * each request that has left still ends after the client's own.
   */
  timeoutMs?: number;
  /** Told what happens meanwhile, such as a wait. */
  onProgress?: (progress: Progress) => void;
  /** Called before the request leaves, so that it can be recorded. */
  dispatchHooks?: DispatchHooks;
  /** Stops the reading of a large answer earlier than the setting max-response-bytes does. */
  bound?: AnswerBound;
}

/** The request as it would go out, without any secret; what a dry run shows. */
export interface PreparedRequest extends Omit<BuiltRequest, 'origin'> {
  method: string;
  /** The account of the request. */
  owner: AccountProfile;
}

/** A 2xx answer. */
export interface CallResult extends ApiResponse {
  /** The account for which the request was built. */
  owner: AccountProfile;
  /** Id of the version that answered, where several were asked. */
  answeredBy?: string;
  /** `x-svc-RequestId` or SP-API's `x-amzn-RequestId` (section 4.2). */
  requestId?: ServiceText;
  /** Requests per second, from `x-svc-RateLimit-Limit` or SP-API's `x-amzn-RateLimit-Limit`, as sent (section 8). */
  rateLimit?: ServiceText;
  filledIn: Readonly<Record<string, string>>;
  /** The marketplaces that the call named, and doubts about them; absent if it named none. */
  marketplaces?: readonly SentMarketplace[];
  /** Plain days that were sent as moments; absent where there are none. */
  days?: readonly SentDay[];
  /** The same as in `BuiltRequest`. */
  unlistedValues?: BuiltRequest['unlistedValues'];
  /** The idempotency key that was sent, where the operation takes one. */
  idempotencyKey?: string;
}

/** Result of a token exchange (section 2.2). Holds secrets: mask before showing. */
export interface TokenExchange {
  accessToken: string;
  tokenType: ServiceText;
  /** The service's value if it is a positive number of seconds, otherwise the default. */
  expiresInSeconds: number;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  refreshToken: string;
  /** True when the identity provider returned another refresh token than the one it was given. */
  rotated: boolean;
}

/** A resource that a restricted data token covers. */
export interface RestrictedResource {
  method: string;
  path: string;
}

export interface Client {
  /** @throws InputError | CredentialError | ApiError | RateLimitError | NetworkError | TimeoutError | CancelledError */
  call(input: CallInput, options?: CallOptions): Promise<CallResult>;
  /** Builds and checks the request and sends nothing. @throws InputError | CredentialError (only for a missing address) */
  prepare(input: CallInput): Promise<PreparedRequest>;
  /**
   * The refusal (403) that stands for such a call in this session; undefined where the call may be allowed.
   * @param about marketplaces, by id, and the report or feed type that it is about
   */
  refusalOf?(operationId: string, owner: AccountProfile, about?: readonly string[]): Refusal | undefined;
  /** All refusals (403) that stand in this session, of one operation or of all; of accounts that are still the same seller's. */
  refusals?(operationId?: string): Promise<readonly Refusal[]>;
  /** Section 4.1, now, whatever token is at hand; the new token serves the calls that follow. */
  exchangeToken(account: string, options?: CallOptions): Promise<TokenExchange>;
  /**
   * Keeps a restricted data token that the caller bought itself, for the restricted calls that it covers.
   * A resource's path may hold `{placeholders}`, as the service accepts them.
   * @param owner the account as it was at the purchase: the token serves it only while it stays that seller's.
   */
  rememberRestrictedToken(
    owner: AccountProfile,
    resources: readonly RestrictedResource[],
    token: string,
    expiresInSeconds: number,
  ): void;
  /** Ends the calls under way with CancelledError, and every timer; transport and limiter stay open for others. */
  close(): Promise<void>;
}
