/** The collections of all accounts on this computer, for whoever lists and removes them. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openFolder } from './folder.ts';
import type { CollectionInfo } from './types.ts';

export interface KeptCollection {
  /** Of its account. */
  folder: string;
  info: CollectionInfo;
}

interface Keeping {
  now(): number;
  keepHours: number;
}

/** Newest first within each account; expired ones and leftovers are removed. @param folder of all accounts */
export async function listKept(folder: string, keeping: Keeping): Promise<KeptCollection[]> {
  const names = await readdir(folder).catch(() => []);
  const kept: KeptCollection[] = [];
  for (const name of names.sort()) {
    const path = join(folder, name);
    const account = openFolder({ path, ...keeping });
    await account.removeLeftovers();
    for (const info of await account.list()) kept.push({ folder: path, info });
  }
  return kept;
}

export async function removeKept({ folder, info }: KeptCollection): Promise<void> {
  await openFolder({ path: folder, now: Date.now, keepHours: 1 }).remove(info.id);
}
