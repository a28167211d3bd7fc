/** Asks a person at a terminal: for one value, without echo where it is a secret, or for a yes. */

import { Writable } from 'node:stream';
import { CancelledError, InputError } from '../../../base/errors.ts';
import type { Outside } from '../../runtime/outside.ts';

export interface Question {
  prompt: string;
  /** Nothing of what is typed or pasted appears. */
  secret?: boolean;
}

/** The answer, trimmed; empty when only Enter was pressed. @throws CancelledError on Ctrl-C, Ctrl-D and SIGTERM */
export async function ask(
  { prompt, secret = false }: Question,
  io: Pick<Outside, 'stdin' | 'stderr' | 'prompt' | 'signal'>,
): Promise<string> {
  const { read } = await import('read');
  const output = promptsTo(io);
  const end = watchForEnd(io);
  try {
    // `terminal` turns the echo of the terminal itself off, also between the keys of a long paste.
    const answering = read({ prompt, input: io.stdin, output, silent: secret, terminal: true });
    const answer = await Promise.race([answering, end.reached]);
    // The line end of a hidden answer is hidden too.
    if (secret) io.stderr('\n');
    return answer.trim();
  } catch {
    io.stderr('\n');
    throw new CancelledError('Cancelled. Nothing was stored.');
  } finally {
    end.forget();
    io.stdin.pause();
  }
}

/** `read` tells of a line and of Ctrl-C only; at Ctrl-D, at the end of input and at a signal it would wait for ever. */
function watchForEnd({ stdin, signal }: Pick<Outside, 'stdin' | 'signal'>) {
  let stop = () => {};
  const reached = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new Error('no answer'));
  });
  // Closing the prompt pauses its input; when that was for an answer, the answer comes first.
  const paused = () => setImmediate(stop);
  reached.catch(() => {});
  stdin.on('pause', paused);
  // Registered before the prompt is, which would take half a line for the answer.
  stdin.on('end', stop);
  signal.addEventListener('abort', stop);
  if (signal.aborted || stdin.readableEnded || stdin.destroyed) stop();
  const forget = () => {
    stdin.off('pause', paused);
    stdin.off('end', stop);
    signal.removeEventListener('abort', stop);
  };
  return { reached, forget };
}

/**
 * Anything but `y` or `yes` is a no, the end of input too.
 * @param otherwise what to do where nobody can be asked.
 * @throws InputError when stdin is no terminal; CancelledError on SIGINT.
 */
export async function askYes(
  question: string,
  otherwise: string,
  io: Pick<Outside, 'stdin' | 'prompt' | 'signal'>,
): Promise<boolean> {
  if (io.stdin.isTTY !== true)
    throw new InputError('No terminal; use --yes to go on without a question.', otherwise);
  const { read } = await import('read');
  const output = promptsTo(io);
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

/** Prompts go where everything goes that is no result. */
function promptsTo({ prompt }: Pick<Outside, 'prompt'>): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      prompt(String(chunk));
      done();
    },
  });
}
