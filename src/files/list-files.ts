/** Lists the files of the folder: those that could be opened, newest first. */

import { lstat, readdir } from 'node:fs/promises';
import { MAX_LISTED } from './limits.ts';
import { isPlainName } from './names.ts';
import type { Place } from './place.ts';
import type { ListedFile } from './types.ts';

/** Looked at side by side. */
const AT_ONCE = 64;

export async function listFiles(place: Place): Promise<ListedFile[]> {
  const entries = await readdir(place.at('.'), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && isPlainName(entry.name)).map(({ name }) => name);
  const files: ListedFile[] = [];
  for (let from = 0; from < names.length; from += AT_ONCE) {
    const looked = await Promise.all(names.slice(from, from + AT_ONCE).map((name) => look(place, name)));
    files.push(...looked.filter((file) => file !== undefined));
  }
  return files
    .sort((one, other) => other.modified - one.modified || one.name.localeCompare(other.name))
    .slice(0, MAX_LISTED);
}

async function look(place: Place, name: string): Promise<ListedFile | undefined> {
  const found = await lstat(place.at(name)).catch(() => undefined);
  return found?.isFile() === true ? { name, bytes: found.size, modified: found.mtimeMs } : undefined;
}
