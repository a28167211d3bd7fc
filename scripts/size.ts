/** `npm run size`: how large each wing is, and by how much it differs from commit bfffce9, before the wings were drawn (docs/size.json). */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import * as z from 'zod';

const FIGURES = 'docs/size.json';
const FOLDERS = ['src', 'sandbox', 'tools', 'views', 'scripts', 'test'];
/** Not of the program: listed below its sum. */
const BESIDE = ['scripts', 'test'];
const DATA = /\.(?:ya?ml|json)$/;

const countsSchema = z.object({
  files: z.number(),
  /** Lines of TypeScript as formatted: no blanks, comments or imports. */
  code: z.number(),
  /** Lines of YAML and JSON that people wrote. */
  data: z.number(),
  /** Interfaces and type aliases. */
  types: z.number(),
  /** Exported names. */
  exports: z.number(),
});
type Counts = z.infer<typeof countsSchema>;
const NAMES = countsSchema.keyof().options;
const NONE: Counts = { files: 0, code: 0, data: 0, types: 0, exports: 0 };

function measure(): Record<string, Counts> {
  const found: Record<string, Counts> = {};
  for (const file of FOLDERS.flatMap(filesIn)) {
    const [folder = '', name = '', more] = file.split('/');
    const wing = folder !== 'src' ? folder : more === undefined ? 'program' : name;
    found[wing] = sum(found[wing] ?? NONE, countsOf(file));
  }
  return found;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((name) => (/\.tsx?$/.test(name) || DATA.test(name)) && !/\/(?:generated|snapshots)\//.test(name));
}

function countsOf(file: string): Counts {
  const text = readFileSync(file, 'utf8');
  if (DATA.test(file)) return { ...NONE, data: linesOf(text) };
  const { program, comments } = parseSync(file, text);
  const counts = { ...NONE, files: 1 };
  const left: { start: number; end: number }[] = [...comments];
  const addType = () => {
    counts.types += 1;
  };
  new Visitor({
    ImportDeclaration: (node) => void left.push(node),
    TSInterfaceDeclaration: addType,
    TSTypeAliasDeclaration: addType,
    ExportNamedDeclaration({ declaration, specifiers }) {
      const declared =
        declaration !== null && 'declarations' in declaration ? declaration.declarations.length : 1;
      counts.exports += declaration === null ? specifiers.length : declared;
    },
  }).visit(program);
  let code = text;
  for (const { start, end } of left)
    code = code.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, ' ') + code.slice(end);
  return { ...counts, code: linesOf(code) };
}

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '').length;

function sum(one: Counts, other: Counts): Counts {
  return countsSchema.parse(Object.fromEntries(NAMES.map((name) => [name, one[name] + other[name]])));
}

function print(found: Readonly<Record<string, Counts>>, earlier: Readonly<Record<string, Counts>>): void {
  const wings = [...new Set([...Object.keys(found), ...Object.keys(earlier)])];
  const inProgram = wings.filter((wing) => !BESIDE.includes(wing)).sort();
  const total = (of: Readonly<Record<string, Counts>>) =>
    inProgram.map((wing) => of[wing] ?? NONE).reduce(sum, NONE);
  const rows: [string, Counts, Counts][] = [
    ...inProgram.map((wing) => rowOf(wing)),
    ['in all', total(found), total(earlier)],
    ...BESIDE.map((wing) => rowOf(wing)),
  ];
  function rowOf(wing: string): [string, Counts, Counts] {
    return [wing, found[wing] ?? NONE, earlier[wing] ?? NONE];
  }
  console.log(['wing'.padEnd(12), ...NAMES.map((name) => name.padStart(16))].join(''));
  for (const [wing, is, was] of rows) {
    const cells = NAMES.map((name) => `${is[name]}${change(is[name] - was[name])}`.padStart(16));
    console.log([wing.padEnd(12), ...cells].join(''));
  }
}

const change = (by: number) => (by === 0 ? '' : ` (${by > 0 ? '+' : ''}${by})`);

const now = measure();
const before = z.record(z.string(), countsSchema).parse(JSON.parse(readFileSync(FIGURES, 'utf8')));
print(now, before);
