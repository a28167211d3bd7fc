/** Completes a built-in operation by a user's definition: unknown shapes and tighter bounds. */

import type { JsonSchema, Operation, Parameter } from './operation.ts';
import { own, pickDefs, resolveSchema, type SchemaDefs } from './schema-parts.ts';

/**
 * Completes the operation. Whatever the file contains, the operation accepts no new input, has the same
 * address, token and effect, and is not called faster. The file's responses only determine which columns may
 * come.
 */
export function enrichOperation(builtIn: Operation, user: Operation): Operation {
  const rate = slower(builtIn.rate, user.rate);
  return {
    ...builtIn,
    parameters: builtIn.parameters.map((parameter) => enrichParameter(parameter, user)),
    ...enrichBody(builtIn, user),
    ...(user.answer && { answer: user.answer }),
    ...(rate && { rate }),
  };
}

function slower(base: Operation['rate'], added: Operation['rate']): Operation['rate'] {
  if (base === undefined || added === undefined) return base ?? added;
  const requestsPerSecond = Math.min(base.requestsPerSecond, added.requestsPerSecond);
  const burst = Math.min(base.burst ?? Infinity, added.burst ?? Infinity);
  return { requestsPerSecond, ...(Number.isFinite(burst) && { burst }) };
}

/**
 * Completes a parameter; shapes named in the file are ignored, because parameters are described without named
 * shapes.
 */
function enrichParameter(parameter: Parameter, user: Operation): Parameter {
  const other = user.parameters.find(
    ({ name, in: place }) => name === parameter.name && place === parameter.in,
  );
  if (other === undefined || Object.keys(pickDefs(other.schema, user.defs ?? {})).length > 0)
    return parameter;
  return { ...parameter, schema: enrichShape(parameter.schema, other.schema, {}) };
}

function enrichBody(builtIn: Operation, user: Operation): Pick<Operation, 'body' | 'defs'> {
  if (builtIn.body === undefined || user.body === undefined) return {};
  const [base, added] = [builtIn.defs ?? {}, user.defs ?? {}];
  const known = Object.entries(base).map(([name, shape]) => {
    const other = own(added, name);
    return [name, other === undefined ? shape : enrichShape(shape, other, added)] as const;
  });
  const schema = enrichShape(builtIn.body.schema, user.body.schema, added);
  // A shape of the file retains its name only if the operation has none of that name.
  const defs = { ...added, ...Object.fromEntries(known) };
  return { body: { required: builtIn.body.required, schema }, defs: pickDefs(schema, defs) };
}

/** Completes a shape; `added` refers to the file's `defs`. Unknown members stay unknown. */
function enrichShape(base: JsonSchema, added: JsonSchema, defs: SchemaDefs): JsonSchema {
  if (base.$ref !== undefined) return base;
  if (Object.keys(base).length === 0) return added;
  const other = resolveSchema(added, defs);
  if (base.type !== undefined && other.type !== undefined && base.type !== other.type) return base;
  const members = Object.entries(base.properties ?? {}).map(([name, member]) => {
    const found = own(other.properties, name);
    return [name, found === undefined ? member : enrichShape(member, found, defs)] as const;
  });
  return {
    ...base,
    ...tighterBounds(base, other),
    ...(members.length > 0 && { properties: Object.fromEntries(members) }),
    ...(base.items && other.items && { items: enrichShape(base.items, other.items, defs) }),
  };
}

const LOWEST = ['minimum', 'minLength', 'minItems'] as const;
const HIGHEST = ['maximum', 'maxLength', 'maxItems'] as const;

function tighterBounds(base: JsonSchema, added: JsonSchema): JsonSchema {
  const tighter = (names: typeof LOWEST | typeof HIGHEST, choose: (...values: number[]) => number) =>
    names.flatMap((name): [string, number][] => {
      const values = [base[name], added[name]].filter((value) => value !== undefined);
      return values.length === 0 ? [] : [[name, choose(...values)]];
    });
  const { enum: values = added.enum, pattern = added.pattern, format = added.format } = base;
  return {
    ...Object.fromEntries([...tighter(LOWEST, Math.max), ...tighter(HIGHEST, Math.min)]),
    ...(values && { enum: values }),
    ...(pattern !== undefined && { pattern }),
    ...(format !== undefined && { format }),
  };
}
