/** Where figures come from: the machine, and the program that was measured. */

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import { run } from '../process/run.ts';

/** What it is built of. */
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
  /** Of the built program. */
  digest: string;
}

/** @param program folder of the built program */
export async function describeMachine(program: string): Promise<Machine> {
  const cpus = os.cpus();
  return {
    processor: cpus[0]?.model.trim() || 'unknown',
    cores: cpus.length,
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release().split('-')[0]} ${os.arch()}`,
    node: process.version,
    date: new Date().toISOString().slice(0, 10),
    commit: await findCommit(),
    digest: await digestProgram(program),
  };
}

async function findCommit(): Promise<string> {
  const { code, stdout } = await run('git', ['rev-parse', '--short', 'HEAD']);
  if (code !== 0) return 'none';
  const { stdout: changed } = await run('git', ['status', '--porcelain', ...PROGRAM]);
  return changed === '' ? stdout.trim() : `${stdout.trim()}+`;
}

export function machineText(machine: Machine): string {
  const { processor, cores, memoryGb, system, node, date, commit, digest } = machine;
  return `${cores} cores (${processor}), ${memoryGb} GB, ${system}, Node ${node.replace(/^v/, '')}; ${date}, commit ${commit}, program ${digest}`;
}

/** What a line of `machineText` says of the program, if it does. */
export function readMachineText(line: string): { date: string; commit: string; digest: string } | undefined {
  const [, date, commit, digest] = /; (\S+), commit (\S+), program ([\da-f]+)$/.exec(line) ?? [];
  if (date === undefined || commit === undefined || digest === undefined) return undefined;
  return { date, commit, digest };
}

/** The beginning of the SHA-256 of a built program's files: what it does, without comments and formatting. */
export async function digestProgram(folder: string): Promise<string> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  );
  const hash = createHash('sha256');
  for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).sort()) {
    hash.update(path.slice(folder.length)).update('\0');
    hash.update(await readFile(path)).update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}
