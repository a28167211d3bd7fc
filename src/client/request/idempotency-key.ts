/** One idempotency key per logical call: the caller's where there is one, otherwise made here and kept over retries. */

import { isJsonObject } from '../../json.ts';
import type { Operation } from '../../service/facts/operation.ts';

export interface Keyed {
  headers: Readonly<Record<string, string>>;
  body: unknown;
  /** The key that the request now carries. */
  key?: string;
}

export function withIdempotencyKey(operation: Operation, headers: Keyed['headers'], body: unknown): Keyed {
  const { idempotencyKey } = operation;
  if (idempotencyKey === undefined) return { headers, body };
  if (idempotencyKey.in === 'header') {
    const name = idempotencyKey.name.toLowerCase();
    const key = headers[name] ?? crypto.randomUUID();
    return { headers: { ...headers, [name]: key }, body, key };
  }
  if (!isJsonObject(body)) return { headers, body };
  const value = body[idempotencyKey.name] ?? crypto.randomUUID();
  return { headers, body: { ...body, [idempotencyKey.name]: value }, key: String(value) };
}
