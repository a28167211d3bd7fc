/** Describes the machine and the commit that figures come from. */

import os from 'node:os';
import { run } from '../process/run.ts';

/** The files that the program is built from. */
const PROGRAM = ['src', 'tools', 'sandbox', 'package-lock.json'];

export interface Machine {
  processor: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  date: string;
  /** Short, or none where there is no history; with a `+` where files differ from it. */
  commit: string;
}

export async function describeMachine(): Promise<Machine> {
  const cpus = os.cpus();
  return {
    processor: cpus[0]?.model.trim() || 'unknown',
    cores: cpus.length,
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release().split('-')[0]} ${os.arch()}`,
    node: process.version,
    date: new Date().toISOString().slice(0, 10),
    commit: await findCommit(),
  };
}

async function findCommit(): Promise<string> {
  const { code, stdout } = await run('git', ['rev-parse', '--short', 'HEAD']);
  if (code !== 0) return 'none';
  const { stdout: changed } = await run('git', ['status', '--porcelain', ...PROGRAM]);
  return changed === '' ? stdout.trim() : `${stdout.trim()}+`;
}

export function machineText(machine: Machine): string {
  const { processor, cores, memoryGb, system, node, date, commit } = machine;
  return `${cores} cores (${processor}), ${memoryGb} GB, ${system}, Node ${node.replace(/^v/, '')}; ${date}, commit ${commit}`;
}
