/** Starts a program that serves MCP over HTTP, and says where once it listens. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** @throws Error with what it printed when it ends before it listens */
export async function startServing(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
) {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  });
  const close = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  const printed: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    printed.push(line);
    const address = /Serving (\S+)/.exec(line)?.[1];
    if (address === undefined) continue;
    // A pipe that nobody empties would stop the program.
    child.stderr.resume();
    return { endpoint: new URL(address), pid: child.pid ?? -1, close };
  }
  throw new Error(`${program} did not start:\n${printed.join('\n')}`);
}
