/** The server within the test's own process: the real command line, `serve` and streams, without a process to start. */

import { PassThrough, type Readable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { buildConfig } from '../../src/base/config.ts';
import { escapeLines } from '../../src/base/text/escape-text.ts';
import { createRedactor } from '../../src/privacy/secrets/redact.ts';
import { COMMANDS } from '../../src/program/commands/line/command-table.ts';
import { parseCommandLine } from '../../src/program/commands/line/parse-command-line.ts';
import type { Outside } from '../../src/program/runtime/outside.ts';
import { VERSION } from '../../src/program/version.ts';
import { LAUNCH } from './launch.ts';
import { noBrowser, noKeychain } from './outside.ts';
import { hasBus } from './outside-service.ts';

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
  // Late: the demo and the matrix read this file too, where no test runs.
  const { tableWorkers } = await import('./tables-worker.ts');
  const { command, line } = await parseCommandLine(args, COMMANDS);
  const [toServer, fromServer, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const redactor = createRedactor();
  for (const name of ['SELLER_CLIENT_SECRET', 'SELLER_REFRESH_TOKEN']) redactor.add(env[name] ?? '', name);
  const write = (text: string) => void stderr.write(escapeLines(redactor.redact(text)));
  const outside: Outside = {
    stdout: write,
    stdoutMadeUp: write,
    stderr: write,
    prompt: write,
    learn: redactor.add,
    stdin: toServer,
    protocolOut: fromServer,
    interactive: false,
    columns: 100,
    get config() {
      return buildConfig(line.flags, env);
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
