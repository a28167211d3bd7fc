/** Facts that are reviewed by hand, because the definitions lack them (reviewed.yaml), by operation. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { decodeReading, decodeRefusals } from '../../src/service/facts/compact-readings.ts';
import { pagingSchema } from '../../src/service/facts/operation.ts';

const entry = { of: z.union([z.string(), z.array(z.string())]), reason: z.string().min(1) };
const reading = z.string().transform(decodeReading).nullable().optional();

const pagingEntry = z.strictObject({
  ...entry,
  paging: pagingSchema.partial().extend({ key: z.string().nullable().optional() }).nullable(),
});
const readingEntry = z.strictObject({ ...entry, state: reading, progress: reading });
const refusalEntry = z.strictObject({
  ...entry,
  refusals: z.string().transform(decodeRefusals).optional(),
  none: z.array(z.string()).optional(),
});

const { paging, readings, refusals } = z
  .strictObject({
    paging: z.array(pagingEntry),
    readings: z.array(readingEntry),
    refusals: z.array(refusalEntry),
  })
  .parse(parse(readFileSync(join(import.meta.dirname, 'reviewed.yaml'), 'utf8')));

/** @throws Error for an operation that stands twice */
function byOperation<E extends z.infer<typeof pagingEntry | typeof readingEntry | typeof refusalEntry>>(
  entries: readonly E[],
): Readonly<Record<string, E>> {
  const found: Record<string, E> = {};
  for (const one of entries) {
    for (const id of [one.of].flat()) {
      if (Object.hasOwn(found, id)) throw new Error(`reviewed.yaml has ${id} twice`);
      found[id] = one;
    }
  }
  return found;
}

export const reviewedPaging = byOperation(paging);
export const reviewedReadings = byOperation(readings);
export const reviewedRefusals = byOperation(refusals);
