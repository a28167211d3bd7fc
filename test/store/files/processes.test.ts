/** Several processes and one folder of files: names taken at the same time, a process that is killed, disks that are full. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { openFilesFolder } from '../../../src/store/files/files-folder.ts';

const BOUND_MS = 60_000;
const PROGRAM = join(inject('programs'), 'files-process.mjs');

let folder: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-processes-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/**
 * @param options.limit most bytes of one file, in 512 byte blocks
 * @param options.uid another user
 * @param options.disk on a disk of 60 MB in the place of the folder, which nobody else sees
 */
function start(
  task: string,
  value: string,
  { limit, disk = false, uid }: { limit?: number; disk?: boolean; uid?: number } = {},
) {
  const args = [PROGRAM, folder, task, value];
  const before = [
    ...(limit === undefined ? [] : [`ulimit -f ${limit}`]),
    ...(disk ? [`mount -t tmpfs -o size=60m tmpfs '${folder}'`] : []),
  ];
  const inShell = ['sh', '-c', [...before, 'exec "$0" "$@"'].join(' && '), process.execPath, ...args];
  const [command = '', ...rest] = [...(disk ? ['unshare', '-m'] : []), ...inShell];
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid !== undefined && { uid }),
  });
  children.push(child);
  const messages: unknown[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => messages.push(JSON.parse(line)));
  return { child, messages, first: once(lines, 'line'), ended: once(child, 'close') };
}

async function ended(one: ReturnType<typeof start>): Promise<unknown[]> {
  await one.ended;
  return one.messages;
}

it(
  'several that save the same name at the same time each get names of their own, and no file is lost',
  async () => {
    const others = [1, 2, 3].map(() => start('saveMany', 'labels.pdf'));
    await Promise.all(others.map(({ ended }) => ended));
    const names = others.flatMap(({ messages }) => messages);
    expect(names).toHaveLength(60);
    expect(new Set(names).size).toBe(60);
    expect((await readdir(folder)).sort()).toEqual([...names].sort());
    for (const { messages, child } of others) {
      for (const name of messages)
        expect(await readFile(join(folder, String(name)), 'utf8')).toBe(String(child.pid));
    }
  },
  BOUND_MS,
);

it(
  'one that is killed while it writes leaves nothing that is listed, and what it left is removed later',
  async () => {
    const other = start('saveForever', 'labels.pdf');
    await other.first;
    const files = openFilesFolder({ find: async () => folder });
    const [left = '', ...more] = await readdir(folder);
    expect(more).toEqual([]);
    expect(left).toMatch(/^\.seller-commerce-[0-9a-f]{16}\.part$/);
    expect(await files.list()).toEqual([]);
    other.child.kill('SIGKILL');
    await other.ended;
    // It could still be writing, for all that this process knows.
    expect(await files.list()).toEqual([]);
    expect(await readdir(folder)).toEqual([left]);
    const longAgo = new Date(Date.now() - 11 * 60_000);
    await utimes(join(folder, left), longAgo, longAgo);
    expect(await files.list()).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  },
  BOUND_MS,
);

// The limit on the size of a file plays the full disk; a shell without `ulimit -f` (Windows) cannot set it.
const hasFileSizeLimit = spawnSync('sh', ['-c', 'ulimit -f 8']).status === 0;
it.runIf(hasFileSizeLimit)(
  'a file that the system takes no further leaves nothing, and says why',
  async () => {
    expect(await ended(start('saveBytes', '3000000', { limit: 2_000 }))).toEqual([
      [
        'ConfigError',
        `The folder of files, ${JSON.stringify(folder)}, cannot be used: no file this large can be written there.`,
      ],
      [],
    ]);
  },
  BOUND_MS,
);

/** Root may write everywhere, so a child of root becomes nobody. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534 } : {};
const canStart = spawnSync(process.execPath, ['--check', PROGRAM], NOBODY).status === 0;
it.runIf(canStart && process.platform !== 'win32')(
  'a folder that cannot be written is told',
  async () => {
    await chmod(folder, 0o555);
    expect(await ended(start('saveBytes', '10', NOBODY))).toEqual([
      [
        'ConfigError',
        `The folder of files, ${JSON.stringify(folder)}, cannot be used: this program may not use it.`,
      ],
      [],
    ]);
    await chmod(folder, 0o700);
  },
  BOUND_MS,
);

// A small disk of the child's own; only root may mount one, on Linux.
const canMount =
  spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', '-o', 'size=60m', 'tmpfs', tmpdir()]).status === 0;
it.runIf(canMount)(
  'a disk that becomes full while a file is written, or is too full for it, is told, and nothing is left on it',
  async () => {
    const disk = JSON.stringify(folder);
    const small = await ended(start('saveBytes', '70000000', { disk: true }));
    expect(small).toEqual([
      ['ConfigError', `The folder of files, ${disk}, cannot be used: its disk is full.`],
      [],
    ]);
    const known = await ended(start('saveKnownBytes', '40000000', { disk: true }));
    expect(known).toEqual([
      ['ConfigError', expect.stringMatching(/has \d+ bytes left: not enough for a file of 40000000 bytes/)],
      [],
    ]);
  },
  BOUND_MS,
);
