/**
 * Creates a folder and its parents. It fails where Node's own recursive mkdir may never return (in /proc, for
 * example).
 */

import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../base/errors.ts';

/**
 * Creates the folder. An existing folder, or a link to one, stays unchanged.
 * @throws the system's error (EACCES, ENOTDIR, EROFS ...)
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST' && (await isFolder(path))) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path), mode);
    await mkdir(path, { mode }).catch(async (again: unknown) => {
      // Another process may have created it first.
      if (!(await isFolder(path))) throw again;
    });
  }
}

/** Returns true for a folder or a link to one; false when it cannot be read. */
export function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** Makes a new file's name durable; systems that cannot open folders do so themselves. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
