/** The short bench: what it compares with, and what it says loudly. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findEarlier } from '../../../scripts/bench/earlier.ts';
import { loudLines } from '../../../scripts/bench/short.ts';
import { exactly } from '../../../scripts/bench/statistics.ts';
import { runQuietly } from '../../../scripts/process/run.ts';

let folder: string;
const git = (...args: string[]) =>
  runQuietly('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder });
const commit = (words: string) => git('commit', '--quiet', '--allow-empty', '--message', words);
const nameOf = async (at: string) => (await git('rev-parse', at)).stdout.trim();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'history-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('compares with so many commits before, or with the oldest that is there', async () => {
  expect(await findEarlier(2, folder)).toContain('No history');
  await git('init', '--quiet');
  await commit('one');
  expect(await findEarlier(2, folder)).toContain('one commit');
  for (const words of ['two', 'three', 'four']) await commit(words);
  expect(await findEarlier(2, folder)).toEqual({ commit: await nameOf('HEAD~2'), before: 2 });
  expect(await findEarlier(20, folder)).toEqual({ commit: await nameOf('HEAD~3'), before: 3 });
});

it('tells loudly what takes more than 1.3 times as long, and nothing else', () => {
  const row = (measure: string, ratio?: number) => ({
    point: 0,
    measure,
    program: 'ours',
    value: exactly(1),
    unit: 'ms',
    ...(ratio === undefined ? {} : { ratio: { to: '20 commits before', value: exactly(ratio) } }),
  });
  expect(loudLines([row('before'), row('a start', 1.29), row('a call', 3)])).toEqual([
    'DEARER: a call: 3.00 times 20 commits before',
  ]);
});
