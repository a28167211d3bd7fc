/** Tests what happens when somebody who can write there replaces a file of the program: it is named, never followed. */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homeEnvironment } from '../helpers/outside-service.ts';
import { type RunOutcome, runProgram } from '../helpers/run-program.ts';
import { connect } from '../helpers/sessions.ts';

const SEED = 20_261_121;
const BOUND_MS = 120_000;

let folder: string;
let victim: string;
let server: Server | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attack-files-'));
  victim = join(folder, 'victim');
  await writeFile(victim, 'untouched\n', { mode: 0o644 });
});
afterEach(async () => {
  server?.close();
  server = undefined;
  await rm(folder, { recursive: true, force: true });
});

/**
 * The kinds of entries under a file's name. Links lead only to files of this test, never to the machine's.
 */
const kinds: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  'a named pipe': async (path) => spawnSync('mkfifo', [path]),
  'a folder': (path) => mkdir(path),
  'a socket': async (path) => {
    server = createServer().listen(path);
    await once(server, 'listening');
  },
  'a symbolic link': (path) => symlink(victim, path),
  'a symbolic link to nothing': (path) => symlink(join(folder, 'nowhere'), path),
  'a symbolic link to a pipe': async (path) => {
    spawnSync('mkfifo', [join(folder, 'pipe')]);
    await symlink(join(folder, 'pipe'), path);
  },
  'a symbolic link to itself': (path) => symlink(path, path),
};

async function put(kind: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await kinds[kind]?.(path);
  expect((await lstat(path)).isFile()).toBe(false);
}

/** Within the time of a test, without a stack, and with the victim as it was. */
async function run(args: readonly string[]): Promise<RunOutcome> {
  const outcome = await runProgram(args, { env: homeEnvironment(folder) });
  expect(outcome.stderr).not.toMatch(/\n\s+at /);
  expect(await readFile(victim, 'utf8')).toBe('untouched\n');
  expect((await stat(victim)).mode & 0o777).toBe(0o644);
  return outcome;
}

describe.runIf(process.platform !== 'win32').each(Object.keys(kinds))('%s', (kind) => {
  const kindName = kind.replace(/ to .*/, '');

  it.each(['store.db', 'writes.jsonl', 'writes-2026-11-20.jsonl'])(
    'as %s: history names it',
    async (name) => {
      const state = join(folder, 'state');
      await put(kind, join(state, name));
      const { code, stderr } = await run(['history', '--state-dir', state]);
      expect(code).toBe(2);
      expect(stderr).toContain(join(state, name));
      // Sockets are told by the system as what cannot be opened.
      expect(stderr).toMatch(new RegExp(`${kindName}|socket`));
      expect(stderr).toContain('Move it away');
    },
  );

  it(
    'as store.db: no write is sent, and the reason is told',
    async () => {
      const state = join(folder, 'state');
      await put(kind, join(state, 'sandbox', 'store.db'));
      const session = await connect({
        args: ['--sandbox', '--writes=allow', '--state-dir', state],
        env: homeEnvironment(folder),
      });
      try {
        const answer = await session.call('update_supply_source', {
          supplySourceId: '3f0c9e52-7a41-4d0b-9c86-5b1e2a7d4f10',
          alias: 'New name',
        });
        expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('No write is sent') });
        expect(answer.text).toContain('store.db is ');
      } finally {
        await session.close();
      }
      expect(await readFile(victim, 'utf8')).toBe('untouched\n');
      expect((await stat(victim)).mode & 0o777).toBe(0o644);
      expect(await readdir(folder)).not.toContain('nowhere');
    },
    BOUND_MS,
  );

  it('as a definition that was added: list names it as damaged', async () => {
    await put(kind, join(folder, 'share', 'seller-commerce-mcp', 'definitions', 'odd.json'));
    const { code, stderr } = await run(['definitions', 'list']);
    expect(code).toBe(0);
    expect(stderr).toContain('odd is left out');
  });

  it.each(['install', 'uninstall'])(
    "as a host's configuration: %s follows links to files only",
    async (command) => {
      const file = join(folder, '.cursor', 'mcp.json');
      await put(kind, file);
      const { code, stdout, stderr } = await runProgram([command, 'cursor', '--yes'], {
        env: homeEnvironment(folder),
      });
      expect(stderr).not.toMatch(/\n\s+at /);
      // People keep these in another folder and link to them: that is theirs to say, and what is no file is refused.
      const leadsToFile = ['a symbolic link', 'a symbolic link to nothing'].includes(kind);
      if (!leadsToFile) {
        expect(code).toBe(2);
        expect(stderr).toContain('could not be ');
      }
      expect(stdout).not.toContain('undefined');
    },
  );

  // Two of them, since each waits for some seconds; test/program/hosts/lock.test.ts has the others.
  if (!['a named pipe', 'a folder'].includes(kind)) return;
  it('as the lock of a configuration: install says which and ends', async () => {
    const file = join(folder, '.cursor', 'mcp.json');
    await put(kind, `${file}.lock`);
    // A folder of just now is another program's; the rest is left over from nobody knows when.
    if (kind === 'a folder') await writeFile(join(`${file}.lock`, 'note'), '');
    if (kind === 'a folder') await utimes(`${file}.lock`, 0, 0);
    const { code, stderr } = await run(['install', 'cursor', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain(`${file}.lock`);
    expect(await readdir(dirname(file))).toEqual(['mcp.json.lock']);
  });
});

