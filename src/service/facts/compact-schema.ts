/**
 * Decodes the notation of shapes in the facts file into JSON Schema.
 *
 * - `'s'`, `'i'`, `'n'`, `'b'`, `'o'`, `'a'`: string, integer, number, boolean, any object, any array; `''`:
 *   anything. `'s:date-time'` adds a format, `'s(1..40)'` bounds of the length, `'i(0..)'` of the value.
 * - `'#Name'`: a shape among the file's `defs`. `[X]`: an array of X.
 * - an object: `e` enum, `p` properties (a name that ends in `*` is required), `i` items, `c` bounds of the
 *   item count, `x` additional properties, `r` pattern, `m` multiple of, `t` a type in the notation above.
 */

import { isJsonObject } from '../../base/json.ts';
import type { JsonSchema } from './operation.ts';

const typeNames: Readonly<Record<string, JsonSchema['type']>> = {
  s: 'string',
  i: 'integer',
  n: 'number',
  b: 'boolean',
  o: 'object',
  a: 'array',
};

const scalar = /^([sinboa])(?::([\w-]+))?(?:\((-?[\d.]*?)\.\.(-?[\d.]*)\))?$/;

/**
 * Decodes a shape.
 * @throws Error when the text is not in the notation, because the facts file is broken.
 */
export function decodeSchema(value: unknown): JsonSchema {
  if (typeof value === 'string') return decodeText(value);
  if (Array.isArray(value)) return { type: 'array', items: decodeSchema(value[0]) };
  if (isJsonObject(value)) return decodeObject(value);
  throw new Error(`not a shape of the facts file: ${JSON.stringify(value)}`);
}

function decodeText(text: string): JsonSchema {
  if (text === '') return {};
  if (text.startsWith('#')) return { $ref: `#/$defs/${text.slice(1)}` };
  const [, letter = '', format, low, high] = scalar.exec(text) ?? [];
  const type = typeNames[letter];
  if (type === undefined) throw new Error(`not a type of the facts file: ${text}`);
  const [lowest, highest] =
    type === 'string' ? (['minLength', 'maxLength'] as const) : (['minimum', 'maximum'] as const);
  return {
    type,
    ...(format ? { format } : {}),
    ...(low ? { [lowest]: Number(low) } : {}),
    ...(high ? { [highest]: Number(high) } : {}),
  };
}

function decodeObject(value: Record<string, unknown>): JsonSchema {
  return {
    ...(typeof value.t === 'string' ? decodeText(value.t) : {}),
    ...(Array.isArray(value.e) ? decodeEnum(value) : {}),
    ...(isJsonObject(value.p) ? decodeProperties(value.p) : {}),
    ...(value.i === undefined ? {} : { type: 'array' as const, items: decodeSchema(value.i) }),
    ...(Array.isArray(value.c) ? decodeCount(value.c) : {}),
    ...(value.x === undefined ? {} : { type: 'object' as const, additionalProperties: decodeRest(value.x) }),
    ...(typeof value.r === 'string' ? { pattern: value.r } : {}),
    ...(typeof value.m === 'number' ? { multipleOf: value.m } : {}),
  };
}

function decodeRest(value: unknown): boolean | JsonSchema {
  return typeof value === 'boolean' ? value : decodeSchema(value);
}

function decodeEnum(value: Record<string, unknown>): JsonSchema {
  const values = Array.isArray(value.e) ? value.e.filter(isScalar) : [];
  return value.t === undefined ? { type: 'string', enum: values } : { enum: values };
}

function decodeProperties(members: Record<string, unknown>): JsonSchema {
  const names = Object.keys(members);
  const required = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  const properties = Object.fromEntries(
    names.map((name) => [name.replace(/\*$/, ''), decodeSchema(members[name])]),
  );
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

function decodeCount([low, high]: readonly unknown[]): JsonSchema {
  return {
    ...(typeof low === 'number' ? { minItems: low } : {}),
    ...(typeof high === 'number' ? { maxItems: high } : {}),
  };
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
