/** Asks a user at a terminal for a value, without echo if it is secret, or for a yes. */

import { Writable } from 'node:stream';
import { CancelledError, InputError } from '../../../base/errors.ts';
import type { Outside } from '../../runtime/outside.ts';

export interface TerminalQuestion {
  prompt: string;
  /** Hides everything that is typed or pasted. */
  secret?: boolean;
}

/**
 * Returns the trimmed answer; empty when only Enter was pressed.
 * @throws CancelledError on Ctrl-C, Ctrl-D and SIGTERM
 */
export async function ask(
  { prompt, secret = false }: TerminalQuestion,
  io: Pick<Outside, 'stdin' | 'stderr' | 'prompt' | 'signal'>,
): Promise<string> {
  const { read } = await import('read');
  const output = promptsTo(io);
  const end = watchForEnd(io);
  try {
    // The `terminal` option turns off the terminal's own echo, even between the keys of a long paste.
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

/**
 * Detects the ends that `read` ignores: Ctrl-D, the end of input and signals. It reports only a line and
 * Ctrl-C, and would wait forever.
 */
function watchForEnd({ stdin, signal }: Pick<Outside, 'stdin' | 'signal'>) {
  let stop = () => {};
  const reached = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new Error('no answer'));
  });
  // Closing the prompt pauses its input; if that was for an answer, the answer is handled first.
  const paused = () => setImmediate(stop);
  reached.catch(() => {});
  stdin.on('pause', paused);
  // This listener precedes the prompt's, which would take a partial line as the answer.
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
 * Asks a yes-or-no question. Only `y` or `yes` confirms; the end of input declines.
 * @param otherwise the advice when nobody can be asked.
 * @throws InputError when stdin is no terminal; CancelledError on SIGINT.
 */
export async function confirmAtTerminal(
  question: string,
  otherwise: string,
  io: Pick<Outside, 'stdin' | 'prompt' | 'signal'>,
): Promise<boolean> {
  if (io.stdin.isTTY !== true)
    throw new InputError('No terminal; use --yes to go on without a question.', otherwise);
  const { read } = await import('read');
  const output = promptsTo(io);
  // The listeners precede the question, so that no event after it is missed.
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

/** Writes prompts to the stream for everything that is not a result. */
function promptsTo({ prompt }: Pick<Outside, 'prompt'>): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      prompt(String(chunk));
      done();
    },
  });
}
