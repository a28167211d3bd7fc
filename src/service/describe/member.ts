/** Finds one member of an operation's parameters or body by its dotted path. */

import { InputError } from '../../errors.ts';
import { quoteName } from '../../text/quote-name.ts';
import type { JsonSchema, Operation } from '../facts/operation.ts';
import { type Defs, own, resolveSchema } from '../facts/schema-parts.ts';

/**
 * `capabilities.outbound` (through arrays without saying so), a parameter's name, or the name of a shared shape.
 * @throws InputError naming the step that does not exist and the names that do.
 */
export function findMember(operation: Operation, path: string): JsonSchema {
  const parameter = operation.parameters.find(({ name }) => name === path);
  if (parameter !== undefined) return parameter.schema;
  const defs = operation.defs ?? {};
  const steps = path.split('.').map((step) => step.replace(/\[\d*\]$/, ''));
  const [first = ''] = steps;
  const start = operation.body?.schema ?? {};
  const shape = stepInto(start, first, defs) === undefined ? own(defs, first) : undefined;
  return shape === undefined
    ? follow(start, steps, operation, defs)
    : follow(shape, steps.slice(1), operation, defs);
}

function follow(start: JsonSchema, steps: readonly string[], operation: Operation, defs: Defs): JsonSchema {
  return steps.reduce((schema, step) => {
    const next = stepInto(schema, step, defs);
    if (next === undefined) throw noMember(step, schema, operation, defs);
    return next;
  }, start);
}

function stepInto(schema: JsonSchema, name: string, defs: Defs): JsonSchema | undefined {
  const { properties = {}, additionalProperties: rest } = throughArrays(schema, defs);
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof rest === 'object' ? rest : undefined;
}

/** Arrays of arrays end here, even where a shape is an array of itself. */
const deepestArray = 10;

function throughArrays(schema: JsonSchema, defs: Defs): JsonSchema {
  let current = resolveSchema(schema, defs);
  for (let level = 0; current.items !== undefined && level < deepestArray; level += 1) {
    current = resolveSchema(current.items, defs);
  }
  return current;
}

function noMember(step: string, schema: JsonSchema, operation: Operation, defs: Defs): InputError {
  const here = Object.keys(throughArrays(schema, defs).properties ?? {});
  const isTop = schema === operation.body?.schema || operation.body === undefined;
  const names = isTop ? [...here, ...operation.parameters.map(({ name }) => name)] : here;
  return new InputError(
    `${operation.id} has no member ${JSON.stringify(step.slice(0, 100))} there`,
    names.length === 0
      ? 'There is nothing inside it.'
      : `The names there are: ${names.map(quoteName).join(', ')}.`,
  );
}
