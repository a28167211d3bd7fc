/** Keeps tables with personal data for as long as a process runs that has collected or found them, unless the person said for how long they are kept. */

import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type CollectionFolder, HOLDERS } from './folder.ts';
import { withNamesLock } from './names-lock.ts';
import type { CollectionInfo } from './types.ts';

export interface Holder {
  /** For a new collection with personal data. */
  endOfPersonal(): Promise<NonNullable<CollectionInfo['ends']>>;
  /** Those that are there: what would end with another process stays from now on while this one runs. */
  list(): Promise<CollectionInfo[]>;
  /** Removes what ends with this process, and is held by no other. */
  close(): Promise<void>;
}

/** @param keepHours as the person set it */
export function createHolder(folder: CollectionFolder, keepHours: number | undefined): Holder {
  let own: Promise<string> | undefined;
  const held = new Set<string>();
  const findOwn = () => {
    own ??= folder.makeOwn(HOLDERS).catch((error: unknown) => {
      own = undefined;
      throw error;
    });
    return own;
  };
  const isOthers = ({ ends }: CollectionInfo, path: string | undefined) =>
    ends !== undefined && 'process' in ends && (path === undefined || ends.process !== basename(path));
  return {
    async endOfPersonal() {
      if (keepHours !== undefined) return { hours: keepHours };
      return { process: basename(await findOwn()) };
    },
    async list() {
      const path = await own?.catch(() => undefined);
      const isNew = (info: CollectionInfo) => isOthers(info, path) && !held.has(info.id);
      const found = await folder.list();
      if (!found.some(isNew)) return found;
      // Under the lock no other process ends meanwhile, and takes with it what is held here a moment later.
      await withNamesLock(folder.path, async () => {
        for (const { id } of (await folder.list()).filter(isNew)) {
          await writeFile(join(await findOwn(), id), '', { mode: 0o600 });
          held.add(id);
        }
      });
      return folder.list();
    },
    async close() {
      const path = await own?.catch(() => undefined);
      if (path === undefined) return;
      await withNamesLock(folder.path, async () => {
        await rm(path, { recursive: true, force: true });
        // What nobody holds any more goes at a look.
        await folder.list();
      });
    },
  };
}
