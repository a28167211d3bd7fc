/** Finds every regular expression in a TypeScript source: literals, using the syntax tree, and places that construct one. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** The folders that make up the program. */
const FOLDERS = ['src', 'sandbox', 'tools', 'views'];

/** A literal, as written. */
export interface Literal {
  file: string;
  line: number;
  source: string;
  flags: string;
}

/** A call of `RegExp`, with or without `new`: its result is not known until it runs. */
export interface Construction {
  file: string;
  line: number;
  /** The call as written. */
  text: string;
}

export interface Expressions {
  literals: Literal[];
  constructions: Construction[];
}

/** Returns the expression as it is written, which is its key in the lists. */
export const textOf = ({ source, flags }: Pick<Literal, 'source' | 'flags'>) => `/${source}/${flags}`;

/** Finds the expressions of the whole program. */
export function findAll(): Expressions {
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
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .sort();
}

/** @throws Error for a file that cannot be parsed: its contents would go unchecked. */
export function findExpressions(file: string, code: string): Expressions {
  const { program, errors } = parseSync(file, code);
  const [wrong] = errors;
  if (wrong !== undefined) throw new Error(`${file}: ${wrong.message}`);
  const found: Expressions = { literals: [], constructions: [] };
  const lineAt = (offset: number) => code.slice(0, offset).split('\n').length;
  const construct = ({
    callee,
    start,
    end,
  }: {
    callee: { start: number; end: number };
    start: number;
    end: number;
  }) => {
    const name = code.slice(callee.start, callee.end);
    if (!CONSTRUCTORS.has(name)) return;
    found.constructions.push({ file, line: lineAt(start), text: code.slice(start, end) });
  };
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const { pattern, flags } = node.regex;
      found.literals.push({ file, line: lineAt(node.start), source: pattern, flags });
    },
    NewExpression: construct,
    CallExpression: construct,
  }).visit(program);
  return found;
}

const CONSTRUCTORS = new Set(['RegExp', 'globalThis.RegExp']);
