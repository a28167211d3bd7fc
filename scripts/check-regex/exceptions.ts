/** The expressions that recheck finds slow or that are built at run time, each with what bounds its text. */

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';

const exceptionSchema = z.strictObject({
  file: z.string(),
  /** The literal, or the call that constructs one, as written. */
  text: z.string(),
  /** The text it is applied to, and how long that can be. */
  bound: z.string().min(1),
});

const listsSchema = z.strictObject({
  slow: z.array(exceptionSchema),
  constructed: z.array(exceptionSchema),
});

export type Exception = z.infer<typeof exceptionSchema>;
export type Lists = z.infer<typeof listsSchema>;

/** @param yaml text of exceptions.yaml. @throws ZodError when it is not a valid list. */
export function readExceptions(yaml: string): Lists {
  return listsSchema.parse(parse(yaml));
}

/** Reads the lists of the repository. */
export const readLists = (): Lists =>
  readExceptions(readFileSync('scripts/check-regex/exceptions.yaml', 'utf8'));
