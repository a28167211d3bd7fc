/** The error object of section 7 in every wrapping that is seen; anything else is no error object. */

import type { ServiceError } from '../errors.ts';
import { isJsonObject } from '../json.ts';

/**
 * Reads one error alone, an array of them, either under `errors`, or OAuth's `error` and `error_description`.
 * A missing or odd member becomes text; a body that holds none of these gives an empty list.
 */
export function parseErrors(body: unknown): ServiceError[] {
  if (Array.isArray(body)) return body.flatMap(parseOne);
  if (!isJsonObject(body)) return [];
  const { errors } = body;
  if (Array.isArray(errors)) return errors.flatMap(parseOne);
  if (isJsonObject(errors)) return parseOne(errors);
  return parseOne(body);
}

/** True for the sentence with which a service says that the token is past its time. */
export function saysTokenExpired(errors: readonly ServiceError[]): boolean {
  return errors.some(({ code, message, details }) =>
    /token\b.*\bexpired|expired\b.*\btoken/i.test(
      `${code} ${message} ${details ?? ''}`.replace(/[_-]/g, ' '),
    ),
  );
}

function parseOne(value: unknown): ServiceError[] {
  if (!isJsonObject(value)) return [];
  const code = textOf(value.code) ?? textOf(value.error);
  const message = textOf(value.message) ?? textOf(value.Message) ?? textOf(value.error_description);
  if (code === undefined && message === undefined)
    return isJsonObject(value.error) ? parseOne(value.error) : [];
  const details = textOf(value.details);
  return [{ code: code ?? '', message: message ?? '', ...(details === undefined ? {} : { details }) }];
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
