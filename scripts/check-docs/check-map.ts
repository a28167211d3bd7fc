/**
 * The map in CONTRIBUTING.md is the import rule: a package imports those alone that stand below it. The same holds inside
 * `src/write/` for the groups of its order, and no module imports itself by way of others.
 */

import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { Finding } from './finding.ts';

/** One module that names another of this repository, in whatever way; types too. */
export interface Import {
  from: string;
  to: string;
}

const SOURCES = '{src,sandbox,tools,views}/**/*.{ts,tsx}';
const WRITE = 'src/write/';
/** Every module of `src/write/` may name it, and it names any of them, because it holds types alone. */
const OF_ALL = 'session.ts';

/** @param map has rows that begin with a package between `<!-- map -->` and `<!-- /map -->`, and `<!-- order -->` in one line. */
export function checkMap({ path, text }: { path: string; text: string }, all: readonly Import[]): Finding[] {
  const [, before = '', map = ''] = /^([\s\S]*?)<!-- map -->([\s\S]*?)<!-- \/map -->/.exec(text) ?? [];
  const packages = [...map.matchAll(/^\| `(?:src\/)?([\w-]+)\/`/gm)].map(([, name = '']) => [name]);
  const order = /<!-- order -->(.*)<!-- \/order -->/.exec(text)?.[1] ?? '';
  const groups = order
    .split(';')
    .map((group) => [...group.matchAll(/`([\w.-]+)\/?`/g)].map(([, name = '']) => name));
  const inside = all.filter((one) => [one.from, one.to].every((file) => file.startsWith(WRITE)));
  const partOf = (file: string) => file.slice(WRITE.length).split('/')[0] ?? '';
  const messages = [
    ...findUpward(packages, all, packageOf),
    ...findUpward([[OF_ALL], ...groups, [OF_ALL]], inside, partOf),
  ];
  return messages.map((message) => ({ path, line: before.split('\n').length, message }));
}

/** @param groups from the uppermost down; one that stands at both ends imports all, and is imported by all. */
function findUpward(
  groups: readonly (readonly string[])[],
  all: readonly Import[],
  partOf: (file: string) => string,
): string[] {
  const uppermost = (file: string) => groups.findIndex((group) => group.includes(partOf(file)));
  const lowest = (file: string) => groups.findLastIndex((group) => group.includes(partOf(file)));
  const lost = new Set(all.map(({ from }) => from).filter((file) => uppermost(file) < 0));
  const upward = all.filter(({ from, to }) => uppermost(from) > lowest(to));
  return [
    ...[...lost].map((file) => `the map leaves out ${partOf(file)} (${file})`),
    ...upward.map(({ from, to }) => `${from} imports ${to}, which stands above it`),
  ];
}

/** The one module that stands in `src/` itself starts the program. */
function packageOf(file: string): string {
  const [folder = '', name = '', more] = file.split('/');
  if (folder !== 'src') return folder;
  return more === undefined ? 'program' : name;
}

/** Modules that import each other, types too; a generated one may name the type that its data are held against. */
export function findCircles(all: readonly Import[]): Finding[] {
  let left = all.filter(({ from }) => !from.includes('/generated/'));
  for (let count = Number.NaN; left.length !== count; ) {
    count = left.length;
    const [importing, imported] = [new Set(left.map(({ from }) => from)), new Set(left.map(({ to }) => to))];
    left = left.filter(({ from, to }) => importing.has(to) && imported.has(from));
  }
  return left.map(({ from, to }) => ({ path: from, line: 1, message: `imports ${to} in a circle` }));
}

/** Returns the imports of all modules of the program. */
export function findImports(): Import[] {
  return globSync(SOURCES)
    .map((name) => name.replaceAll('\\', '/'))
    .flatMap((from) =>
      [...readFileSync(from, 'utf8').matchAll(/(?:\bfrom |\bimport |\bimport\()'(\.{1,2}\/[^']+)'/g)]
        .map(([, specifier = '']) => ({ from, to: posix.join(posix.dirname(from), specifier) }))
        .filter(({ to }) => /^(?:src|sandbox|tools|views)\//.test(to)),
    );
}
