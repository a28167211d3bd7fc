/** Writes the demo's whole output to docs/demo.md: `tsx scripts/demo-output.ts`. */

import { readFile, writeFile } from 'node:fs/promises';
import { replacePart } from './generate/replace-part.ts';
import { runQuietly } from './process/run.ts';

const DOCUMENT = 'docs/demo.md';

const { stdout } = await runQuietly(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'scripts/demo.ts']);
const document = await readFile(DOCUMENT, 'utf8');
await writeFile(DOCUMENT, replacePart(document, 'demo', `\`\`\`text\n${stdout.trimEnd()}\n\`\`\``));
