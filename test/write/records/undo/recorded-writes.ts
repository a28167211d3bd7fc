/** Reads the files of a folder, byte for byte. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export async function bytesOf(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')));
  return files.join('');
}
