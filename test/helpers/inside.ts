/** The server, and single commands, within the test's own process: the real command line, `serve` and streams, without a process to start. */

import { PassThrough, type Readable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { buildConfig } from '../../src/base/config.ts';
import { escapeLines } from '../../src/base/text/escape-text.ts';
import { createRedactor } from '../../src/privacy/secrets/redact.ts';
import { COMMANDS } from '../../src/program/commands/line/command-table.ts';
import { parseCommandLine } from '../../src/program/commands/line/parse-command-line.ts';
import type { Outside } from '../../src/program/runtime/outside.ts';
import { VERSION } from '../../src/program/version.ts';
import { LAUNCH, SPAWNS_ALL } from './launch.ts';
import { noBrowser, noKeychain } from './outside.ts';
import { hasBus } from './outside-service.ts';
import { type RunOptions, type RunOutcome, runProgram } from './run-program.ts';

interface Inside {
  /** The client's end of the pipes; closing it is what a host does to end the server, and waits for that end. */
  transport: StdioServerTransport;
  stderr: Readable;
}

/** @param args as on the command line. @param env the whole environment of the server. */
export async function startInside(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Inside> {
  const { command, line } = await parseCommandLine(args, COMMANDS);
  const stderr = new PassThrough();
  const write = (text: string) => void stderr.write(text);
  const { outside, toServer, fromServer } = await openOutside(line, env, { stdout: write, stderr: write });
  const ended = command.run(line, outside);
  const transport = new StdioServerTransport(fromServer, toServer);
  const closeEnd = transport.close.bind(transport);
  transport.close = async () => {
    toServer.end();
    await ended;
    await closeEnd();
  };
  return { transport, stderr };
}

/**
 * Runs one command to its end, in a process of its own where sessions have one. It throws what the program would print
 * as an error: `runProgram` is for that, and for its exit status.
 */
export async function runInside(
  args: readonly string[],
  { env }: Pick<RunOptions, 'env'>,
): Promise<RunOutcome> {
  if (SPAWNS_ALL) return runProgram(args, { env });
  const { command, line } = await parseCommandLine(args, COMMANDS);
  const output = { stdout: '', stderr: '' };
  const add = (name: keyof typeof output) => (text: string) => {
    output[name] += text;
  };
  const writers = { stdout: add('stdout'), stderr: add('stderr') };
  const { outside, toServer } = await openOutside(line, { ...LAUNCH.env, ...env }, writers);
  toServer.end();
  const code = await command.run(line, outside);
  return { code, ...output };
}

type Write = (text: string) => void;

async function openOutside(
  { flags }: Awaited<ReturnType<typeof parseCommandLine>>['line'],
  env: Readonly<Record<string, string>>,
  writers: { stdout: Write; stderr: Write },
) {
  // Late: the demo and the matrix read this file too, where no test runs.
  const { tableWorkers } = await import('./tables-worker.ts');
  const [toServer, fromServer] = [new PassThrough(), new PassThrough()];
  const redactor = createRedactor();
  for (const name of ['SELLER_CLIENT_SECRET', 'SELLER_REFRESH_TOKEN']) redactor.add(env[name] ?? '', name);
  const clean = (write: Write) => (text: string) => write(escapeLines(redactor.redact(text)));
  const stderr = clean(writers.stderr);
  const outside: Outside = {
    stdout: clean(writers.stdout),
    stdoutMadeUp: clean(writers.stdout),
    stderr,
    prompt: stderr,
    learn: redactor.add,
    stdin: toServer,
    protocolOut: fromServer,
    interactive: false,
    columns: 100,
    get config() {
      return buildConfig(flags, env);
    },
    entryFile: LAUNCH.program,
    execPath: process.execPath,
    platform: process.platform,
    userId: process.geteuid?.(),
    insideElectron: false,
    openInBrowser: noBrowser,
    keychain: hasBus(env) ? undefined : noKeychain,
    tableWorkers,
    version: VERSION,
    env,
    signal: new AbortController().signal,
  };
  return { outside, toServer, fromServer };
}
