/** Several processes and kills at any moment: no record is lost. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUNS_ALL } from '../../../helpers/launch.ts';
import { buildWriter, createFolder, openJournal, readEntries, startWriter } from './helpers.ts';

const tools = mkdtempSync(join(tmpdir(), 'journal-writer-'));
let writer = '';
beforeAll(async () => {
  writer = await buildWriter(tools);
});
afterAll(() => rmSync(tools, { recursive: true, force: true }));

const run = (folder: string, name: string, writes: number) =>
  startWriter([process.execPath, writer, folder, name, String(writes)]);

const picks = (output: readonly string[], word: string) =>
  output.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

describe('four processes writing at once', () => {
  it('lose none', async () => {
    const writes = RUNS_ALL ? 500 : 100;
    const folder = await createFolder();
    const writers = ['a', 'b', 'c', 'd'].map((name) => run(folder, name, writes));
    const output = await Promise.all(writers.map(({ ended }) => ended));
    expect(output.map((lines) => lines.at(-1))).toEqual(['finished', 'finished', 'finished', 'finished']);

    const entries = await readEntries(folder);
    expect(new Set(entries.map(({ id }) => id))).toEqual(
      new Set(output.flatMap((lines) => picks(lines, 'ended'))),
    );
    expect(entries.filter(({ outcome, status }) => outcome === 'done' && status === 204)).toHaveLength(
      4 * writes,
    );
  });
});

const KILLS = RUNS_ALL ? 24 : 4;

describe('processes killed at random', () => {
  it('lose at most the record being written each time', async () => {
    const folder = await createFolder();
    const begun: string[] = [];
    const ended: string[] = [];
    let kills = 0;
    const killOne = async (name: string) => {
      const process = run(folder, name, 1_000_000);
      await process.started;
      await sleep(Math.random() * 60);
      process.child.kill('SIGKILL');
      const output = await process.ended;
      kills += 1;
      begun.push(...picks(output, 'begun'));
      ended.push(...picks(output, 'ended'));
    };
    const killAll = async (name: string) => {
      for (let time = 0; time < KILLS / 2; time++) await killOne(`${name}${time}`);
    };
    await Promise.all([killAll('a'), killAll('b')]);

    const entries = await readEntries(folder);
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    expect(kills).toBe(KILLS);
    expect(begun.length).toBeGreaterThan(KILLS);
    expect(begun.filter((id) => !byId.has(id))).toEqual([]);
    expect(ended.filter((id) => byId.get(id)?.outcome !== 'done')).toEqual([]);
    // Beyond what was acknowledged, one record per kill may be there.
    expect(entries.length - begun.length).toBeLessThanOrEqual(KILLS);
    expect(entries.filter(({ outcome }) => outcome === 'unknown').length).toBeLessThanOrEqual(KILLS);
  });
});

// The limit on the size of a file plays the full disk; a shell without `ulimit -f` (Windows) cannot set it.
const hasFileSizeLimit = spawnSync('bash', ['-c', 'ulimit -f 8']).status === 0;
if (!hasFileSizeLimit)
  process.stderr.write('Skipped: the journal on a full disk (no shell with ulimit -f)\n');

// Skipped where no shell limits the size of a file: it plays the full disk.
describe.skipIf(!hasFileSizeLimit)('a disk that takes no more (a shell with ulimit -f)', () => {
  it('refuses the write, says so, and harms no other record', async () => {
    const folder = await createFolder();
    // Room for the tables and some writes.
    const command = ['bash', '-c', 'ulimit -f 240; exec "$0" "$@"', process.execPath, writer];
    const limited = startWriter([...command, folder, 'a', '60']);
    const output = await limited.ended;
    expect(picks(output, 'refused').join()).toMatch(
      /ConfigError: The journal of writes in .* cannot be written: /,
    );

    const begun = picks(output, 'begun');
    expect(begun.length).toBeGreaterThan(4);
    const { journal } = openJournal(folder);
    const id = await journal.begin({ account: 'later', operation: 'Group/write', parameters: {} });
    const entries = await readEntries(folder);
    expect(new Set(entries.map((entry) => entry.id))).toEqual(new Set([...begun, id]));
  });
});
