/** Builds the program as it was some commits before, into a folder of its own, to be measured beside today's. */

import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { run, runQuietly } from '../process/run.ts';
import type { Program } from './programs.ts';

export interface Earlier {
  program: Program;
  /** `12 commits before (1a2b3c4d5)`. */
  words: string;
}

/**
 * The commit that was there `back` before the last, or the oldest that is known here: a clone can be shallow.
 * @returns a sentence instead, where there is none before the last
 */
export async function findEarlier(
  back: number,
  folder = '.',
): Promise<{ commit: string; before: number } | string> {
  const list = ['rev-list', '--first-parent', `--max-count=${back + 1}`, 'HEAD'];
  const { code, stdout } = await run('git', list, { cwd: folder });
  if (code !== 0) return 'No history is here: nothing to compare with.';
  const commits = stdout.trim().split('\n');
  const before = commits.length - 1;
  const commit = commits[before];
  if (before === 0 || commit === undefined)
    return 'The history here has one commit: nothing to compare with.';
  return { commit, before };
}

/** @param folder empty. @throws Error with what was printed, when it cannot be built with the packages of today */
export async function buildEarlier(commit: string, before: number, folder: string): Promise<Earlier> {
  const archive = join(folder, 'sources.tar');
  await runQuietly('git', ['archive', '--format=tar', `--output=${archive}`, commit]);
  await runQuietly('tar', ['-xf', archive, '-C', folder]);
  await symlink(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  await buildIn(folder);
  const words = `${before} commits before (${commit.slice(0, 9)})`;
  return { program: { name: words, file: join(folder, 'dist/main.mjs') }, words };
}

/** As `npm run build` does, with the scripts that are there. */
export async function buildIn(folder: string): Promise<void> {
  await runQuietly(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { cwd: folder });
}
