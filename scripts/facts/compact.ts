/** Writes JSON Schema in the notation of the facts file; src/service/facts/compact-schema.ts reads it back. */

import type { JsonSchema } from '../../src/service/facts/operation.ts';

const letters = { string: 's', integer: 'i', number: 'n', boolean: 'b', object: 'o', array: 'a' } as const;

export function encodeSchema(schema: JsonSchema): unknown {
  if (schema.$ref !== undefined) return `#${schema.$ref.replace('#/$defs/', '')}`;
  const members = {
    ...(needsType(schema) ? { t: encodeType(schema) } : {}),
    ...(schema.enum && { e: schema.enum }),
    ...(schema.properties && { p: encodeProperties(schema) }),
    ...(schema.items && { i: encodeSchema(schema.items) }),
    ...(schema.minItems === undefined && schema.maxItems === undefined
      ? {}
      : { c: [schema.minItems ?? null, schema.maxItems ?? null] }),
    ...(schema.additionalProperties === undefined ? {} : { x: encodeRest(schema.additionalProperties) }),
    ...(schema.pattern && { r: schema.pattern }),
    ...(schema.multipleOf && { m: schema.multipleOf }),
  };
  const [first, ...rest] = Object.keys(members);
  if (first === undefined) return '';
  if (rest.length === 0 && first === 't') return members.t;
  return rest.length === 0 && first === 'i' ? [members.i] : members;
}

/** String enums, properties and items already imply the type. */
function needsType(schema: JsonSchema): boolean {
  if (schema.type === undefined) return false;
  if (schema.type === 'string' && schema.enum !== undefined) return encodeType(schema) !== 's';
  return (
    schema.properties === undefined && schema.items === undefined && schema.additionalProperties === undefined
  );
}

function encodeType(schema: JsonSchema): string {
  const letter = schema.type === undefined ? '' : letters[schema.type];
  const low = schema.type === 'string' ? schema.minLength : schema.minimum;
  const high = schema.type === 'string' ? schema.maxLength : schema.maximum;
  const bounds = low === undefined && high === undefined ? '' : `(${low ?? ''}..${high ?? ''})`;
  return `${letter}${schema.format === undefined ? '' : `:${schema.format}`}${bounds}`;
}

function encodeRest(value: boolean | JsonSchema): unknown {
  return typeof value === 'boolean' ? value : encodeSchema(value);
}

function encodeProperties(schema: JsonSchema): Record<string, unknown> {
  const required = new Set(schema.required);
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, member]) => {
      if (name.endsWith('*')) throw new Error(`a member's name ends in *: ${name}`);
      return [required.has(name) ? `${name}*` : name, encodeSchema(member)];
    }),
  );
}
