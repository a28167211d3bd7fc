/** The stored form of an added file: its operations and shapes, validated whenever they are read. */

import * as z from 'zod';
import { jsonSchemaSchema } from '../../service/facts/operation.ts';
import { operationDraftSchema, skippedOperationSchema } from '../read/operation-draft.ts';

/** The version of the stored form or its validation; a file of another version has to be added again. */
export const COMPILED_FORMAT = 3;

export const compiledSchema = z.object({
  format: z.literal(COMPILED_FORMAT),
  /** The name under which it is listed and removed. */
  name: z.string(),
  /** The absolute path of the added file. */
  source: z.string(),
  /** The hash of that file's bytes. */
  sha256: z.string(),
  /** The time of adding, ISO 8601. */
  addedAt: z.string(),
  title: z.string(),
  version: z.string(),
  defs: z.record(z.string(), jsonSchemaSchema),
  /** The shapes of the responses; absent in files that were added before responses were read. */
  answerDefs: z.record(z.string(), jsonSchemaSchema).optional(),
  operations: z.array(operationDraftSchema),
  skipped: z.array(skippedOperationSchema),
});
export type CompiledDefinition = z.infer<typeof compiledSchema>;
