/** Makes the smallest example call of an operation: required parameters and members, with placeholders. */

import { withInnerAddresses } from '../facts/inner-requests.ts';
import type { JsonSchema, Operation, Parameter } from '../facts/operation.ts';
import { type Defs, own, resolveSchema } from '../facts/schema-parts.ts';

export interface ExampleCall {
  operation: string;
  parameters: Record<string, unknown>;
  body?: unknown;
}

const longestBody = 700;
const mostParameters = 20;

/** Deeper required members are left as `{}` where the whole would get long. */
export function buildExample(operation: Operation): ExampleCall {
  const required = operation.parameters
    .filter((parameter) => isToBeGiven(operation, parameter))
    .slice(0, mostParameters);
  const parameters = Object.fromEntries(
    required.map(({ name, schema }) => [name, sample(schema, name, {}, 3)]),
  );
  return {
    operation: operation.id,
    parameters,
    ...(operation.body && {
      body: withInnerAddresses(operation.id, sampleBody(operation.body.schema, operation.defs ?? {})),
    }),
  };
}

/** Required of the caller: the idempotency key is made here when it is left out. */
export function isToBeGiven({ idempotencyKey }: Operation, { name, required }: Parameter): boolean {
  return required && !(idempotencyKey?.in === 'header' && idempotencyKey.name === name);
}

function sampleBody(schema: JsonSchema, defs: Defs): unknown {
  const samples = [8, 4, 3, 2, 1].map((depth) => sample(schema, 'body', defs, depth));
  return samples.find((value) => JSON.stringify(value).length <= longestBody) ?? {};
}

function sample(schema: JsonSchema, name: string, defs: Defs, depth: number): unknown {
  const shape = resolveSchema(schema, defs);
  if (shape.enum !== undefined) return shape.enum[0];
  if (shape.type === 'array') {
    return depth > 0 ? [sample(shape.items ?? {}, name, defs, depth - 1)] : [];
  }
  if (shape.type === 'object') return sampleObject(shape, defs, depth);
  return sampleScalar(shape, name);
}

/** Required members; where none is required, the first one, so that the call says something. */
function sampleObject(shape: JsonSchema, defs: Defs, depth: number): Record<string, unknown> {
  if (depth <= 0) return {};
  const members = shape.properties ?? {};
  const names = shape.required ?? Object.keys(members).slice(0, 1);
  return Object.fromEntries(
    names.map((name) => [name, sample(own(members, name) ?? {}, name, defs, depth - 1)]),
  );
}

function sampleScalar(shape: JsonSchema, name: string): unknown {
  if (shape.type === 'integer' || shape.type === 'number') return shape.minimum ?? shape.multipleOf ?? 1;
  if (shape.type === 'boolean') return true;
  if (shape.format === 'date-time') return '2026-01-31T00:00:00Z';
  return shape.format === 'date' ? '2026-01-31' : `<${name}>`;
}
