/** Writes a run's tables between their markers in docs/benchmarks.md, and leaves the surrounding text alone. */

import { readFile, writeFile } from 'node:fs/promises';
import { replacePart } from '../generate/replace-part.ts';
import { type Machine, machineText } from './machine.ts';
import { type Row, renderMarkdown } from './report.ts';

/** The document with the figures. */
const FIGURES = 'docs/benchmarks.md';

/** Each point has a part of its own: they may be run separately. @throws Error when the document has none for a point */
export async function writeDocument(machine: Machine, rows: readonly Row[]): Promise<void> {
  for (const point of new Set(rows.map((row) => row.point))) {
    const own = renderMarkdown(rows.filter((row) => row.point === point));
    await writePart(`point ${point}`, `${machineText(machine)}\n\n${own}`);
  }
}

export async function writePart(name: string, part: string): Promise<void> {
  await writeFile(FIGURES, replacePart(await readFile(FIGURES, 'utf8'), name, part));
}
