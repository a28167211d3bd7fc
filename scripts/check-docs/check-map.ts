/**
 * The map in CONTRIBUTING.md is the import rule: a wing imports those that its row names, all of them further down, and
 * through as many modules (its doors) as theirs say. What a row allows and nobody uses is wrong too.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import type { Finding } from './finding.ts';

/** One module that names another of this repository, in whatever way; types too. */
export interface Import {
  from: string;
  to: string;
}

/** Folders beside `src/` that are wings. */
const BESIDE = ['sandbox', 'tools', 'views'];
/** The wing of the one module that stands in `src/` itself. */
const OF_MAIN = 'program';
/** Of a wing of which each module may be imported. */
const ALL = 'all';
const NOTHING = 'nothing';

interface Row {
  wing: string;
  imports: readonly string[];
  doors: string;
  line: number;
}

/** @param map the document with a table between `<!-- map -->` and `<!-- /map -->`: wing, contents, imports, doors; the upper import the lower. */
export function checkMap(map: { path: string; text: string }, all: readonly Import[]): Finding[] {
  const wrong = (line: number, message: string): Finding => ({ path: map.path, line, message });
  const rows = readRows(map.text);
  if (rows.length === 0) return [wrong(1, 'there is no map between <!-- map --> and <!-- /map -->')];
  const crossing = all
    .map((one) => ({ ...one, wing: wingOf(one.from), of: wingOf(one.to) }))
    .filter(({ wing, of }) => wing !== of);
  const names = rows.map(({ wing }) => wing);
  const unknown = new Set(all.map(({ from }) => wingOf(from)).filter((wing) => !names.includes(wing)));
  return [
    ...[...unknown].map((wing) => wrong(rows[0]?.line ?? 1, `the map leaves out ${wing}`)),
    ...rows.flatMap(({ wing, imports, doors, line }, at) => {
      const mine = crossing.filter((one) => one.wing === wing);
      const forbidden = mine.filter(({ of }) => !imports.includes(of));
      const unused = imports.filter((name) => !mine.some(({ of }) => of === name));
      const upper = imports.filter((name) => !names.slice(at + 1).includes(name));
      const found = new Set(crossing.filter(({ of }) => of === wing).map(({ to }) => to)).size;
      return [
        ...(all.some(({ from }) => wingOf(from) === wing) ? [] : [wrong(line, `there is no wing ${wing}`)]),
        ...forbidden.map(({ from, to }) => wrong(line, `${from} imports ${to}, which ${wing} may not`)),
        ...unused.map((name) => wrong(line, `${wing} imports nothing from ${name}: take it out of the row`)),
        ...upper.map((name) => wrong(line, `${wing} may not import ${name}, which is not below it`)),
        ...(doors === ALL || doors === String(found)
          ? []
          : [wrong(line, `${wing} is imported through ${found} of its modules, and not ${doors}`)]),
      ];
    }),
  ];
}

/** What every module of the wing may name, and names any of them: types alone. */
const OF_ALL = 'session.ts';
const WRITE = 'src/write/';

/** Inside `src/write/`, the groups of folders and modules between `<!-- order -->` and `<!-- /order -->`: none imports one that stands before it. */
export function checkOrder(map: { path: string; text: string }, all: readonly Import[]): Finding[] {
  const lines = map.text.split('\n');
  const at = lines.findIndex((line) => line.includes('<!-- order -->'));
  const wrong = (message: string): Finding => ({ path: map.path, line: at + 1, message });
  const listed = /<!-- order -->(.*)<!-- \/order -->/.exec(lines[at] ?? '')?.[1];
  if (listed === undefined)
    return [wrong('there is no order of src/write/ between <!-- order --> and <!-- /order -->')];
  const groups = listed
    .split(';')
    .map((group) => [...group.matchAll(/`([\w.-]+)\/?`/g)].map(([, name]) => name));
  const inside = all.filter((one) => [one.from, one.to].every((file) => file.startsWith(WRITE)));
  const partOf = (file: string) => file.slice(WRITE.length).split('/')[0] ?? '';
  const placeOf = (file: string) => groups.findIndex((group) => group.includes(partOf(file)));
  const known = inside.filter((one) => ![one.from, one.to].some((file) => partOf(file) === OF_ALL));
  const lost = new Set(known.flatMap(({ from, to }) => [from, to]).filter((file) => placeOf(file) < 0));
  return [
    ...[...lost].map((file) => wrong(`the order of ${WRITE} leaves out ${file}`)),
    ...known
      .filter(({ from, to }) => placeOf(from) > placeOf(to))
      .map(({ from, to }) => wrong(`${from} imports ${to}, which stands above it`)),
  ];
}

function wingOf(file: string): string {
  const [folder = '', name = '', more] = file.split('/');
  if (folder !== 'src') return folder;
  return more === undefined ? OF_MAIN : name;
}

function readRows(text: string): Row[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.trim() === '<!-- map -->');
  const end = lines.findIndex((line) => line.trim() === '<!-- /map -->');
  if (start < 0 || end < start) return [];
  return lines.slice(start + 1, end).flatMap((line, i) => {
    const cells = line.split('|').slice(1, -1);
    const [folder = '', , imports = '', doors = ''] = cells.map((cell) => cell.trim());
    const wing = /^`(?:src\/)?([\w-]+)\/`$/.exec(folder)?.[1];
    const listed = imports === NOTHING ? [] : imports.split(/,\s*/);
    return wing === undefined ? [] : [{ wing, imports: listed, doors, line: start + i + 2 }];
  });
}

/** Modules that import each other, types too; a generated one may name the type that its data are held against. */
export function findCircles(all: readonly Import[]): Finding[] {
  let left = all.filter(({ from }) => !from.includes('/generated/'));
  const findings: Finding[] = [];
  for (;;) {
    const importing = new Set(left.map(({ from }) => from));
    const inside = left.filter(({ to }) => importing.has(to));
    const [first] = inside;
    if (first === undefined) return findings;
    if (inside.length < left.length) left = inside;
    else {
      // Everything that is left leads on for ever.
      const way: string[] = [first.from];
      while (way.indexOf(way.at(-1) ?? '') === way.length - 1)
        way.push(left.find(({ from }) => from === way.at(-1))?.to ?? '');
      const circle = way.slice(way.indexOf(way.at(-1) ?? ''));
      findings.push({
        path: circle[0] ?? '',
        line: 1,
        message: `imports in a circle: ${circle.join(' -> ')}`,
      });
      left = left.filter(({ from }) => !circle.includes(from));
    }
  }
}

/** Of all modules of the program. */
export function findImports(): Import[] {
  return ['src', ...BESIDE].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
      .flatMap((from) =>
        specifiersIn(from, readFileSync(from, 'utf8'))
          .filter((specifier) => specifier.startsWith('.'))
          .map((specifier) => ({ from, to: posix.join(posix.dirname(from), specifier) }))
          .filter(({ to }) => /^(?:src|sandbox|tools|views)\//.test(to)),
      ),
  );
}

function specifiersIn(file: string, code: string): string[] {
  const { program } = parseSync(file, code);
  const found: string[] = [];
  const add = ({ source }: { source: unknown }) => {
    if (
      typeof source === 'object' &&
      source !== null &&
      'value' in source &&
      typeof source.value === 'string'
    )
      found.push(source.value);
  };
  new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add,
  }).visit(program);
  return found;
}
