/** A pair of request and response that a definition declares: a sandbox case, or an example answer. */

import * as z from 'zod';

const declaredCaseSchema = z.object({
  /** Names the case within its file: `getOrder 200 #0`. */
  id: z.string(),
  kind: z.enum(['sandbox', 'example']),
  /** Position of the operation within its file. */
  operation: z.int().min(0),
  /** By exact names; also such as the operation does not have, which a server must refuse. */
  parameters: z.record(z.string(), z.unknown()),
  /** Absent: none was declared. */
  body: z.unknown().optional(),
  response: z.object({
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.unknown().optional(),
  }),
});
export type DeclaredCase = z.infer<typeof declaredCaseSchema>;

export const casesSchema = z.object({
  cases: z.array(declaredCaseSchema),
  /** Cases that say too little to be called or replayed, and why. */
  unusable: z.array(z.object({ id: z.string(), reason: z.string() })),
});
export type Cases = z.infer<typeof casesSchema>;
