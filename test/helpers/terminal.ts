/** Runs one command of the built program at a real terminal, and types what a person would at each of its prompts. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { LAUNCH } from './launch.ts';

/** Node opens no terminals; Python does, where the system has them. */
const OPEN_TERMINAL =
  'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])) & 255)';

export const CTRL_C = '\x03';

/** Prompts in the order in which they come, each with what is typed then, or a moment later. */
export type Typed = readonly (readonly [prompt: string, text: string | Promise<string>])[];

/** A newcomer may have no Python, and is told; in CI it is installed, and its absence is a failure. */
export function hasTerminals(): boolean {
  try {
    execFileSync('python3', ['-c', 'import pty'], { stdio: 'pipe' });
    return true;
  } catch {
    if (process.env.CI !== 'true')
      process.stderr.write('Skipped: commands at a terminal (no Python 3 with pty installed)\n');
    return process.env.CI === 'true';
  }
}

/** @returns everything that stood on the screen; `typed` tells how many of the prompts came */
export async function runAtTerminal(
  args: readonly string[],
  answers: Typed,
  { env, columns = 100 }: { env: Readonly<Record<string, string>>; columns?: number },
): Promise<{ code: unknown; screen: string; typed: number }> {
  const child = spawn(
    'python3',
    [
      '-c',
      OPEN_TERMINAL,
      'sh',
      '-c',
      `stty cols ${columns}; exec "$@"`,
      'sh',
      LAUNCH.node,
      LAUNCH.program,
      ...args,
    ],
    { env: { ...LAUNCH.env, ...env } },
  );
  let [screen, seen, typed] = ['', 0, 0];
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString('utf8');
    for (let next = answers[typed]; next !== undefined; next = answers[typed]) {
      const [prompt, text] = next;
      const at = screen.indexOf(prompt, seen);
      if (at < 0) return;
      seen = at + prompt.length;
      typed += 1;
      void Promise.resolve(text).then((keys) => child.stdin.write(keys));
    }
  });
  child.stdin.on('error', () => {});
  const [code] = await once(child, 'close');
  return { code, screen: screen.replaceAll('\r\n', '\n'), typed };
}
