/** The input and the answer of a handler of the sandbox, its refusals, and the error bodies of section 7. */

import type * as z from 'zod';
import type { Operation } from '../src/service/facts/operation.ts';
import type { ServiceError } from '../src/service/shapes/error.ts';
import type { AccessToken } from './tokens/token-book.ts';

/** An API call whose token and rate were fine. */
export interface Call {
  operation: Operation;
  /** When it is answered, in milliseconds. */
  now: number;
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

export const ok = (body: unknown, status = 200): Answer => ({ status, body });

/** Wraps the payload in the envelope of the older operations. */
export const okPayload = (payload: unknown, status = 200): Answer => ok({ payload }, status);

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

/** Thrown by whatever handles a call, as deep down as it is noticed: these errors are the answer. */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly ServiceError[];
  /** Undefined: as the operation wraps its own. */
  readonly form: ErrorForm | undefined;

  constructor(status: number, errors: readonly ServiceError[], form?: ErrorForm) {
    super(`refused with ${status}`);
    this.status = status;
    this.errors = errors;
    this.form = form;
  }
}

/** @throws Refusal always */
export function refuse(status: number, ...errors: readonly ServiceError[]): never {
  throw new Refusal(status, errors);
}

/** @throws Refusal always */
export function invalid(details: string): never {
  refuse(400, { code: 'InvalidInput', message: 'Request has missing or invalid parameters.', details });
}

/**
 * A request that the sandbox is too small for is not wrong, so neither status nor text says so.
 * @param isKnown whether the service has it
 */
export const notPlayed = (name: string, isKnown: boolean): ServiceError => ({
  code: 'NotPlayed',
  message: `The demo account does not have this (${name}).${isKnown ? ' The real service has it.' : ''}`,
});

/** @throws Refusal always */
export function refuseNotPlayed(name: string, isKnown = true): never {
  refuse(501, notPlayed(name, isKnown));
}

/** @throws Refusal where there is nothing of this kind with this id. */
export function known<T>(found: T | undefined, what: string, id = ''): T {
  if (found !== undefined) return found;
  return refuse(404, { code: 'NotFound', message: `${what} '${id}' was not found.`, details: '' });
}

export const denied = (details: string): ServiceError => ({
  code: 'Unauthorized',
  message: 'Access to requested resource is denied.',
  details,
});

/** @throws Refusal always */
export function deny(details: string): never {
  refuse(403, denied(details));
}

/** Everything that is wrong with a body. */
export const problemsOf = ({ issues }: z.ZodError, whole = ''): string =>
  issues.map(({ path, message }) => `${path.join('.') || whole}: ${message}`).join('; ');

/** The body as its schema has it. @param whole how the body itself is called. @throws Refusal */
export function readBody<S extends z.ZodType>(schema: S, body: unknown, whole?: string): z.output<S> {
  const parsed = schema.safeParse(body);
  return parsed.success ? parsed.data : invalid(problemsOf(parsed.error, whole));
}
