/** How the keychain child knows that this program started it: a challenge over a pipe that a shell line does not open. */

import { createHash, randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';

/** The descriptor beside stdin, stdout and stderr: Node makes it a pair of sockets, on Windows a named pipe. */
export const HANDSHAKE_FD = 3;

/** A busy parent may take long to answer; one that is not there is told by the end of the pipe. */
const ANSWER_MS = 20_000;

const MAX_LINE_CHARACTERS = 200;

/** The parent's part: answers the child's challenge. Never throws; a child that asks for nothing gets nothing. */
export function answerChallenge(channel: Duplex): void {
  channel.on('error', () => undefined);
  void readLine(channel, MAX_LINE_CHARACTERS).then((challenge) => {
    if (challenge !== undefined) channel.end(`${proofOf(challenge)}\n`);
  });
}

/** The child's part: true when the other end of the inherited pipe is this program. */
export async function isStartedByProgram(open: () => Duplex = openInherited): Promise<boolean> {
  const challenge = randomBytes(32).toString('hex');
  let channel: Duplex;
  try {
    channel = open();
  } catch {
    // Not open, or something else: a file, a terminal.
    return false;
  }
  channel.on('error', () => undefined);
  const timer = setTimeout(() => channel.destroy(), ANSWER_MS);
  channel.write(`${challenge}\n`);
  const answer = await readLine(channel, MAX_LINE_CHARACTERS);
  clearTimeout(timer);
  channel.destroy();
  return answer === proofOf(challenge);
}

/** @throws TypeError where the descriptor is no pipe or socket */
function openInherited(): Duplex {
  return new Socket({ fd: HANDSHAKE_FD, readable: true, writable: true });
}

/** Not the challenge itself: a pipe that leads back to the child would repeat it. */
function proofOf(challenge: string): string {
  return createHash('sha256').update(`seller-commerce-mcp keychain ${challenge}`).digest('hex');
}

/** The first line, undefined when none comes that is whole and no longer than that. */
export function readLine(channel: Readable, mostCharacters: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = '';
    channel.setEncoding('utf8');
    channel.on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end >= 0) resolve(text.slice(0, end));
      else if (text.length > mostCharacters) resolve(undefined);
    });
    for (const over of ['end', 'close', 'error']) channel.once(over, () => resolve(undefined));
  });
}
