/** Makes a folder and those above it; ends wherever that is, which Node's own recursive way does not (in /proc, say). */

import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../base/errors.ts';

/** One that is there stays as it is, and a link to a folder is one. @throws the system's error (EACCES, ENOTDIR, EROFS ...) */
export async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST' && (await isFolder(path))) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path), mode);
    await mkdir(path, { mode }).catch(async (again: unknown) => {
      // Another process may have been faster.
      if (!(await isFolder(path))) throw again;
    });
  }
}

/** Also for a link to one; false for what cannot be looked at. */
export function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** Makes the new file's name durable too; systems that cannot open folders do it themselves. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
