/** The form in which an added file is kept: its operations, shapes and cases, checked again whenever they are read. */

import * as z from 'zod';
import { jsonSchemaSchema } from '../../service/facts/json-schema.ts';
import { declaredCaseSchema } from '../cases/declared-case.ts';

/** Raised when the form changes, or what is checked of it; a file of another number has to be added again. */
export const COMPILED_FORMAT = 3;

const parameterSchema = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  schema: jsonSchemaSchema,
  collectionFormat: z.enum(['csv', 'ssv', 'tsv', 'pipes', 'multi']).optional(),
});

const operationSchema = z.object({
  name: z.string(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().startsWith('/'),
  parameters: z.array(parameterSchema),
  body: z.object({ required: z.boolean(), schema: jsonSchemaSchema }).optional(),
  bodyName: z.string().optional(),
  rate: z
    .object({ requestsPerSecond: z.number().positive(), burst: z.number().min(1).optional() })
    .optional(),
  idempotencyKey: z.object({ in: z.enum(['header', 'body']), name: z.string() }).optional(),
  deprecated: z.boolean().optional(),
  sandboxOnly: z.boolean().optional(),
});

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
  operations: z.array(operationSchema),
  cases: z.array(declaredCaseSchema),
  /** Operations that cannot be called from here. */
  skipped: z.array(z.object({ operation: z.string(), reason: z.string() })),
  /** Cases that say too little to be replayed. */
  unusable: z.array(z.object({ id: z.string(), reason: z.string() })),
});
export type Compiled = z.infer<typeof compiledSchema>;
