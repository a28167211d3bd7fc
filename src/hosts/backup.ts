/** Copies of a configuration as it was, a few of them. */

import { constants } from 'node:fs';
import { copyFile, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf, readable } from './file-errors.ts';

const keptBackups = 3;

/**
 * Copies the file to `<file>.<time>.bak` with its mode, and removes all but the newest three such copies.
 * @returns the copy, or undefined when there was no file.
 */
export async function backUp(file: string, now: Date): Promise<string | undefined> {
  for (let time = now.getTime(); ; time++) {
    const copy = `${file}.${new Date(time).toISOString().replace(/[:.]/g, '-')}.bak`;
    try {
      await copyFile(file, copy, constants.COPYFILE_EXCL);
      await dropOldBackups(file);
      return copy;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      if (codeOf(error) !== 'EEXIST') throw readable(error, copy, 'written');
    }
  }
}

async function dropOldBackups(file: string): Promise<void> {
  const prefix = `${basename(file)}.`;
  const names = (await readdir(dirname(file))).filter(
    (name) =>
      name.startsWith(prefix) &&
      /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.bak$/.test(name.slice(prefix.length)),
  );
  const old = names.sort().slice(0, -keptBackups);
  await Promise.all(old.map((name) => rm(join(dirname(file), name), { force: true })));
}
