/** Asks a person at a terminal for one value, without echo where it is a secret. */

import { Writable } from 'node:stream';
import { CancelledError } from '../../errors.ts';
import type { Outside } from '../../runtime/outside.ts';

export interface Question {
  prompt: string;
  /** Nothing of what is typed or pasted appears. */
  secret?: boolean;
}

/** The answer, trimmed; empty when only Enter was pressed. @throws CancelledError on Ctrl-C, Ctrl-D and SIGTERM */
export async function ask(
  { prompt, secret = false }: Question,
  io: Pick<Outside, 'stdin' | 'stderr' | 'signal'>,
): Promise<string> {
  const { read } = await import('read');
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      io.stderr(String(chunk));
      done();
    },
  });
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
