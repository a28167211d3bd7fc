/** Writes the demo's whole output to docs/demo.md: `tsx scripts/demo-output.ts`. */

import { readFile, writeFile } from 'node:fs/promises';
import { replacePart } from './generate/replace-part.ts';
import { runQuietly } from './process/run.ts';

const DOCUMENT = 'docs/demo.md';

// Builds first: what was just added is to be in it.
const { stdout } = await runQuietly('npm', ['run', '--silent', 'demo']);
const document = await readFile(DOCUMENT, 'utf8');
await writeFile(DOCUMENT, replacePart(document, 'demo', `\`\`\`text\n${stdout.trimEnd()}\n\`\`\``));
