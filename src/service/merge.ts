/** Lays what one source says about an operation over what another says; the first source wins where both speak. */

import type { JsonSchema, Operation, Parameter } from './operation.ts';

type Defs = Readonly<Record<string, JsonSchema>>;

/** Same method, and same path whatever the placeholders are called: the same operation. */
export function endpointOf(operation: Pick<Operation, 'method' | 'path'>): string {
  return `${operation.method} ${operation.path.replace(/\{[^}]*\}/g, '{}').replace(/\/$/, '')}`;
}

/** The document's facts first, completed by the definitions': limits, enums, required members, members it does not name. */
export function mergeOperations(document: Operation, found: Operation): Operation {
  const body = mergeBodies(document, found);
  return {
    ...found,
    ...document,
    id: found.id,
    parameters: mergeParameters(document.parameters, found.parameters),
    ...body,
    effect: found.effect,
    auth: found.auth,
    source: found.source === 'user' ? 'document' : 'both',
  };
}

/** A user's definition may be newer than the built-in facts: its shapes win; identity and reviewed facts stay. */
export function enrichOperation(builtIn: Operation, user: Operation): Operation {
  const samePath = builtIn.path === user.path;
  const inPath = (parameter: Parameter) => parameter.in === 'path';
  const brought = samePath ? user.parameters : user.parameters.filter((parameter) => !inPath(parameter));
  return {
    ...builtIn,
    parameters: mergeParameters(brought, builtIn.parameters),
    ...(user.body && { body: user.body, defs: user.defs ?? {} }),
    ...((builtIn.rate ?? user.rate) && { rate: user.rate ?? builtIn.rate }),
    ...((builtIn.idempotencyKey ?? user.idempotencyKey) && {
      idempotencyKey: builtIn.idempotencyKey ?? user.idempotencyKey,
    }),
  };
}

function mergeParameters(first: readonly Parameter[], second: readonly Parameter[]): Parameter[] {
  const sameAs = (one: Parameter) => (other: Parameter) => other.name === one.name && other.in === one.in;
  const merged = first.map((parameter) => {
    const other = second.find(sameAs(parameter));
    return other === undefined
      ? parameter
      : { ...other, ...parameter, schema: { ...other.schema, ...parameter.schema } };
  });
  return [...merged, ...second.filter((parameter) => !first.some(sameAs(parameter)))];
}

function mergeBodies(first: Operation, second: Operation): Pick<Operation, 'body' | 'defs'> {
  if (first.body === undefined || second.body === undefined) return {};
  const [mine, theirs] = [first.defs ?? {}, second.defs ?? {}];
  const defs = Object.fromEntries(
    Object.keys({ ...theirs, ...mine }).map((name) => [name, mergeDef(mine[name], theirs[name], theirs)]),
  );
  const schema = mergeSchemas(first.body.schema, second.body.schema, theirs);
  return { body: { required: first.body.required, schema }, defs: pickDefs(schema, defs) };
}

function mergeDef(first: JsonSchema | undefined, second: JsonSchema | undefined, defs: Defs): JsonSchema {
  if (first === undefined) return second ?? {};
  return second === undefined ? first : mergeSchemas(first, second, defs);
}

/** `defs` belong to the second schema; a reference of the first stays as it is, since shapes of one name are merged. */
function mergeSchemas(first: JsonSchema, second: JsonSchema, defs: Defs): JsonSchema {
  if (first.$ref !== undefined) return first;
  const other = resolveSchema(second, defs);
  const names = Object.keys({ ...first.properties, ...other.properties });
  const properties = names.map((name) => [
    name,
    mergeDef(first.properties?.[name], other.properties?.[name], defs),
  ]);
  return {
    ...other,
    ...first,
    ...(names.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(first.items && other.items && { items: mergeSchemas(first.items, other.items, defs) }),
  };
}

/** Follows references to the shape itself; an unknown name gives an empty shape. */
export function resolveSchema(schema: JsonSchema, defs: Defs): JsonSchema {
  let current = schema;
  for (let hops = 0; current.$ref !== undefined && hops < 20; hops += 1) {
    current = defs[nameOfRef(current.$ref)] ?? {};
  }
  return current;
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
    const target = name === undefined ? undefined : defs[name];
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
function partsOf(schema: JsonSchema): JsonSchema[] {
  const rest = schema.additionalProperties;
  return [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(typeof rest === 'object' ? [rest] : []),
  ];
}
