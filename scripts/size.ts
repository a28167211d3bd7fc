/** `npm run size`: how large each wing is. Fails where a sum is above its ceiling in docs/size.json. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import * as z from 'zod';

const CEILINGS = 'docs/size.json';
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
    const packageName = folder !== 'src' ? folder : more === undefined ? 'program' : name;
    found[packageName] = sum(found[packageName] ?? NONE, countsOf(file));
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

/** Prints a row for each wing. @returns what has a ceiling */
function print(found: Readonly<Record<string, Counts>>): Readonly<Record<string, number>> {
  const inProgram = Object.keys(found).filter((packageName) => !BESIDE.includes(packageName));
  const of = (packageName: string) => found[packageName] ?? NONE;
  const program = inProgram.map(of).reduce(sum, NONE);
  const rows = [
    ...inProgram.sort().map((packageName) => [packageName, of(packageName)] as const),
    ['in all', program] as const,
    ...BESIDE.map((packageName) => [packageName, of(packageName)] as const),
  ];
  console.log(['wing'.padEnd(12), ...NAMES.map((name) => name.padStart(9))].join(''));
  for (const [packageName, counts] of rows) {
    console.log([packageName.padEnd(12), ...NAMES.map((name) => String(counts[name]).padStart(9))].join(''));
  }
  const { code, files, types } = program;
  return { code, files, types, write: of('write').code, scripts: of('scripts').code, test: of('test').code };
}

const sums = print(measure());
const ceilings = z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(CEILINGS, 'utf8')));
for (const [name, ceiling] of Object.entries(ceilings)) {
  const is = sums[name] ?? Number.NaN;
  if (is <= ceiling) continue;
  process.exitCode = 1;
  console.log(`${name}: ${is}, ${is - ceiling} over docs/size.json (docs/checks.md says what to do).`);
}
