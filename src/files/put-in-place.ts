/** Gives a file that is whole its name: one that is free, also when several processes take names at the same time. */

import { link, lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { ConfigError, InputError } from '../errors.ts';
import { quoteText } from '../text/escape-text.ts';
import { splitEnding } from './endings.ts';
import { MAX_SAME_NAMES } from './limits.ts';
import { foldName } from './names.ts';
import type { Place } from './place.ts';
import type { Part } from './write-part.ts';

/** What file systems without hard links say: FAT, some network shares; on Windows the first. */
const NO_LINKS = new Set(['EISDIR', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/**
 * Moves `part` to `wanted`, or to the first free `wanted (2)`.
 * @returns the name that it has now
 * @throws InputError when all numbers are taken, ConfigError when the folder is another one by now
 */
export async function putInPlace(place: Place, part: Part, wanted: string): Promise<string> {
  await place.verify();
  const taken = new Set((await readdir(place.at('.'))).map(foldName));
  for (let number = 1; number <= MAX_SAME_NAMES; number += 1) {
    const name = numbered(wanted, number);
    if (taken.has(foldName(name)) || !(await take(place, part.name, name))) continue;
    try {
      const put = await lstat(place.at(name));
      if (put.ino !== part.ino || !put.isFile()) throw disturbed(place, name);
      await place.verify();
      return name;
    } catch (error) {
      await rm(place.at(name), { force: true });
      throw error;
    }
  }
  throw new InputError(
    `${MAX_SAME_NAMES} files are called ${quoteText(wanted)}, or that with a number; nothing was saved.`,
    'Give another name.',
  );
}

function numbered(name: string, number: number): string {
  const { base, ending } = splitEnding(name);
  return number === 1 ? name : `${base} (${number})${ending}`;
}

/** False where the name is taken. Nothing that is there is ever replaced. */
async function take(place: Place, part: string, name: string): Promise<boolean> {
  try {
    await link(place.at(part), place.at(name));
    await rm(place.at(part));
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.has(code)) throw error;
    return takeByRename(place, part, name);
  }
}

/** The name is made first, empty, which only one can do. */
async function takeByRename(place: Place, part: string, name: string): Promise<boolean> {
  try {
    await (await open(place.at(name), 'wx', 0o600)).close();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  try {
    await rename(place.at(part), place.at(name));
  } catch (error) {
    await rm(place.at(name), { force: true });
    throw error;
  }
  return true;
}

/** Somebody else, who may write to the folder, has put something in the place of the file. */
function disturbed(place: Place, name: string): ConfigError {
  return new ConfigError(
    `In the folder of files, ${quoteText(place.path)}, something else took the place of ${quoteText(name)} while it was saved.`,
    'Let nobody else write to that folder, or name another one with --files-dir (SELLER_FILES_DIR).',
  );
}
