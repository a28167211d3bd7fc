/** Writes a run's tables between their markers in docs/benchmarks.md, and leaves the surrounding text alone. */

import { readFile, writeFile } from 'node:fs/promises';
import { type Machine, machineText } from './machine.ts';
import { type Row, renderMarkdown } from './report.ts';

const FILE = 'docs/benchmarks.md';
/** Points may be run separately, so each part of the document names the machine that its own points ran on. */
const PARTS: Readonly<Record<string, (point: number) => boolean>> = {
  figures: (point) => point < 7,
  peers: (point) => point === 7,
  worst: (point) => point === 8,
  tables: (point) => point === 9,
  reviews: (point) => point === 10,
  patches: (point) => point === 11,
};

/** @throws Error when the document has no place for the points that were measured. */
export async function writeDocument(machine: Machine, rows: readonly Row[]): Promise<void> {
  let text = await readFile(FILE, 'utf8');
  for (const [part, isIn] of Object.entries(PARTS)) {
    const own = rows.filter(({ point }) => isIn(point));
    if (own.length > 0) text = replacePart(text, part, `${machineText(machine)}\n\n${renderMarkdown(own)}`);
  }
  await writeFile(FILE, text);
}

/** Replaces the text between `<!-- NAME -->` and `<!-- /NAME -->`. */
export function replacePart(text: string, name: string, part: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const start = text.indexOf(open);
  const end = text.indexOf(close);
  if (start < 0 || end < start) throw new Error(`${FILE} has no part "${name}"`);
  return `${text.slice(0, start + open.length)}\n${part}\n${text.slice(end)}`;
}
