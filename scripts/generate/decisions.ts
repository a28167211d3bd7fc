/** Generates the resource that tells what the program does where the interface is silent. */

import { readFile } from 'node:fs/promises';
import type { GeneratedFile } from '../generate.ts';

export async function generateDecisions(): Promise<GeneratedFile[]> {
  const text = await readFile('docs/where-the-interface-is-silent.md', 'utf8');
  const lines = [
    '/** Generated from docs/where-the-interface-is-silent.md by scripts/generate.ts. Do not edit. */',
    '',
    `export const DECISIONS = ${JSON.stringify(text)};`,
    '',
  ];
  return [{ path: 'src/mcp/generated/decisions.ts', text: lines.join('\n') }];
}
