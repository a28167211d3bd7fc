/** Runs one command of the built program to its end and keeps everything it said. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { LAUNCH } from './launch.ts';

export interface RunOptions {
  env?: Readonly<Record<string, string>>;
  /** Written to stdin, which then ends. */
  input?: string;
  cwd?: string;
  /** Told the process as soon as it runs. */
  onStart?: (pid: number) => void;
}

export interface RunOutcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export async function runProgram(args: readonly string[], options: RunOptions = {}): Promise<RunOutcome> {
  const { env, input = '', cwd, onStart } = options;
  const child = spawn(LAUNCH.node, [LAUNCH.program, ...args], {
    env: { ...LAUNCH.env, ...env },
    cwd,
  });
  if (child.pid !== undefined) onStart?.(child.pid);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code: typeof code === 'number' ? code : null, stdout, stderr };
}
