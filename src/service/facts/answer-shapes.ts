/**
 * The response schemas of operations, reduced to names and types; loaded only to describe what collecting
 * them gives.
 */

import * as z from 'zod';
import { isJsonObject } from '../../base/json.ts';
import { decodeSchema } from './compact-schema.ts';
import type { AnswerShape, JsonSchema, Operation } from './operation.ts';
import { pickDefs, resolveSchema, type SchemaDefs } from './schema-parts.ts';

const shapes = z.custom<Record<string, unknown>>(isJsonObject);

/**
 * The schema of the committed file (generated/answers.json, made by scripts/build-facts.ts), in the notation
 * of compact-schema.ts.
 */
const answersSchema = z.record(
  z.string(),
  z.strictObject({
    /** The schemas by operation ID. */
    answers: shapes,
    defs: shapes,
  }),
);
export type ResponseShapes = z.infer<typeof answersSchema>;

let committed: Promise<ResponseShapes> | undefined;

/**
 * Returns the response schema; the operation's own definition takes precedence. Undefined for an operation
 * that writes or returns nothing.
 */
export async function answerShapeOf({
  id,
  answer,
}: Pick<Operation, 'id' | 'answer'>): Promise<AnswerShape | undefined> {
  if (answer !== undefined) return answer;
  committed ??= loadAnswers();
  const found = Object.values(await committed).find(({ answers }) => Object.hasOwn(answers, id));
  if (found === undefined) return undefined;
  const defs = Object.entries(found.defs).map(([name, shape]) => [name, decodeSchema(shape)]);
  return { schema: decodeSchema(found.answers[id]), defs: Object.fromEntries(defs) };
}

async function loadAnswers(): Promise<ResponseShapes> {
  const { default: answers } = await import('./generated/answers.json', { with: { type: 'json' } });
  return answersSchema.parse(answers);
}

/** Reduces response schemas, and the shapes that they refer to, to the parts that determine columns. */
export function bareAnswers<Key>(answered: readonly (readonly [Key, JsonSchema])[], defs: SchemaDefs) {
  const answers = answered.map(([key, shape]) => [key, bareShape(shape, defs)] as const);
  const shapes = Object.entries(defs).map(([name, shape]) => [name, bareShape(shape, defs)]);
  const all: SchemaDefs = Object.fromEntries(shapes);
  const used: Record<string, JsonSchema> = {};
  for (const [, shape] of answers) Object.assign(used, pickDefs(shape, all));
  return { answers, defs: used };
}

/** Retains names, types and date formats. */
function bareShape(schema: JsonSchema, defs: SchemaDefs): JsonSchema {
  const { type, format, properties, items, additionalProperties: rest } = resolveSchema(schema, defs);
  if (schema.$ref !== undefined && (properties ?? items ?? rest) !== undefined) return { $ref: schema.$ref };
  const members = Object.entries(properties ?? {}).map(([name, member]) => [name, bareShape(member, defs)]);
  const isMoment = format === 'date-time' || format === 'date';
  return {
    ...(type && { type }),
    ...(isMoment && { format }),
    ...(members.length > 0 && { properties: Object.fromEntries(members) }),
    ...(items && { items: bareShape(items, defs) }),
    // These are members without fixed names.
    ...(members.length === 0 && isJsonObject(rest) && { additionalProperties: bareShape(rest, defs) }),
  };
}
