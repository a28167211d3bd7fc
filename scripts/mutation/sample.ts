/** Stryker's checker for `--sample`: lets one mutant of so many through, the same ones while the lines that they change are the same. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The variable that tells Stryker's processes how many mutants stand for one. */
export const SAMPLE_VARIABLE = 'MUTATION_SAMPLE';

/** What Stryker hands to a checker; its lines are counted from 0 here. */
interface Mutant {
  id: string;
  fileName: string;
  location: { start: { line: number } };
  mutatorName: string;
  replacement: string;
}

/** Stryker looks for this name. What a checker does not let through is told as not compiled, and counts nowhere. */
export const strykerPlugins = [{ kind: 'Checker', name: 'sample', factory: createSampler }];

function createSampler() {
  const every = Number(process.env[SAMPLE_VARIABLE]);
  const check = (mutant: Mutant) =>
    numberOf(mutant) % every === 0
      ? { status: 'passed' }
      : { status: 'compileError', reason: 'not in the sample' };
  return {
    init: async () => {},
    group: async (mutants: Mutant[]) => [mutants.map(({ id }) => id)],
    check: async (mutants: Mutant[]) =>
      Object.fromEntries(mutants.map((mutant) => [mutant.id, check(mutant)])),
  };
}

/** By what is changed, not by where: a file that moves keeps its sample, so two states of the code can be compared. */
function numberOf({ fileName, location, mutatorName, replacement }: Mutant): number {
  const line = linesOf(fileName)[location.start.line]?.trim();
  const subject = [line, mutatorName, replacement].join('\n');
  return createHash('sha256').update(subject).digest().readUInt32BE();
}

const read = new Map<string, string[]>();

function linesOf(file: string): string[] {
  const lines = read.get(file) ?? readFileSync(file, 'utf8').split('\n');
  read.set(file, lines);
  return lines;
}
