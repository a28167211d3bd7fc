/** Several processes and kills at any moment: no line is lost, none is torn, none swallows another. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readJournal } from '../../../../src/write/keep/journal/read-journal.ts';
import { RUNS_ALL } from '../../../helpers/launch.ts';
import { buildWriter, createFolder, openJournal, startWriter } from './helpers.ts';

const tools = mkdtempSync(join(tmpdir(), 'journal-writer-'));
let writer = '';
beforeAll(async () => {
  writer = await buildWriter(tools);
});
afterAll(() => rmSync(tools, { recursive: true, force: true }));

const run = (folder: string, name: string, writes: number, maxFileBytes: number) =>
  startWriter([process.execPath, writer, folder, name, String(writes), String(maxFileBytes)]);

const picks = (said: readonly string[], word: string) =>
  said.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

describe('four processes writing at once', () => {
  it.each([
    ['into one file', RUNS_ALL ? 500 : 100, 1_000_000_000, 1],
    ['while the file is put aside again and again', RUNS_ALL ? 200 : 100, 50_000, 3],
  ])('lose none and tear none, %s', async (_name, writes, maxFileBytes, leastFiles) => {
    const folder = await createFolder();
    const writers = ['a', 'b', 'c', 'd'].map((name) => run(folder, name, writes, maxFileBytes));
    const said = await Promise.all(writers.map(({ ended }) => ended));
    expect(said.map((lines) => lines.at(-1))).toEqual(['finished', 'finished', 'finished', 'finished']);

    const { entries, damagedLines } = await readJournal({ folder });
    expect(damagedLines).toBe(0);
    expect(new Set(entries.map(({ id }) => id))).toEqual(
      new Set(said.flatMap((lines) => picks(lines, 'ended'))),
    );
    expect(entries.filter(({ outcome, status }) => outcome === 'done' && status === 204)).toHaveLength(
      4 * writes,
    );

    const files = (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8'));
    expect(files.length).toBeGreaterThanOrEqual(leastFiles);
    const lines = (await Promise.all(files)).flatMap((text) =>
      text.split('\n').filter((line) => line !== ''),
    );
    expect(lines).toHaveLength(8 * writes);
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  });
});

const KILLS = RUNS_ALL ? 24 : 4;

describe('processes killed at random', () => {
  it('lose at most the line being written each time', async () => {
    const folder = await createFolder();
    const begun: string[] = [];
    const ended: string[] = [];
    let kills = 0;
    const killOne = async (name: string) => {
      const process = run(folder, name, 1_000_000, 300_000);
      await process.started;
      await sleep(Math.random() * 60);
      process.child.kill('SIGKILL');
      const said = await process.ended;
      kills += 1;
      begun.push(...picks(said, 'begun'));
      ended.push(...picks(said, 'ended'));
    };
    const killAll = async (name: string) => {
      for (let time = 0; time < KILLS / 2; time++) await killOne(`${name}${time}`);
    };
    await Promise.all([killAll('a'), killAll('b')]);

    const { entries, damagedLines } = await readJournal({ folder });
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    expect(kills).toBe(KILLS);
    expect(begun.length).toBeGreaterThan(KILLS);
    expect(begun.filter((id) => !byId.has(id))).toEqual([]);
    expect(ended.filter((id) => byId.get(id)?.outcome !== 'done')).toEqual([]);
    // Beyond what was acknowledged, one line per kill may be whole, or half there and never shown.
    expect(entries.length - begun.length + damagedLines).toBeLessThanOrEqual(KILLS);
    expect(entries.filter(({ outcome }) => outcome === 'unknown').length).toBeLessThanOrEqual(KILLS);
  });
});

// The limit on the size of a file plays the full disk; a shell without `ulimit -f` (Windows) cannot set it.
const hasFileSizeLimit = spawnSync('bash', ['-c', 'ulimit -f 8']).status === 0;
if (!hasFileSizeLimit)
  process.stderr.write('Skipped: the journal on a full disk (no shell with ulimit -f)\n');

// Skipped where no shell limits the size of a file: it plays the full disk.
describe.skipIf(!hasFileSizeLimit)('a disk that takes only half of a line (a shell with ulimit -f)', () => {
  it('refuses the write, says so, and harms no other line', async () => {
    const folder = await createFolder();
    // The system itself cuts the write at 8 KiB, inside the writer's first long line.
    const command = ['bash', '-c', 'ulimit -f 8; exec "$0" "$@"', process.execPath, writer];
    const limited = startWriter([...command, folder, 'a', '8', '1000000000']);
    const said = await limited.ended;
    expect(picks(said, 'refused').join()).toMatch(
      /ConfigError: The journal of writes in .* cannot be written: /,
    );

    expect(picks(said, 'begun')).toHaveLength(4);
    const { journal } = openJournal(folder);
    const id = await journal.begin({ account: 'later', operation: 'Group/write', parameters: {} });
    const { entries, damagedLines } = await readJournal({ folder });
    expect(damagedLines).toBe(1);
    expect(new Set(entries.map((entry) => entry.id))).toEqual(new Set([...picks(said, 'begun'), id]));
  });
});
