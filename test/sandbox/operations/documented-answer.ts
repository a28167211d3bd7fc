/** Compares an answer of the sandbox with the shape that the public definitions give it. */

import { isJsonObject } from '../../../src/base/json.ts';
import { answerShapeOf } from '../../../src/service/facts/answer-shapes.ts';
import type { AnswerShape, JsonSchema } from '../../../src/service/facts/operation.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

/** The members that the definitions do not have, lack, or have with another type; none for an answer as documented. */
export async function findUndocumented(operationId: string, body: unknown): Promise<string[]> {
  const shape = await answerShapeOf((await loadRegistry()).find(operationId));
  if (shape === undefined) throw new Error(`${operationId}: the shape of its answer is not known`);
  return compare(shape, shape.schema, body, '');
}

function compare(shape: AnswerShape, given: JsonSchema, value: unknown, path: string): string[] {
  const name = given.$ref?.replace('#/$defs/', '');
  const schema = name === undefined ? given : (shape.defs[name] ?? given);
  if (schema.type === 'array' && Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? [] : value.flatMap((item) => compare(shape, items, item, `${path}[]`));
  }
  if (isJsonObject(value)) {
    const { properties, required = [] } = schema;
    if (properties === undefined) return [];
    const missing = required.filter((member) => value[member] === undefined);
    return [
      ...missing.map((member) => `${path}.${member} is missing`),
      ...Object.entries(value).flatMap(([member, inner]) => {
        const known = properties[member];
        if (known !== undefined) return compare(shape, known, inner, `${path}.${member}`);
        return [`${path}.${member} is unknown`];
      }),
    ];
  }
  const type = schema.type === 'integer' ? 'number' : schema.type;
  const isTyped = type === undefined || typeof value === type;
  const isListed = schema.enum?.some((one) => one === value) ?? true;
  return isTyped && isListed ? [] : [`${path} is ${JSON.stringify(value)}`];
}
