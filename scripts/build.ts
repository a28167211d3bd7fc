/** Builds dist/: one minified bundle that starts the server, the rest in chunks loaded on first use, and the notices of both. */

import { rm } from 'node:fs/promises';
import { buildProgram } from './package/program.ts';

await rm('dist', { recursive: true, force: true });
await buildProgram('dist', 'build/bom.json');
