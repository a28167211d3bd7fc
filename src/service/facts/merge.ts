/** Merges two sources' facts about an operation; the first source wins a conflict. */

import type { JsonSchema, Operation, Parameter } from './operation.ts';
import { membersIn, own, pickDefs, resolveSchema, type SchemaDefs } from './schema-parts.ts';

/**
 * Returns the same text for operations with the same method and path, whatever the names of the placeholders.
 */
export function endpointOf(operation: Pick<Operation, 'method' | 'path'>): string {
  return `${operation.method} ${operation.path.replace(/\{[^}]*\}/g, '{}').replace(/\/$/, '')}`;
}

/**
 * Completes the document's facts by those of the definitions: limits, enums, required members, further
 * members.
 */
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
  const [base, added] = [first.defs ?? {}, second.defs ?? {}];
  const defs = Object.fromEntries(
    Object.keys({ ...added, ...base }).map((name) => [
      name,
      mergeDef(own(base, name), own(added, name), added),
    ]),
  );
  const schema = mergeSchemas(first.body.schema, second.body.schema, added);
  return { body: { required: first.body.required, schema }, defs: pickDefs(schema, defs) };
}

function mergeDef(
  first: JsonSchema | undefined,
  second: JsonSchema | undefined,
  defs: SchemaDefs,
): JsonSchema {
  if (first === undefined) return second ?? {};
  return second === undefined ? first : mergeSchemas(first, second, defs);
}

/**
 * Merges two schemas; `defs` belong to the second one. A reference of the first stays, because shapes of one
 * name are merged.
 */
function mergeSchemas(first: JsonSchema, second: JsonSchema, defs: SchemaDefs): JsonSchema {
  if (first.$ref !== undefined) return first;
  const other = resolveSchema(second, defs);
  const names = Object.keys({ ...first.properties, ...other.properties });
  const properties = names.map((name) => [
    name,
    mergeDef(own(first.properties, name), own(other.properties, name), defs),
  ]);
  return {
    ...other,
    ...first,
    ...(names.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(first.items && other.items && { items: mergeSchemas(first.items, other.items, defs) }),
  };
}

/**
 * Returns the body members that only the merged operation has, as paths from the body's root or from a
 * shape's name.
 */
export function membersAdded(document: Operation, merged: Operation): string[] {
  const own = new Set(memberPaths(document));
  const shapes = new Set(Object.keys(document.defs ?? {}));
  return memberPaths(merged).filter((path) => {
    const [first = ''] = path.split('.');
    return !own.has(path) && (shapes.has(first) || !Object.hasOwn(merged.defs ?? {}, first));
  });
}

function memberPaths({ body, defs = {} }: Operation): string[] {
  const shapes = Object.entries(defs).flatMap(([name, shape]) => membersIn(shape, name));
  return [...membersIn(body?.schema ?? {}), ...shapes].map(({ path }) => path);
}
