/** Mutants whose tests ran out of time: a busy machine can cause that too, so they run again, with more time. */

import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

const mutantSchema = z.looseObject({ status: z.string(), statusReason: z.string().optional() });
const reportSchema = z.looseObject({
  files: z.record(z.string(), z.looseObject({ mutants: z.array(mutantSchema) })),
});

/** @returns how many results are in doubt; the file then has all others, which Stryker accepts unchanged. */
export function writeCertain(reportFile: string, certainFile: string): number {
  const report = reportSchema.parse(JSON.parse(readFileSync(reportFile, 'utf8')));
  let inDoubt = 0;
  for (const file of Object.values(report.files)) {
    const certain = file.mutants.filter(isCertain);
    inDoubt += file.mutants.length - certain.length;
    file.mutants = certain;
  }
  writeFileSync(certainFile, JSON.stringify(report));
  return inDoubt;
}

/** A loop found endless by counting is endless on any machine. */
function isCertain({ status, statusReason = '' }: z.infer<typeof mutantSchema>): boolean {
  return status !== 'Timeout' || statusReason.startsWith('Hit limit');
}
