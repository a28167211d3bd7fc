/** The values of a call: what was left out is filled in, each parameter becomes text, and a write gets its idempotency key. */

import { toUSVString } from 'node:util';
import type { AccountProfile } from '../../accounts/account.ts';
import type { Problem } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';
import type { Operation, Parameter } from '../../service/facts/operation.ts';
import { accountValueOf, SEPARATORS } from '../../service/facts/parameters.ts';
import { own } from '../../service/facts/schema-parts.ts';

/** The two values of an account that are not secret. */
export type AccountDefaults = Pick<AccountProfile, 'sellerId' | 'marketplaceId'>;

/** Optional ones stay out: beside a page token, for example, a service refuses any further filter. */
export function fillIn(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  account: AccountDefaults,
) {
  const parameters: Record<string, unknown> = { ...given };
  /** The values that were added, as text. */
  const filledIn: Record<string, string> = {};
  for (const parameter of operation.parameters) {
    if (!parameter.required) continue;
    const value = defaultOf(parameter, account);
    if (value === undefined || own(parameters, parameter.name) !== undefined) continue;
    parameters[parameter.name] = parameter.schema.type === 'array' ? [value] : value;
    filledIn[parameter.name] = value;
  }
  return { parameters, filledIn };
}

function defaultOf({ name }: Parameter, account: AccountDefaults): string | undefined {
  const member = accountValueOf(name);
  return member === undefined ? undefined : account[member];
}

/** True when a required parameter is left out that an account with a seller ID and a marketplace would fill in. */
export function lacksAccountValue(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  account: AccountDefaults,
): boolean {
  return operation.parameters.some(({ name, required }) => {
    const member = required && own(given, name) === undefined ? accountValueOf(name) : undefined;
    return member !== undefined && account[member] === undefined;
  });
}

/** One parameter as the texts that are sent under its name: one, or for `multi` one per element. */
export function textsOf(parameter: Parameter, value: unknown): { texts: string[] } | { problem: Problem } {
  if (!Array.isArray(value))
    return isScalar(value) ? { texts: [String(value)] } : refuse(parameter, NOT_TEXT);
  if (!value.every(isScalar)) return refuse(parameter, NOT_TEXT);
  const texts = value.map(String);
  const format = parameter.collectionFormat ?? 'csv';
  if (texts.length === 0) return parameter.required ? refuse(parameter, 'must not be empty') : { texts: [] };
  if (format === 'multi') return { texts };
  const separator = SEPARATORS[format];
  const broken = texts.findIndex((text) => text.includes(separator));
  // The services take a separator inside the only value of a list.
  if (broken === -1 || texts.length === 1) return { texts: [texts.join(separator)] };
  const message = `${JSON.stringify(texts[broken])} holds ${JSON.stringify(separator)}, which would be read as two values; send it in a call of its own`;
  return { problem: { path: `${parameter.name}.${broken}`, message } };
}

const NOT_TEXT = 'must be text, a number, true or false, or a list of these';

function refuse(parameter: Parameter, message: string): { problem: Problem } {
  return { problem: { path: parameter.name, message } };
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** `a=1&b=2`, percent-encoded (a space is `%20`, which every service reads); empty for no pairs. */
export function encodeQuery(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

function encode(text: string): string {
  return encodeURIComponent(toUSVString(text));
}

export interface Keyed {
  headers: Readonly<Record<string, string>>;
  body: unknown;
  /** The key that the request now carries. */
  key?: string;
}

/** One idempotency key per logical call: the caller's where there is one, otherwise made here and kept over retries. */
export function withIdempotencyKey(
  operation: Operation,
  headers: Keyed['headers'],
  body: unknown,
  newKey?: string,
): Keyed {
  const { idempotencyKey } = operation;
  if (idempotencyKey === undefined) return { headers, body };
  if (idempotencyKey.in === 'header') {
    const name = idempotencyKey.name.toLowerCase();
    const key = headers[name] ?? newKey ?? crypto.randomUUID();
    return { headers: { ...headers, [name]: key }, body, key };
  }
  if (!isJsonObject(body)) return { headers, body };
  const value = body[idempotencyKey.name] ?? newKey ?? crypto.randomUUID();
  return { headers, body: { ...body, [idempotencyKey.name]: value }, key: String(value) };
}
