/** Traverses JSON Schema: follows references and visits parts, without reaching prototypes or looping. */

import type { JsonSchema } from './operation.ts';

/** The shapes of an operation by name. */
export type SchemaDefs = Readonly<Record<string, JsonSchema>>;

/** Follows references to the shape itself; an unknown name, or a circular reference, gives an empty shape. */
export function resolveSchema(schema: JsonSchema, defs: SchemaDefs): JsonSchema {
  let current = schema;
  for (let hops = 0; current.$ref !== undefined && hops < MAX_CHAIN; hops += 1) {
    current = own(defs, nameOfRef(current.$ref)) ?? {};
  }
  return current.$ref === undefined ? current : {};
}

const MAX_CHAIN = 20;

/** Returns the final name of a shape that only refers to another one. */
export function finalName(name: string, defs: SchemaDefs): string {
  let current = name;
  for (let hops = 0; hops < MAX_CHAIN; hops += 1) {
    const next = own(defs, current)?.$ref;
    if (next === undefined) return current;
    current = nameOfRef(next);
  }
  return '';
}

/**
 * Returns a record's own member, because names such as `constructor` come from files and must not reach the
 * prototype.
 */
export function own<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Returns `Name` for `#/$defs/Name`. */
export function nameOfRef(reference: string): string {
  return reference.replace('#/$defs/', '');
}

/** Returns the part of `defs` that the schema refers to, directly or indirectly. */
export function pickDefs(schema: JsonSchema, defs: SchemaDefs): Record<string, JsonSchema> {
  const picked: Record<string, JsonSchema> = {};
  const visit = (part: JsonSchema): void => {
    const name = part.$ref === undefined ? undefined : nameOfRef(part.$ref);
    const target = name === undefined ? undefined : own(defs, name);
    if (name !== undefined && target !== undefined && !Object.hasOwn(picked, name)) {
      picked[name] = target;
      visit(target);
    }
    partsOf(part).forEach(visit);
  };
  visit(schema);
  return picked;
}

/** Returns the schemas directly inside one. */
export function partsOf(schema: JsonSchema): JsonSchema[] {
  const rest = schema.additionalProperties;
  return [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(typeof rest === 'object' ? [rest] : []),
  ];
}

export interface SchemaMember {
  /** The dotted path, which passes through lists implicitly. */
  path: string;
  name: string;
  schema: JsonSchema;
}

/**
 * Returns the members of a shape and of the unnamed shapes inside it; named shapes are visited separately.
 */
export function membersIn(schema: JsonSchema, prefix = ''): SchemaMember[] {
  const inItems = schema.items === undefined ? [] : membersIn(schema.items, prefix);
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    return [{ path, name, schema: member }, ...membersIn(member, path)];
  });
  return [...inItems, ...members];
}
