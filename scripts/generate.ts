/** Writes every generated file; with --check compares instead and fails where one is stale. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { generateConformanceDoc } from './generate/conformance-doc.ts';
import { generateDecisions } from './generate/decisions.ts';
import { generateManifest } from './generate/manifest.ts';
import { generateReadmeParts } from './generate/readme-parts.ts';
import { generateServerJson } from './generate/server-json.ts';
import { generateToolList } from './generate/tool-list.ts';
import { generateToolSnapshots } from './generate/tool-snapshots.ts';

/** A generated file: its path from the root, and its whole text. */
export interface GeneratedFile {
  path: string;
  text: string;
}

const files: GeneratedFile[] = [
  ...generateToolList(),
  ...generateToolSnapshots(),
  ...(await generateDecisions()),
  ...(await generateReadmeParts()),
  ...(await generateManifest()),
  ...(await generateServerJson()),
  ...generateConformanceDoc(),
];

const isCheck = process.argv.includes('--check');
const stale: string[] = [];
for (const { path, text } of files) {
  const current = await readFile(path, 'utf8').catch(() => undefined);
  if (current === text) continue;
  stale.push(path);
  if (isCheck) continue;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
for (const path of stale) console.log(`${isCheck ? 'stale' : 'written'}: ${path}`);
if (isCheck && stale.length > 0) {
  console.error('Run "npm run generate" and commit the result.');
  process.exitCode = 1;
} else if (stale.length === 0) console.log(`${files.length} generated files are up to date`);
