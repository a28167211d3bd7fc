/** The sandbox's vocabulary: its options, and what it reports. */

import type { Keeping } from './world/kept-world.ts';

/** The header that carries the access token unless told otherwise. */
export const ACCESS_TOKEN_HEADER = 'x-amz-access-token';

/** A token bucket: refill in requests per second, and how many may come at once. */
export interface RateLimit {
  requestsPerSecond: number;
  burst: number;
}

export interface SandboxCredentials {
  clientId: string;
  clientSecret: string;
  refreshToken: string;
}

/** A request without any secret: the path only, never query, headers or body. */
export interface AnswerNote {
  method: string;
  path: string;
  operation: string | undefined;
  status: number;
}

export interface SandboxOptions {
  /** 0 (default): any free port. */
  port?: number;
  /** Given values replace the random ones. */
  credentials?: Partial<SandboxCredentials> | undefined;
  /** Lifetime of access tokens and restricted data tokens; default 3600. */
  tokenLifetimeSeconds?: number;
  /** False: an exchange returns the refresh token that it was given. Default true. */
  rotate?: boolean;
  /** Limits by operation name (`getCatalogItem`), over the defaults; `*` for all without their own; false for no limits. */
  rateLimits?: Readonly<Record<string, RateLimit>> | false;
  /** `documented` (default): x-svc-*; `public`: x-amzn-*. */
  headerStyle?: 'documented' | 'public';
  /** Header that carries the access token; default x-amz-access-token. */
  accessTokenHeader?: string;
  /** Further listings of the first marketplace, all alike: `MORE-00001`, `MORE-00002`, ... Default 0. */
  moreListings?: number;
  /** The country where the seller is at home: what is made up, what is written by hand and the stores are of there. */
  home?: string | undefined;
  /** The countries of the demo listings; the first has most of them, and orders come from the first two. Default US, CA and MX. */
  countries?: readonly string[];
  /** How many times faster than usual reports are made (some five seconds each). Default 1. */
  reportSpeed?: number;
  /** How many times faster than usual feeds are processed (some five seconds each). Default 1. */
  feedSpeed?: number;
  /** The store of changes. Default: memory. */
  keeping?: Keeping | undefined;
  /** How many reads of a listing still show the old state after each accepted write; default 0. */
  readsUntilVisible?: number;
  /** Time that every answer takes at least, in milliseconds. */
  latencyMs?: number;
  /** Whether `recorded()` keeps what arrives (the last 10,000 calls). Default false. */
  record?: boolean;
  /** Called after every answer. */
  onAnswer?: (note: AnswerNote) => void;
  /** Milliseconds since the epoch; for tests. */
  now?: () => number;
}

/** A call as it arrived. `query` keeps repeated names; header names are lower-case. */
export interface RecordedRequest {
  method: string;
  /** The path as it was sent, still encoded, without the query. */
  path: string;
  query: Readonly<Record<string, readonly string[]>>;
  headers: Readonly<Record<string, string>>;
  /** Parsed JSON; the text where it was none; undefined without a body. */
  body: unknown;
  operation: string | undefined;
  status: number;
}

/** How the next calls shall fail. With `delayMs` alone the call is only late. */
export interface Fault {
  /** Only calls of this operation (`exchangeToken` is the token exchange, `downloadDocument` and `uploadDocument` a signed address). Default: any. */
  operation?: string;
  /** How many calls; default 1. */
  times?: number;
  status?: number;
  /** Sent with `status`: a string as it is, anything else as JSON. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Ends the connection with a TCP reset. */
  reset?: true;
  /** Bytes written to the socket instead of an answer; the connection ends after them. */
  raw?: string | Uint8Array;
  delayMs?: number;
  /** `after`: the call takes effect first, then its answer fails (a write whose fate the caller cannot know). */
  when?: 'before' | 'after';
}

/** The outcome of the next feed, for a test that wants another one. */
export interface NextFeed {
  /** It ends so, and nothing of it is applied. */
  ends?: 'FATAL' | 'CANCELLED';
  /** Stays in progress for so long. */
  takesMs?: number;
  /** Instead of its processing report, whatever it is. */
  report?: string;
}

export interface OperationStats {
  calls: number;
  /** Answered 2xx. */
  succeeded: number;
  /** Answered 429. */
  rateLimited: number;
  /** Any other answer, and calls cut off by a fault. */
  failed: number;
}

export interface SandboxStats {
  /** Token exchanges that succeeded. */
  exchanges: number;
  /** Token exchanges that were refused or failed. */
  failedExchanges: number;
  /** API calls of all operations, the token exchange left out. */
  calls: number;
  /** 429s of all operations. */
  rateLimited: number;
  /** Calls refused for their access token. */
  rejectedTokens: number;
  /** TCP connections accepted. */
  connections: number;
  operations: Readonly<Record<string, Readonly<OperationStats>>>;
}

/** A review tells this of a listing, as far as it can differ a day later; null stands for what was not told. */
export interface ListingSeen {
  suppressed: string | null;
  /** Codes and attributes of what suppresses it. */
  causes: readonly string[];
  price: number | null;
  currency: string | null;
  stock: number | null;
  /** 1 or 0. */
  buyable: number | null;
}

export interface Sandbox {
  /** `http://127.0.0.1:<port>`, no slash at the end. */
  readonly baseUrl: string;
  /** The same address: the token exchange is at `/auth/o2/token`. */
  readonly authUrl: string;
  /** Another address, where signed addresses lead. */
  readonly documentsUrl: string;
  readonly credentials: Readonly<SandboxCredentials>;
  readonly sellerId: string;
  readonly marketplaceId: string;
  stats(): SandboxStats;
  /** Whether an operation, by its id, has an answer of its own here. */
  plays(operation: string): boolean;
  /** Returns the requests, oldest first; empty unless `record` was set. */
  recorded(): readonly RecordedRequest[];
  readonly faults: { next(fault: Fault): void; clear(): void; left(): number };
  /** Sets the outcome of the next feed that is created. */
  nextFeed(next: NextFeed): void;
  /** Returns the upload of a feed document or upload destination by its id; undefined if there is none. */
  uploaded(id: string): Buffer | undefined;
  /** Every access token issued so far has expired. */
  expireTokens(): void;
  /** This access token is refused from now on. */
  revokeAccessToken(token: string): void;
  /** Whether an exchange with this refresh token would succeed. */
  acceptsRefreshToken(token: string): boolean;
  /** The body that the last accepted PUT of this supply source carried; undefined before the first. */
  written(supplySourceId: string): unknown;
  /** A review of a marketplace a day ago, by what one of today has found. */
  yesterday<State extends ListingSeen>(
    marketplaceId: string,
    now: ReadonlyMap<string, State>,
  ): ReadonlyMap<string, State>;
  /** Ends every connection; resolves within a second. */
  close(): Promise<void>;
}
