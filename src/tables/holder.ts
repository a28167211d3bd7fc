/** Keeps tables with personal data for as long as this process runs, unless the person said for how long they are kept. */

import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { type CollectionFolder, HOLDERS } from './folder.ts';
import type { CollectionInfo } from './types.ts';

export interface Holder {
  /** For a new collection with personal data. */
  endOfPersonal(): Promise<NonNullable<CollectionInfo['ends']>>;
  /** Removes what ends with this process. */
  close(): Promise<void>;
}

/** @param keepHours as the person set it */
export function createHolder(folder: CollectionFolder, keepHours: number | undefined): Holder {
  let own: Promise<string> | undefined;
  return {
    async endOfPersonal() {
      if (keepHours !== undefined) return { hours: keepHours };
      own ??= folder.makeOwn(HOLDERS).catch((error: unknown) => {
        own = undefined;
        throw error;
      });
      return { process: basename(await own) };
    },
    async close() {
      const path = await own?.catch(() => undefined);
      if (path === undefined) return;
      const name = basename(path);
      const held = (await folder.list()).filter(
        ({ ends }) => ends !== undefined && 'process' in ends && ends.process === name,
      );
      for (const { id } of held) await folder.remove(id);
      await rm(path, { recursive: true, force: true });
    },
  };
}
