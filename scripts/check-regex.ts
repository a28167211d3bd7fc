/** `npm run check:regex`: each regular expression takes time in proportion to its text, or is listed and applied to bounded text. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from './check-regex/compare.ts';
import { readExceptions } from './check-regex/exceptions.ts';
import { type Expressions, findExpressions } from './check-regex/find-expressions.ts';
import { loadJudge } from './check-regex/judge.ts';

/** The folders that make up the program. */
const FOLDERS = ['src', 'tools'];
const LIST = 'scripts/check-regex/exceptions.yaml';

const found = findAll();
const lists = readExceptions(readFileSync(LIST, 'utf8'));
const findings = compare(found, lists, await loadJudge());
for (const finding of findings) console.error(finding);
const { literals, constructions } = found;
console.log(
  `${literals.length} regular expressions judged, ${lists.slow.length} excused, ${constructions.length} built at run time`,
);
if (findings.length > 0) {
  console.error(
    'Make it linear, bound its text, or list it with the bound in scripts/check-regex/exceptions.yaml.',
  );
}
process.exitCode = findings.length === 0 && literals.length > 0 ? 0 : 1;

function findAll(): Expressions {
  const all: Expressions = { literals: [], constructions: [] };
  for (const file of FOLDERS.flatMap(filesIn)) {
    const { literals, constructions } = findExpressions(file, readFileSync(file, 'utf8'));
    all.literals.push(...literals);
    all.constructions.push(...constructions);
  }
  return all;
}

function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .sort();
}
