/** Reads Stryker's report: the score of each file, and every mutant that no test noticed. */

import { readFileSync } from 'node:fs';
import * as z from 'zod';

const positionSchema = z.object({ line: z.number(), column: z.number() });
const mutantSchema = z.object({
  mutatorName: z.string(),
  replacement: z.string().default(''),
  status: z.string(),
  static: z.boolean().default(false),
  location: z.object({ start: positionSchema, end: positionSchema }),
});
const reportSchema = z.object({
  files: z.record(z.string(), z.object({ source: z.string(), mutants: z.array(mutantSchema) })),
});
type Mutant = z.infer<typeof mutantSchema>;

/** An error outside of the tests: a file of tests that could not be read. */
const FOUND: readonly string[] = ['Killed', 'Timeout', 'RuntimeError'];
const MISSED: readonly string[] = ['Survived', 'NoCoverage'];

export interface FileScore {
  file: string;
  found: number;
  /** Those found because their tests did not end. */
  timedOut: number;
  survived: number;
  notCovered: number;
}

export interface Finding {
  status: string;
  /** As a line to print: where, which kind, what changed into what. */
  text: string;
}

export function readReport(reportFile: string): { scores: FileScore[]; findings: Finding[] } {
  const { files } = reportSchema.parse(JSON.parse(readFileSync(reportFile, 'utf8')));
  const entries = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    scores: entries.map(([file, { mutants }]) => scoreOf(file, mutants)),
    findings: entries.flatMap(([file, { source, mutants }]) =>
      mutants
        .filter(({ status }) => status === 'Timeout' || MISSED.includes(status))
        .sort((a, b) => a.location.start.line - b.location.start.line)
        .map((mutant) => ({ status: mutant.status, text: describe(file, source, mutant) })),
    ),
  };
}

function scoreOf(file: string, mutants: readonly Mutant[]): FileScore {
  const count = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status)).length;
  return {
    file,
    found: count(...FOUND),
    timedOut: count('Timeout'),
    survived: count('Survived'),
    notCovered: count('NoCoverage'),
  };
}

export const countOf = ({ found, survived, notCovered }: FileScore) => found + survived + notCovered;

export function addScores(scores: readonly FileScore[], name: string): FileScore {
  const sum = (pick: (score: FileScore) => number) => scores.reduce((total, score) => total + pick(score), 0);
  return {
    file: name,
    found: sum(({ found }) => found),
    timedOut: sum(({ timedOut }) => timedOut),
    survived: sum(({ survived }) => survived),
    notCovered: sum(({ notCovered }) => notCovered),
  };
}

function describe(file: string, source: string, mutant: Mutant): string {
  const { start } = mutant.location;
  const isStatic = mutant.static ? ' (static)' : '';
  const change = `${oneLine(originalOf(source, mutant))} -> ${oneLine(mutant.replacement)}`;
  return `${file}:${start.line}:${start.column} ${mutant.mutatorName}${isStatic}: ${change}`;
}

function originalOf(source: string, { location: { start, end } }: Mutant): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, at) => line.slice(at === 0 ? start.column - 1 : 0, at === last ? end.column - 1 : undefined))
    .join('\n');
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ');
