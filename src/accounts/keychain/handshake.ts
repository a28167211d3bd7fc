/**
 * Proves to the keychain child that this program started it, by a challenge over a pipe that no shell command
 * opens.
 */

import { createHash, randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';

/**
 * The descriptor after stdin, stdout and stderr. Node makes it a pair of sockets, or a named pipe on Windows.
 */
export const HANDSHAKE_FD = 3;

/** A busy parent may answer late; a missing one shows at once as the end of the pipe. */
const ANSWER_MS = 20_000;

const MAX_LINE_CHARACTERS = 200;

/** Answers the child's challenge for the parent. Never throws; without a challenge it sends nothing. */
export function answerChallenge(channel: Duplex): void {
  channel.on('error', () => undefined);
  void readLine(channel, MAX_LINE_CHARACTERS).then((challenge) => {
    if (challenge !== undefined) channel.end(`${proofOf(challenge)}\n`);
  });
}

/** Returns true in the child when the other end of the inherited pipe is this program. */
export async function isStartedByProgram(open: () => Duplex = openInherited): Promise<boolean> {
  const challenge = randomBytes(32).toString('hex');
  let channel: Duplex;
  try {
    channel = open();
  } catch {
    // The descriptor is not open, or is a file or a terminal.
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

/**
 * Opens the inherited descriptor.
 * @throws TypeError where the descriptor is no pipe or socket
 */
function openInherited(): Duplex {
  return new Socket({ fd: HANDSHAKE_FD, readable: true, writable: true });
}

/**
 * The proof differs from the challenge, because a pipe that leads back to the child would repeat the
 * challenge.
 */
function proofOf(challenge: string): string {
  return createHash('sha256').update(`seller-commerce-mcp keychain ${challenge}`).digest('hex');
}

/** Reads the first line; undefined when it is incomplete or too long. */
export function readLine(channel: Readable, maxCharacters: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = '';
    channel.setEncoding('utf8');
    channel.on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end >= 0) resolve(text.slice(0, end));
      else if (text.length > maxCharacters) resolve(undefined);
    });
    for (const over of ['end', 'close', 'error']) channel.once(over, () => resolve(undefined));
  });
}
