/** Asks a person at a terminal for a yes. */

import { Writable } from 'node:stream';
import { CancelledError, InputError } from '../../errors.ts';
import type { Outside } from '../../runtime/outside.ts';

/**
 * Anything but `y` or `yes` is a no, the end of input too.
 * @param otherwise what to do where nobody can be asked.
 * @throws InputError when stdin is no terminal; CancelledError on SIGINT.
 */
export async function askYes(
  question: string,
  otherwise: string,
  io: Pick<Outside, 'stdin' | 'stderr' | 'signal'>,
): Promise<boolean> {
  if (io.stdin.isTTY !== true) throw new InputError('There is no terminal to ask for a yes on.', otherwise);
  const { read } = await import('read');
  const output = new Writable({
    write(chunk, _encoding, done) {
      io.stderr(String(chunk));
      done();
    },
  });
  // Before the question, so that whatever happens from its first letter on is noticed.
  const ended = new Promise<string>((resolve) => io.stdin.once('end', () => resolve('')));
  const aborted = new Promise<undefined>((resolve) => {
    io.signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const answer = await Promise.race([
    read({ prompt: `${question} [y/N]`, input: io.stdin, output }),
    ended,
    aborted,
  ]);
  io.stdin.pause();
  if (answer === undefined) throw new CancelledError('Cancelled. Nothing was changed.');
  return /^y(es)?$/i.test(answer.trim());
}
