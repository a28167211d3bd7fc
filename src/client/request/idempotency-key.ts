/** One idempotency key per logical call: the caller's where there is one, otherwise made here and kept over retries. */

import { isJsonObject } from '../../json.ts';
import type { Operation } from '../../service/facts/operation.ts';

export interface Keyed {
  headers: Readonly<Record<string, string>>;
  body: unknown;
  /** True when the request now carries a key. */
  keyed: boolean;
}

export function withIdempotencyKey(operation: Operation, headers: Keyed['headers'], body: unknown): Keyed {
  const key = operation.idempotencyKey;
  if (key === undefined) return { headers, body, keyed: false };
  if (key.in === 'header') {
    return { headers: { [key.name.toLowerCase()]: crypto.randomUUID(), ...headers }, body, keyed: true };
  }
  if (!isJsonObject(body)) return { headers, body, keyed: false };
  const value = body[key.name] ?? crypto.randomUUID();
  return { headers, body: { ...body, [key.name]: value }, keyed: true };
}
