/** Closes a thing at the end of its block, in reverse order: `await using service = closing(await start())`. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The same thing. */
export function closing<T extends { close(): Promise<unknown> }>(thing: T): T & AsyncDisposable {
  return Object.assign(thing, {
    async [Symbol.asyncDispose]() {
      await thing.close();
    },
  });
}

/** A folder of its own, removed with all that is in it. */
export async function tempFolder(prefix: string): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
