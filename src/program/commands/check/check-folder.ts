/** Checks for `status` whether the journal's folder is writable. */

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../../../base/errors.ts';
import { type Check, ok, problem } from './check.ts';

/**
 * Checks the folder without creating it: if it does not exist, its nearest existing parent must be writable.
 */
export async function checkFolder(name: string, folder: string): Promise<Check> {
  const nearest = await nearestExisting(folder);
  try {
    if (nearest === folder) await tryWriting(folder);
    else await access(nearest, constants.W_OK | constants.X_OK);
    return ok(name, nearest === folder ? `${folder} can be written` : `${folder} can be created`);
  } catch (error) {
    const code = codeOf(error) || 'unknown';
    return problem(
      name,
      `${folder} cannot be written (${code})`,
      'Give yourself the right to write there, or choose another folder with --state-dir.',
    );
  }
}

async function tryWriting(folder: string): Promise<void> {
  const file = join(folder, `.status-${randomUUID()}`);
  await writeFile(file, '', { flag: 'wx' });
  await rm(file, { force: true });
}

async function nearestExisting(folder: string): Promise<string> {
  let at = folder;
  while (dirname(at) !== at && !(await exists(at))) at = dirname(at);
  return at;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    // A file at the folder's path (ENOTDIR) does not count as the folder.
    () => false,
  );
}
