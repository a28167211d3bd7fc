/** The schema of the committed facts file (generated/facts.json, made by scripts/build-facts.ts). */

import * as z from 'zod';
import { isJsonObject } from '../../base/json.ts';
import { describedSchema, pagingSchema, previewModeSchema } from './operation.ts';

/** Shapes are validated only when they are decoded, so that unused ones cost nothing. */
const shapes = z.custom<Record<string, unknown>>(isJsonObject);

const operationFacts = z.strictObject({
  ...describedSchema.omit({ rate: true }).shape,
  /** `<place> [<how an array is joined>] <name>`, ending in `*` when required -> shape. */
  parameters: shapes.optional(),
  body: z.unknown().optional(),
  bodyOptional: z.literal(true).optional(),
  /** Requests per second, burst. */
  rate: z.tuple([z.number(), z.number()]).optional(),
  paging: pagingSchema.optional(),
  previewMode: previewModeSchema.optional(),
  /** The notation of these three is defined in compact-readings.ts. */
  state: z.string().optional(),
  progress: z.string().optional(),
  refuse: z.string().optional(),
});

/** The whole file: a note, then the facts of each definition file. Their sources are in provenance.yaml. */
export const factsSchema = z.strictObject({
  note: z.string(),
  files: z.record(
    z.string(),
    z.strictObject({
      version: z.string(),
      defs: shapes,
      operations: z.array(operationFacts),
    }),
  ),
});
export type Facts = z.infer<typeof factsSchema>;
export type OperationFacts = z.infer<typeof operationFacts>;
