/**
 * Generates the typed modules that the program loads from reviewed YAML: the type check is the check of their shape. The
 * first lines of each file say how it is called there, and of which type it is.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import type { GeneratedFile } from './generated-file.ts';
import { literalOf } from './literal.ts';

const FOLDERS = ['sandbox', 'src'];
/** `# export const groups: readonly Group[]`, and where its type is from. */
const HEAD = /^# (export const \w+: .+)\n(?:# (import type .+)\n)?/;

export function generateReviewedData(): GeneratedFile[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => moduleOf(join(folder, name).replaceAll('\\', '/'))),
  );
}

function moduleOf(path: string): GeneratedFile {
  const yaml = readFileSync(path, 'utf8');
  const [, declared, from] = HEAD.exec(yaml) ?? [];
  if (declared === undefined) throw new Error(`${path} does not begin with what it is in TypeScript`);
  return {
    path: join(dirname(path), 'generated', basename(path).replace(/\.yaml$/, '.ts')).replaceAll('\\', '/'),
    text: [
      `/** Generated from ${path} by scripts/generate.ts. Do not edit. */`,
      '',
      ...(from === undefined ? [] : [from, '']),
      `${declared} = ${literalOf(parse(yaml))};`,
      '',
    ].join('\n'),
  };
}
