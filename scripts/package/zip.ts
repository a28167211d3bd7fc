/** Makes a zip that is byte for byte the same wherever and whenever it is made from the same files, and unpacks one. */

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { unzipSync, zipSync } from 'fflate';

/** The earliest time that a zip can record, in local time as zips use it; files that everyone may read. */
const ALWAYS = { mtime: new Date(1980, 0, 1), os: 3, attrs: (0o100644 << 16) >>> 0, level: 9 } as const;

/** Zips every file in `folder`, in order of name. */
export async function zipFolder(folder: string, file: string): Promise<void> {
  const names = await listFiles(folder);
  const read = names.map(async (name) => [name, await readFile(join(folder, name))] as const);
  await writeFile(file, zipSync(Object.fromEntries(await Promise.all(read)), ALWAYS));
}

export async function unzip(file: string, folder: string): Promise<void> {
  for (const [name, content] of Object.entries(unzipSync(await readFile(file)))) {
    const target = join(folder, name);
    if (relative(folder, target).startsWith('..')) throw new Error(`${name} leaves the folder`);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
}

/** Paths relative to the folder, with `/` on every system, sorted by code point. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}
