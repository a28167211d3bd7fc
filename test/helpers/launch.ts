/** How the spawned program is started: the built bundle on this Node, or what TEST_LAUNCH says (another Node, a package). */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const launchSchema = z.strictObject({
  /** Path or name of a Node binary. */
  node: z.string().optional(),
  /** The program's entry file. */
  program: z.string().optional(),
  /** Environment as a host would give it; what a test sets wins. */
  env: z.record(z.string(), z.string()).optional(),
});

export type Launch = z.infer<typeof launchSchema>;

function readLaunch(): Required<Launch> {
  const given = launchSchema.parse(JSON.parse(process.env.TEST_LAUNCH ?? '{}'));
  const program = given.program ?? fileURLToPath(new URL('../../dist/main.mjs', import.meta.url));
  // Otherwise every test would wait for a server that never answers. Scripts that read this file build it later.
  if (process.env.VITEST !== undefined && !existsSync(program))
    throw new Error(`${program} is not there; run: npm run build`);
  return {
    node: given.node ?? process.execPath,
    program,
    get env() {
      return { PATH: process.env.PATH ?? '', ...ownFolders(), ...given.env };
    },
  };
}

/**
 * Returns folders of this test file alone (each-file.ts), so that a test without a home gets a fresh sandbox.
 * All of them share what Node has compiled.
 */
function ownFolders(): Record<string, string> {
  const { VITEST, XDG_STATE_HOME = '', XDG_DATA_HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  return VITEST === undefined ? {} : { XDG_STATE_HOME, XDG_DATA_HOME, NODE_COMPILE_CACHE };
}

export const LAUNCH = readLaunch();

/** `npm run test:all`, not `npm test`. */
export const RUNS_ALL = process.env.TEST_ALL !== undefined;

/** Every session is a process of its own. */
export const SPAWNS_ALL = RUNS_ALL || process.env.TEST_LAUNCH !== undefined;
