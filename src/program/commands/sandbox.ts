/** The `sandbox` command runs the embedded sandbox as a separate process for experiments. */

import { once } from 'node:events';
import { ConfigError, InputError } from '../../base/errors.ts';
import { findStateFolder } from '../../store/state-folder.ts';
import type { Outside } from '../runtime/outside.ts';
import type { Command } from './line/command.ts';

export const sandbox: Command = {
  name: 'sandbox',
  summary: 'Run the sandbox service on loopback until Ctrl-C; sandbox reset starts the one of --sandbox anew',
  positionals: '[reset]',
  takes: 1,
  options: {
    port: { type: 'string', help: 'Port to listen on (default: any free one)', placeholder: 'PORT' },
  },
  details: [
    'The credentials it prints are made up at every start and work for this sandbox only.',
    'Writes to it go to a journal of their own: history --sandbox shows it.',
    'Its seller is at home where --marketplace-id or --region says: --marketplace-id DE.',
    'What an assistant changes with --sandbox is kept, so that it can be undone in another chat;',
    'sandbox reset forgets it, in all countries.',
  ].join('\n'),
  async run({ values, positionals: [word] }, io) {
    const { findHome, resetSandboxStates } = await import('../runtime/sandbox-state.ts');
    if (word === 'reset') return printReset(await resetSandboxStates(io.config), io);
    if (word !== undefined) {
      throw new InputError('sandbox takes one word only: reset.', 'Leave it out to run the sandbox.');
    }
    const home = findHome(io.config);
    const { startSandbox } = await import('../../../sandbox/start-sandbox.ts');
    const running = await startSandbox({
      home,
      port: parsePort(values.port),
      accessTokenHeader: io.config.accessTokenHeader,
    }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ConfigError(`The sandbox cannot listen: ${reason}.`, 'Choose another port with --port.');
    });
    const { environmentOf } = await import('../../../sandbox/environment.ts');
    const stateDir = await findStateFolder({ ...io.config, sandbox: true });
    io.stdoutMadeUp(shellLines({ ...environmentOf(running), SELLER_STATE_DIR: stateDir }));
    io.stderr(
      'The sandbox is running; Ctrl-C ends it. Give a program these variables to point it there; in a shell: set -a, paste them, set +a.\n',
    );
    if (!io.signal.aborted) await once(io.signal, 'abort');
    await running.close();
    return 0;
  },
};

function printReset(countries: readonly string[], { stdout }: Pick<Outside, 'stdout'>): number {
  stdout(
    countries.length === 0
      ? 'Nothing was changed in the sandbox since it was made.\n'
      : `The sandbox starts anew: ${countries.join(', ')}. What was changed in it cannot be undone any more; its journal is kept.\nRestart a host that still has it open: until then it plays on by itself.\n`,
  );
  return 0;
}

/** Formats lines that a shell can read; the quotes protect the `|` of a refresh token. */
function shellLines(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .map(([name, value]) => `${name}='${value.replaceAll("'", "'\\''")}'\n`)
    .join('');
}

function parsePort(given: string | boolean | undefined): number {
  if (given === undefined) return 0;
  const port = Number(given);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InputError(`--port is ${given}; it must be a number from 0 to 65535.`);
}
