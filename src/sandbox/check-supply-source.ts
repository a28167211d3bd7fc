/** Checks the body of the supply source write by the types of section 2.4. */

import type { ServiceError } from '../errors.ts';
import { isJsonObject } from '../json.ts';
import { supplySourceSchema } from '../service/document/supply-source.ts';

/** What the service alone sets: a body that carries one of these is refused, so that callers notice. */
const READ_ONLY = ['supplySourceId', 'supplySourceCode', 'status', 'createdAt', 'updatedAt'];

/** Readable beside the settings, and no part of them: taken without effect. */
const IGNORED = 'address';

/** @returns what to keep (members that the document does not know included), or everything that is wrong. */
export function checkSupplySource(
  body: unknown,
): { settings: Record<string, unknown> } | { errors: ServiceError[] } {
  if (!isJsonObject(body)) {
    return { errors: [{ code: 'InvalidInput', message: 'The body must be a JSON object.' }] };
  }
  const readOnly = READ_ONLY.filter((name) => name in body).map(
    (name): ServiceError => ({ code: 'InvalidInput', message: `${name}: can only be read.` }),
  );
  const errors = [...readOnly, ...findWrongTypes(body)];
  if (errors.length > 0) return { errors };
  const { [IGNORED]: _ignored, ...settings } = body;
  return { settings };
}

function findWrongTypes(body: Record<string, unknown>): ServiceError[] {
  const parsed = supplySourceSchema.safeParse(body);
  if (parsed.success) return [];
  // The schema is strict for what this program sends; the service takes what it does not know.
  return parsed.error.issues
    .filter((issue) => issue.code !== 'unrecognized_keys')
    .map(({ path, message }) => ({
      code: 'InvalidInput',
      message: `${path.join('.')}: ${message}`,
      details: 'See the type of this member in the description of the write.',
    }));
}
