/** Which files of the built program a desktop needs: all but what only a server for many people loads. */

import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

/** Where the program begins, and the threads that it starts. */
const STARTS = ['main.mjs', 'tables-worker.mjs', 'content-worker.mjs'];
const CHUNK = /["'](\.{1,2}\/[\w./-]+\.mjs)["']/g;
/** What begins there is for servers; what it shares with the rest is reached by another way too. */
const SERVER = /(?:^|\/)serve-http-[^/]+\.mjs$/;

/** @returns relative paths of all chunks of the folder that are loaded without it */
export async function findDesktopChunks(folder: string): Promise<Set<string>> {
  const found = new Set(STARTS);
  for (const file of found) {
    const text = await readFile(join(folder, file), 'utf8');
    for (const [, named = ''] of text.matchAll(CHUNK)) {
      const path = posix.join(posix.dirname(file), named);
      if (!SERVER.test(path)) found.add(path);
    }
  }
  return found;
}
