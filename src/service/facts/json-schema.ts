/** Reads JSON Schema from outside (zod's output, files) into the subset that operations are described with. */

import * as z from 'zod';
import type { JsonSchema } from './operation.ts';

/** Members outside the subset (descriptions, `$schema`) are dropped. */
export const jsonSchemaSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.object({
    type: z.enum(['object', 'array', 'string', 'integer', 'number', 'boolean']).optional(),
    properties: z.record(z.string(), jsonSchemaSchema).optional(),
    required: z.array(z.string()).optional(),
    items: jsonSchemaSchema.optional(),
    enum: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
    additionalProperties: z.union([z.boolean(), jsonSchemaSchema]).optional(),
    format: z.string().optional(),
    pattern: z.string().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    multipleOf: z.number().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    nullable: z.boolean().optional(),
    $ref: z.string().optional(),
  }),
);

const withDefs = z.object({ $defs: z.record(z.string(), jsonSchemaSchema).optional() });

/** A zod schema as an operation's body: named sub-objects (`.meta({ id })`) become `defs`. */
export function bodyFromZod(schema: z.ZodType): {
  schema: JsonSchema;
  defs: Readonly<Record<string, JsonSchema>>;
} {
  const json = z.toJSONSchema(schema, { io: 'input', override: dropSafeIntegerBounds });
  return { schema: jsonSchemaSchema.parse(json), defs: withDefs.parse(json).$defs ?? {} };
}

/** zod states the bounds of JavaScript's safe integers, which are no fact about the service. */
function dropSafeIntegerBounds({ jsonSchema }: { jsonSchema: { minimum?: number; maximum?: number } }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
