/** Builds the measured programs, all with the settings of dist/, into a folder that nothing else rebuilds. */

import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { bundle, bundleWithWorkers, copySqlite } from '../bundle.ts';

const FOLDER = 'build/bench';

export interface Program {
  name: string;
  file: string;
  args?: readonly string[];
}

const ofBench = (name: string, entry = name.replaceAll(' ', '-').toLowerCase()) => ({
  name,
  entry: `scripts/bench/programs/${entry}.ts`,
  file: `${FOLDER}/${entry}/main.mjs`,
});

const OURS = { name: 'seller-commerce-mcp', entry: 'src/main.ts', file: `${FOLDER}/ours/main.mjs` };
const BARE_LOAD = ofBench('bare script', 'bare-load');

export const PROGRAMS = {
  bareNode: ofBench('bare Node'),
  emptyServer: ofBench('empty server'),
  bareTool: ofBench('bare tool'),
  ours: OURS,
  service: ofBench('service'),
  /** A script that loads a report with the same engine, and nothing else. */
  bareLoad: BARE_LOAD,
  /** The limiter of a process among several. */
  replica: ofBench('replica'),
  /** Loaded into a program: writes how long its main thread stood still. */
  holdMonitor: ofBench('hold monitor'),
};

export async function buildPrograms(): Promise<void> {
  await rm(FOLDER, { recursive: true, force: true });
  for (const program of Object.values(PROGRAMS)) {
    const folder = dirname(program.file);
    // Others use the SDK unmodified; what we leave out of it is part of our program.
    if (program === OURS) await bundleWithWorkers(program.entry, folder);
    else await bundle(program.entry, folder, { alias: {} });
    // It looks for the engine's other half beside itself.
    if (program === BARE_LOAD) await copySqlite(folder);
  }
}
