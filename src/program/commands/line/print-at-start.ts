/**
 * Prints a server's messages at its start on stderr: wrong settings, and for a user at a terminal that it
 * waits.
 */

import type { AppError } from '../../../base/errors.ts';
import { commandLine } from '../../../base/invocation.ts';
import type { Outside } from '../../runtime/outside.ts';

type StderrWriter = Pick<Outside, 'stderr'>;

export function printProblem({ message, hint }: AppError, { stderr }: StderrWriter): void {
  stderr(`${message}\n${hint}\nThe server runs all the same; its calls say this too.\n`);
}

/** Lists other commands, because a user who starts the server by hand wants one of those. */
export function printWaitingNotice({ stderr }: StderrWriter): void {
  const commands = [
    ['install <host>', 'put it into a host'],
    ['login', 'store the credentials of an account'],
    ['status', 'check whether everything is in place'],
    ['help', 'all commands'],
  ];
  const lines = [
    'This is the server: it waits for an MCP host to speak to it on standard input. Ctrl-C ends it.',
    'Hosts start it by themselves. What you may be looking for:',
    ...commands.map(([words = '', meaning]) => `  ${commandLine(words)}\n      ${meaning}`),
    '',
  ];
  stderr(lines.join('\n'));
}
