/** Which files of the built program a desktop needs: all but what only a server for many people loads. */

import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

/** The entry of the program, and those of its threads. */
const STARTS = ['main.mjs', 'tables-worker.mjs', 'content-worker.mjs'];
const CHUNK = /["'](\.{1,2}\/[\w./-]+\.mjs)["']/g;
/** The entry of the server, which a desktop bundle leaves out. Modules that it shares are reached from other entries too. */
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