describe('a home that cannot be written', () => {
  it.each([
    ['history', 0, /No writes are recorded|cannot be read/],
    ['definitions add FILE', 2, /Definitions cannot be kept in .*--data-dir/s],
    ['definitions list', 0, /No definitions/],
    ['install cursor --yes', 2, /could not be (read|created|written)/],
    ['status', 1, /Journal/],
  ])('%s says what cannot be kept, without a stack', async (command, code, words) => {
    // A file where the home should be: nobody can write below it, not even root.
    const home = join(folder, 'no-home');
    await writeFile(home, '');
    const definition = join(folder, 'shop.json');
    await writeFile(definition, DEFINITION);
    const outcome = await runProgram(
      command.split(' ').map((word) => (word === 'FILE' ? definition : word)),
      { env: homeEnvironment(home) },
    );
    expect(outcome.stderr).not.toMatch(/\n\s+at /);
    expect(`${outcome.stdout}${outcome.stderr}`).toMatch(words);
    if (command !== 'history') expect(outcome.code).toBe(code);
  });
});

it(
  'journal files of any bytes are read to their end',
  async () => {
    const state = join(folder, 'state');
    await mkdir(state);
    const files = fc.sample(
      fc.oneof(
        fc.uint8Array({ maxLength: 5_000 }).map((bytes) => Buffer.from(bytes)),
        fc.array(fc.json(), { maxLength: 20 }).map((lines) => Buffer.from(lines.join('\n'))),
        fc
          .record({
            kind: fc.constantFrom('intent', 'outcome', 'refusal'),
            id: fc.string(),
            time: fc.string(),
          })
          .map((line) => Buffer.from(`{ "v":1,${JSON.stringify(line).slice(1)}\n`)),
      ),
      { seed: SEED, numRuns: 200 },
    );
    for (const [at, bytes] of files.entries()) await writeFile(join(state, `writes-${at}.jsonl`), bytes);
    await writeFile(join(state, 'writes.jsonl'), `${'['.repeat(5_000_000)}\n${'{ "v":1,'.repeat(200_000)}`);
    const { code, stdout } = await run(['history', '--json', '--limit', 'all', '--state-dir', state]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ entries: expect.any(Array) });
  },
  BOUND_MS,
);

const DEFINITION = JSON.stringify({
  swagger: '2.0',
  info: { title: 'Shop', version: 'v1' },
  paths: {
    '/shop/v1/things': { get: { operationId: 'getThings', responses: { 200: { description: 'Things' } } } },
  },
});
