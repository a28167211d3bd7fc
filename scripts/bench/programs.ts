/** Builds the measured programs, all with the settings of dist/, into a folder that nothing else rebuilds. */

import { rm } from 'node:fs/promises';
import { bundle } from '../bundle.ts';

const FOLDER = 'build/bench';

export interface Program {
  name: string;
  file: string;
  args?: readonly string[];
}

export interface Programs {
  bareNode: Program;
  emptyServer: Program;
  bareTool: Program;
  ours: Program;
  service: Program;
  /** Someone else's library, behind the same protocol lines. */
  peer: Program;
}

const ENTRIES = {
  'bare Node': 'scripts/bench/programs/bare-node.ts',
  'empty server': 'scripts/bench/programs/empty-server.ts',
  'bare tool': 'scripts/bench/programs/bare-tool.ts',
  'seller-commerce-mcp': 'src/main.ts',
  service: 'scripts/bench/programs/service.ts',
  peer: 'scripts/bench/programs/peer.ts',
} as const;

export async function buildPrograms(): Promise<Programs> {
  await rm(FOLDER, { recursive: true, force: true });
  return {
    bareNode: await buildProgram('bare Node'),
    emptyServer: await buildProgram('empty server'),
    bareTool: await buildProgram('bare tool'),
    ours: await buildProgram('seller-commerce-mcp'),
    service: await buildProgram('service'),
    peer: await buildProgram('peer'),
  };
}

async function buildProgram(name: keyof typeof ENTRIES): Promise<Program> {
  const folder = `${FOLDER}/${name.replaceAll(' ', '-')}`;
  // Others use the SDK unmodified; what we leave out of it is part of our program.
  await bundle(ENTRIES[name], folder, name === 'seller-commerce-mcp' ? {} : { alias: {} });
  return { name, file: `${folder}/main.mjs` };
}
