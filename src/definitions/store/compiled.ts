/** The form in which an added file is kept: its operations and shapes, checked again whenever they are read. */

import * as z from 'zod';
import { jsonSchemaSchema } from '../../service/facts/operation.ts';
import { operationDraftSchema, skippedOperationSchema } from '../read/operation-draft.ts';

/** Raised when the form changes, or what is checked of it; a file of another number has to be added again. */
export const COMPILED_FORMAT = 3;

export const compiledSchema = z.object({
  format: z.literal(COMPILED_FORMAT),
  /** Under which it is listed and removed. */
  name: z.string(),
  /** Absolute path of the file that was added. */
  source: z.string(),
  /** Of that file's bytes. */
  sha256: z.string(),
  /** ISO 8601. */
  addedAt: z.string(),
  title: z.string(),
  version: z.string(),
  defs: z.record(z.string(), jsonSchemaSchema),
  /** Of the answers; files that were added before answers were read have none. */
  answerDefs: z.record(z.string(), jsonSchemaSchema).optional(),
  operations: z.array(operationDraftSchema),
  skipped: z.array(skippedOperationSchema),
});
export type Compiled = z.infer<typeof compiledSchema>;
