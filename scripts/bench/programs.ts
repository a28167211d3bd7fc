/** Builds the measured programs, all with the settings of dist/, into a folder that nothing else rebuilds. */

import { rm } from 'node:fs/promises';
import { bundle, bundleWithWorkers, copySqlite } from '../bundle.ts';

const FOLDER = 'build/bench';

export interface Program {
  name: string;
  file: string;
  args?: readonly string[];
}

export interface Programs {
  bareNode: Program;
  emptyServer: Program;
  emptyHttpServer: Program;
  bareTool: Program;
  ours: Program;
  service: Program;
  /** Someone else's library, behind the same protocol lines. */
  peer: Program;
  /** A script that loads a report with the same engine, and nothing else. */
  bareLoad: Program;
  /** A worker thread with the engine alone. */
  bareQuery: Program;
  /** Loads a report with our rooms, and asks them and `bareQuery` in turn. */
  queryTables: Program;
  /** The limiter of a process among several. */
  replica: Program;
  /** Loaded into a program: writes how long its main thread stood still. */
  holdMonitor: Program;
}

const ENTRIES = {
  'bare Node': 'scripts/bench/programs/bare-node.ts',
  'empty server': 'scripts/bench/programs/empty-server.ts',
  'empty HTTP server': 'scripts/bench/programs/empty-http-server.ts',
  'bare tool': 'scripts/bench/programs/bare-tool.ts',
  'seller-commerce-mcp': 'src/main.ts',
  service: 'scripts/bench/programs/service.ts',
  peer: 'scripts/bench/programs/peer.ts',
  'bare script': 'scripts/bench/programs/bare-load.ts',
  'bare engine': 'scripts/bench/programs/bare-query.ts',
  'query tables': 'scripts/bench/programs/query-tables.ts',
  replica: 'scripts/bench/programs/replica.ts',
  'hold monitor': 'scripts/bench/programs/hold-monitor.ts',
} as const;

const OURS = 'seller-commerce-mcp';
/** They look for the engine's other half beside them. */
const WITH_ENGINE: readonly string[] = ['bare script', 'bare engine'];

export async function buildPrograms(): Promise<Programs> {
  await rm(FOLDER, { recursive: true, force: true });
  return {
    bareNode: await buildProgram('bare Node'),
    emptyServer: await buildProgram('empty server'),
    emptyHttpServer: await buildProgram('empty HTTP server'),
    bareTool: await buildProgram('bare tool'),
    ours: await buildProgram(OURS),
    service: await buildProgram('service'),
    peer: await buildProgram('peer'),
    replica: await buildProgram('replica'),
    bareLoad: await buildProgram('bare script'),
    bareQuery: await buildProgram('bare engine'),
    queryTables: await buildProgram('query tables'),
    holdMonitor: await buildProgram('hold monitor'),
  };
}

async function buildProgram(name: keyof typeof ENTRIES): Promise<Program> {
  const folder = `${FOLDER}/${name.replaceAll(' ', '-')}`;
  // Others use the SDK unmodified; what we leave out of it is part of our program.
  if (name === OURS) await bundleWithWorkers(ENTRIES[name], folder);
  else await bundle(ENTRIES[name], folder, { alias: {} });
  if (WITH_ENGINE.includes(name)) await copySqlite(folder);
  return { name, file: `${folder}/main.mjs` };
}
