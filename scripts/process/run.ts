/** Runs a program to completion, quietly, and reports its output when it fails. */

import { execFile } from 'node:child_process';

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** 0 for no limit. */
  timeoutMs?: number;
  /** Hears of what it prints as it arrives. */
  onOutput?: ((text: string) => void) | undefined;
}

export interface RunResult {
  code: number;
  stdout: string;
  stderr: string;
}

const MAX_OUTPUT = 64 * 1024 * 1024;

/** Resolves whatever the exit code; a program that is missing has code 127, one that ran out of time 124. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { timeoutMs: timeout = 120_000, onOutput, ...rest } = options;
  // npm and npx are scripts on Windows, which start only through the shell.
  const shell = process.platform === 'win32' && /^np[mx]$/.test(command);
  return new Promise((resolve) => {
    const settings = { timeout, maxBuffer: MAX_OUTPUT, shell, ...rest };
    const child = execFile(command, [...args], settings, (error, stdout, stderr) => {
      const code =
        error === null ? 0 : typeof error.code === 'number' ? error.code : error.killed ? 124 : 127;
      resolve({ code, stdout, stderr: code === 127 ? `${stderr}${error?.message}` : stderr });
    });
    child.stdin?.end();
    if (onOutput === undefined) return;
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', onOutput);
  });
}

/** @throws Error with what was printed, unless it ends with 0. */
export async function runQuietly(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const result = await run(command, args, options);
  if (result.code === 0) return result;
  const output = `${result.stdout}\n${result.stderr}`.trim().slice(-4_000);
  throw new Error(`${command} ${args.join(' ')} ended with ${result.code}:\n${output}`);
}
