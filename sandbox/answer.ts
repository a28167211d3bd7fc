/** What a handler of the sandbox gets and gives, and the error bodies of section 7. */

import type { ServiceError } from '../src/service/document/error.ts';
import type { AccessToken } from './tokens/token-book.ts';

/** An API call whose token and rate were fine. */
export interface Call {
  /** Path parameters, decoded. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  headers: Readonly<Record<string, string>>;
  /** Parsed JSON, undefined without a body. */
  body: unknown;
  token: AccessToken;
  /** Whether the token opens this element of the buyer's data (`shippingAddress`). */
  shows(element: string): boolean;
}

export interface Answer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; undefined: no body. */
  body?: unknown;
  /** Sent as it is instead of `body`. */
  text?: string;
}

/** How an operation wraps its errors: `{ errors: [...] }`, or the bare array of section 4.3. */
export type ErrorForm = 'object' | 'array';

export function fail(
  status: number,
  errors: ServiceError | readonly ServiceError[],
  form: ErrorForm = 'object',
): Answer {
  const list = 'code' in errors ? [errors] : errors;
  return { status, body: form === 'array' ? list : { errors: list } };
}
