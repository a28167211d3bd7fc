/** Makes a zip that is the same byte for byte wherever and whenever it is made from the same files. */

import { createWriteStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** The first moment that a zip can name. */
const ALWAYS = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true, mode: 0o100644, compressionLevel: 9 };

/** Zips every file of `folder`, in the order of their names. */
export async function zipFolder(folder: string, file: string): Promise<void> {
  const zip = new ZipFile();
  for (const name of await listFiles(folder)) zip.addBuffer(await readFile(join(folder, name)), name, ALWAYS);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
}

/** Paths relative to the folder, with `/` on every system, sorted by code point. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}
