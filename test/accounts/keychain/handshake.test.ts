/** The challenge between the program and its keychain child, over streams and over real processes. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex, PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerChallenge, isStartedByProgram } from '../../../src/accounts/keychain/handshake.ts';
import { requestKeychain } from '../../../src/accounts/keychain/request-keychain.ts';
import { LAUNCH } from '../../helpers/launch.ts';
import { homeEnvironment } from '../../helpers/outside-service.ts';

/** Two ends of one pipe. */
function pipe(): [Duplex, Duplex] {
  const [there, back] = [new PassThrough(), new PassThrough()];
  return [Duplex.from({ writable: there, readable: back }), Duplex.from({ writable: back, readable: there })];
}

describe('the child', () => {
  it('believes the program', async () => {
    const [parent, child] = pipe();
    answerChallenge(parent);
    expect(await isStartedByProgram(() => child)).toBe(true);
  });

  it.each([
    ['nobody', (other: Duplex) => void other.end()],
    ['a guess', (other: Duplex) => void other.end('yes\n')],
    ['its own challenge', (other: Duplex) => void other.pipe(other)],
    ['half a line', (other: Duplex) => void other.end('a')],
    ['a line without an end', (other: Duplex) => void other.write('a'.repeat(10_000))],
    ['an error', (other: Duplex) => void other.destroy(new Error('EPIPE'))],
  ])('does not believe %s', async (_case, behave) => {
    const [other, child] = pipe();
    other.on('error', () => {});
    behave(other);
    expect(await isStartedByProgram(() => child)).toBe(false);
  });

  it('asks something else each time: an answer that was seen is worth nothing', async () => {
    const [parent, child] = pipe();
    const messages: string[] = [];
    parent.on('data', (chunk) => messages.push(String(chunk)));
    answerChallenge(parent);
    await isStartedByProgram(() => child);
    const [second, other] = pipe();
    second.on('data', (chunk) => messages.push(String(chunk)));
    answerChallenge(second);
    await isStartedByProgram(() => other);
    expect(new Set(messages).size).toBe(2);
  });
});

describe('the real program as keychain child', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'handshake-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('answers the program', async () => {
    const answer = await requestKeychain(
      { execPath: LAUNCH.node, entryFile: LAUNCH.program, environment: homeEnvironment(folder) },
      { op: 'list' },
    );
    // There is no keychain in that environment: it got as far as looking for one.
    expect(answer).toMatchObject({ ok: false, cause: 'absent' });
  });

  const refusal = 'keychain-child is started by seller-commerce-mcp itself, and answers nobody else.\n';

  it.runIf(process.platform !== 'win32').each([
    ['nothing else', ''],
    ['a file', '3<"$FILE"'],
    ['a file to write to', '3<>"$FILE"'],
    ['a pipe that leads back', '3<>"$FIFO"'],
    ['the answer to another challenge', `3< <(echo ${'a'.repeat(64)})`],
  ])('refuses a shell that gives it %s', async (_case, redirection) => {
    await writeFile(join(folder, 'file'), 'yes\n');
    const line = `mkfifo "$FIFO"; echo '{"op":"list"}' | "$NODE" "$PROGRAM" keychain-child ${redirection}`;
    const child = spawn('bash', ['-c', line], {
      env: {
        ...homeEnvironment(folder),
        PATH: process.env.PATH,
        NODE: LAUNCH.node,
        PROGRAM: LAUNCH.program,
        FILE: join(folder, 'file'),
        FIFO: join(folder, 'fifo'),
      },
    });
    const [out, errors]: [string[], string[]] = [[], []];
    child.stdout.on('data', (chunk) => out.push(String(chunk)));
    child.stderr.on('data', (chunk) => errors.push(String(chunk)));
    const [code] = await once(child, 'close');
    expect(code).toBe(1);
    expect(errors.join('')).toBe(refusal);
    expect(out.join('')).toBe('');
  });
});
