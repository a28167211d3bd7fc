/** Writes a shape out where it is used, without names: parameters are shown and checked without the shapes of the file. */

import type { JsonSchema } from '../../service/facts/operation.ts';
import { type Defs, partsOf, resolveSchema } from '../../service/facts/schema-parts.ts';

/** Arrays in arrays that are written out; one may hold itself. */
const MOST_ARRAYS = 3;

/** An object that is only named becomes an object that may hold anything: outside a body none can be sent. */
export function withoutNames(schema: JsonSchema, defs: Defs, arrays = MOST_ARRAYS): JsonSchema {
  const shape = resolveSchema(schema, defs);
  if (shape.items !== undefined) {
    const { items, ...rest } = shape;
    return arrays === 0 ? rest : { ...rest, items: withoutNames(items, defs, arrays - 1) };
  }
  const isWritten = schema.$ref === undefined && !hasNames(shape);
  return isWritten || partsOf(shape).length === 0 ? shape : { type: 'object' };
}

/** True where a shape is named rather than written, at any depth. */
export function hasNames(schema: JsonSchema): boolean {
  return schema.$ref !== undefined || partsOf(schema).some(hasNames);
}
