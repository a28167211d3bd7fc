/** Puts schemas together: all of them at once (`allOf`), or what any one of them would accept (`oneOf`, `anyOf`). */

import type { JsonSchema } from '../../service/facts/operation.ts';

/** The members of all in one object; where two speak of the same thing, the later one wins. */
export function mergeAll(schemas: readonly JsonSchema[]): JsonSchema {
  const filled = schemas.filter((schema) => Object.keys(schema).length > 0);
  const [only, ...others] = filled;
  if (only === undefined) return {};
  if (others.length === 0) return only;
  const properties = Object.fromEntries(filled.flatMap((schema) => Object.entries(schema.properties ?? {})));
  const required = [...new Set(filled.flatMap((schema) => schema.required ?? []))];
  const merged: JsonSchema = Object.assign({}, ...filled.map(withoutClosing));
  return {
    ...merged,
    ...(Object.keys(properties).length > 0 && { type: 'object', properties }),
    required: required.length > 0 ? required : undefined,
  };
}

/** A part that allows no other members means its own; beside other parts it would forbid theirs. */
function withoutClosing(schema: JsonSchema): JsonSchema {
  const { additionalProperties, ...rest } = schema;
  return additionalProperties === false ? rest : schema;
}

/** Accepts whatever one of the alternatives accepts, and perhaps more: never less. */
export function loosen(alternatives: readonly JsonSchema[]): JsonSchema {
  const [first, ...others] = alternatives;
  if (first === undefined) return {};
  const text = JSON.stringify(first);
  if (others.every((other) => JSON.stringify(other) === text)) return first;
  if (alternatives.every(isEnumAlone)) return enumsOf(alternatives);
  const types = new Set(alternatives.map((schema) => (schema.properties ? 'object' : schema.type)));
  const [type] = types;
  if (types.size !== 1 || type === undefined) return {};
  const nullable = alternatives.some((schema) => schema.nullable) ? { nullable: true } : {};
  if (type !== 'object') return { type, ...nullable, ...enumsOf(alternatives) };
  return { type, ...nullable, ...looseMembers(alternatives) };
}

/** A list of values without a type, as a `const` gives it. */
function isEnumAlone(schema: JsonSchema): boolean {
  return schema.enum !== undefined && Object.keys(schema).length === 1;
}

function enumsOf(alternatives: readonly JsonSchema[]): JsonSchema {
  const values = alternatives.flatMap((schema) => schema.enum ?? []);
  return alternatives.every((schema) => schema.enum !== undefined) ? { enum: [...new Set(values)] } : {};
}

/** Members of any, required where all require them; one that differs between alternatives may be anything. */
function looseMembers(alternatives: readonly JsonSchema[]): JsonSchema {
  if (alternatives.some((schema) => schema.properties === undefined)) return {};
  const shapes = new Map<string, JsonSchema[]>();
  const requiring = new Map<string, number>();
  for (const { properties = {}, required = [] } of alternatives) {
    for (const [name, shape] of Object.entries(properties)) {
      const known = shapes.get(name);
      if (known === undefined) shapes.set(name, [shape]);
      else known.push(shape);
    }
    for (const name of new Set(required)) requiring.set(name, (requiring.get(name) ?? 0) + 1);
  }
  const names = [...shapes.keys()];
  const properties = names.map((name) => [name, loosen(shapes.get(name) ?? [])] as const);
  const required = names.filter((name) => requiring.get(name) === alternatives.length);
  return {
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}
