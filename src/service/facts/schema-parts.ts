/** Walks JSON Schema: through references, into parts, without reaching prototypes or running in circles. */

import type { JsonSchema } from './operation.ts';

/** Shapes by name, as an operation carries them. */
export type Defs = Readonly<Record<string, JsonSchema>>;

/** Follows references to the shape itself; an unknown name, or one that only leads back to itself, gives an empty shape. */
export function resolveSchema(schema: JsonSchema, defs: Defs): JsonSchema {
  let current = schema;
  for (let hops = 0; current.$ref !== undefined && hops < longestChain; hops += 1) {
    current = own(defs, nameOfRef(current.$ref)) ?? {};
  }
  return current.$ref === undefined ? current : {};
}

const longestChain = 20;

/** A name that only stands for another shape's name gives that one. */
export function finalName(name: string, defs: Defs): string {
  let current = name;
  for (let hops = 0; hops < longestChain; hops += 1) {
    const next = own(defs, current)?.$ref;
    if (next === undefined) return current;
    current = nameOfRef(next);
  }
  return '';
}

/** A record's own member; names such as `constructor` come from files and must not reach the prototype. */
export function own<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** `#/$defs/Name` -> `Name`. */
export function nameOfRef(reference: string): string {
  return reference.replace('#/$defs/', '');
}

/** Those of `defs` that the schema refers to, directly or through another. */
export function pickDefs(schema: JsonSchema, defs: Defs): Record<string, JsonSchema> {
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

/** The schemas that stand directly inside one. */
export function partsOf(schema: JsonSchema): JsonSchema[] {
  const rest = schema.additionalProperties;
  return [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(typeof rest === 'object' ? [rest] : []),
  ];
}

export interface Member {
  /** Dotted, through lists without saying so. */
  path: string;
  name: string;
  schema: JsonSchema;
}

/** Members of a shape and of the unnamed ones inside it; named ones stand among the shapes themselves. */
export function membersIn(schema: JsonSchema, prefix = ''): Member[] {
  const inItems = schema.items === undefined ? [] : membersIn(schema.items, prefix);
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    return [{ path, name, schema: member }, ...membersIn(member, path)];
  });
  return [...inItems, ...members];
}
