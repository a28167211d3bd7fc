/** Tells at once that a value fits a plain shape: the arguments of most calls, for which loading ajv would take longer than all the rest. */

import type { JsonSchema } from '../../service/facts/operation.ts';

/** Keywords that are looked at here; a schema with any other one is ajv's. `format` is the service's to judge. */
const PLAIN: ReadonlySet<string> = new Set<keyof JsonSchema | 'description' | 'title'>([
  ...(['type', 'enum', 'minimum', 'maximum', 'items', 'minItems', 'maxItems'] as const),
  ...(['minLength', 'maxLength', 'format', 'description', 'title'] as const),
]);

/** False for what does not fit, and for what only ajv can tell. */
export function fitsPlainly(schema: JsonSchema, value: unknown): boolean {
  const { type, items, enum: allowed, minimum, maximum, minItems, maxItems, minLength, maxLength } = schema;
  if (!Object.keys(schema).every((key) => PLAIN.has(key))) return false;
  if (allowed !== undefined && !allowed.some((each) => each === value)) return false;
  if (type === 'string') return typeof value === 'string' && isWithin(lengthOf(value), minLength, maxLength);
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'integer') return Number.isInteger(value) && isWithin(Number(value), minimum, maximum);
  if (type !== 'array' || items === undefined || !Array.isArray(value)) return false;
  return isWithin(value.length, minItems, maxItems) && value.every((each) => fitsPlainly(items, each));
}

/** Counts the length as a schema does: a character outside the first plane is one, not two. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function isWithin(number: number, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY) {
  return number >= least && number <= most;
}
