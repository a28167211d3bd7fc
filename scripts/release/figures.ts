/** A release's measured figures are those of the program that it contains. */

import { readFile } from 'node:fs/promises';
import { digestProgram, readMachineText } from '../bench/machine.ts';
import { FIGURES } from '../bench/write-document.ts';
import { expectNone } from './check.ts';

/** @param program folder of the built program. @throws Error with a command for each part that was measured of another */
export async function checkFigures(program: string): Promise<string> {
  const parts = findParts(await readFile(FIGURES, 'utf8'));
  const digest = await digestProgram(program);
  expectNone(parts.flatMap((part) => (part.digest === digest ? [] : [describeStale(part)])));
  return `${parts.length} parts of ${FIGURES}, all of this program`;
}

export interface Part {
  name: string;
  date: string;
  commit: string;
  digest: string;
}

/** Everything between two marks whose first line says what was measured, or should. @throws Error when there is none */
export function findParts(document: string): Part[] {
  const parts = [...document.matchAll(/^<!-- (point .*|soak) -->\n(.*)$/gm)].map(
    ([, name = '', line = '']) => ({
      name,
      ...(readMachineText(line) ?? { date: 'at a time unknown', commit: 'unknown', digest: 'none' }),
    }),
  );
  if (parts.length === 0) throw new Error(`${FIGURES} has no part with figures`);
  return parts;
}

function describeStale({ name, date, commit }: Part): string {
  return `${name} was measured of another program (${date}, commit ${commit}): ${commandFor(name)}`;
}

function commandFor(part: string): string {
  const [, point] = /^point (\d+)$/.exec(part) ?? [];
  return `npm run ${point === undefined ? 'soak --' : `bench -- --only ${point}`} --write-docs`;
}
