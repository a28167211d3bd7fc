/** Completes a built-in operation by a user's definition: unknown shapes and tighter bounds. */

import type { JsonSchema, Operation, Parameter } from './operation.ts';
import { type Defs, own, pickDefs, resolveSchema } from './schema-parts.ts';

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

function slower(mine: Operation['rate'], theirs: Operation['rate']): Operation['rate'] {
  if (mine === undefined || theirs === undefined) return mine ?? theirs;
  const requestsPerSecond = Math.min(mine.requestsPerSecond, theirs.requestsPerSecond);
  const burst = Math.min(mine.burst ?? Infinity, theirs.burst ?? Infinity);
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
  const [mine, theirs] = [builtIn.defs ?? {}, user.defs ?? {}];
  const known = Object.entries(mine).map(([name, shape]) => {
    const other = own(theirs, name);
    return [name, other === undefined ? shape : enrichShape(shape, other, theirs)] as const;
  });
  const schema = enrichShape(builtIn.body.schema, user.body.schema, theirs);
  // A shape of the file retains its name only if the operation has none of that name.
  const defs = { ...theirs, ...Object.fromEntries(known) };
  return { body: { required: builtIn.body.required, schema }, defs: pickDefs(schema, defs) };
}

/** Completes a shape; `theirs` refers to the file's `defs`. Unknown members stay unknown. */
function enrichShape(mine: JsonSchema, theirs: JsonSchema, defs: Defs): JsonSchema {
  if (mine.$ref !== undefined) return mine;
  if (Object.keys(mine).length === 0) return theirs;
  const other = resolveSchema(theirs, defs);
  if (mine.type !== undefined && other.type !== undefined && mine.type !== other.type) return mine;
  const members = Object.entries(mine.properties ?? {}).map(([name, member]) => {
    const found = own(other.properties, name);
    return [name, found === undefined ? member : enrichShape(member, found, defs)] as const;
  });
  return {
    ...mine,
    ...tighterBounds(mine, other),
    ...(members.length > 0 && { properties: Object.fromEntries(members) }),
    ...(mine.items && other.items && { items: enrichShape(mine.items, other.items, defs) }),
  };
}

const LOWEST = ['minimum', 'minLength', 'minItems'] as const;
const HIGHEST = ['maximum', 'maxLength', 'maxItems'] as const;

function tighterBounds(mine: JsonSchema, theirs: JsonSchema): JsonSchema {
  const tighter = (names: typeof LOWEST | typeof HIGHEST, choose: (...values: number[]) => number) =>
    names.flatMap((name): [string, number][] => {
      const values = [mine[name], theirs[name]].filter((value) => value !== undefined);
      return values.length === 0 ? [] : [[name, choose(...values)]];
    });
  const { enum: values = theirs.enum, pattern = theirs.pattern, format = theirs.format } = mine;
  return {
    ...Object.fromEntries([...tighter(LOWEST, Math.max), ...tighter(HIGHEST, Math.min)]),
    ...(values && { enum: values }),
    ...(pattern !== undefined && { pattern }),
    ...(format !== undefined && { format }),
  };
}
