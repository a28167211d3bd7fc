/** Finds, lists and removes the folders of all accounts on this computer, one for each account and owner. */

import { createHash } from 'node:crypto';
import { readdir, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../base/config.ts';
import { findDataFolder } from '../../store/state-folder.ts';
import { endOf, type FolderOptions, HOLDERS, LOADING, openFolder, READERS } from './collection-folder.ts';
import type { CollectionInfo } from './table-types.ts';

/** The folder of collections from the embedded sandbox, which belong to no shop. */
const SANDBOX_FOLDER = 'tables-sandbox';
const FOLDER = 'tables';

/** Returns an absolute path; nothing is created. */
export async function findTablesFolder(
  config: Partial<Pick<Config, 'dataDir' | 'sandbox'>>,
): Promise<string> {
  const folder = config.sandbox === true ? SANDBOX_FOLDER : FOLDER;
  return join(await findDataFolder(config), folder);
}

/** Finds the folder in which earlier versions stored the data for comparisons, beside the tables. */
export async function findOldSnapshotsFolder(
  config: Partial<Pick<Config, 'dataDir' | 'sandbox'>>,
): Promise<string> {
  return join(await findDataFolder(config), config.sandbox === true ? 'snapshots-sandbox' : 'snapshots');
}

/** @param owner parts that distinguish owners of the same account name; the result reveals none of them */
export function accountDigest(account: string, owner: readonly (string | undefined)[]): string {
  const hash = createHash('sha256').update(JSON.stringify([account, ...owner]));
  return `${account.replace(/[^\w.@-]/g, '_')}-${hash.digest('hex').slice(0, 8)}`;
}

export interface StoredCollection {
  /** The folder of its account. */
  folder: string;
  info: CollectionInfo;
}

type RetentionOptions = Omit<FolderOptions, 'path'>;

/**
 * Lists collections, newest first within each account, and removes expired ones and leftovers.
 * @param folder the folder of all accounts
 */
export async function listStored(folder: string, keeping: RetentionOptions): Promise<StoredCollection[]> {
  const names = await readdir(folder).catch(() => []);
  const kept: StoredCollection[] = [];
  for (const name of names.sort()) {
    const path = join(folder, name);
    const account = openFolder({ path, ...keeping });
    await account.removeLeftovers();
    for (const info of await account.list()) {
      kept.push({ folder: path, info: { ...info, until: endOf(info, keeping.keepHours) } });
    }
  }
  return kept;
}

/** A folder without any change for this long is not about to be used. */
const UNUSED_MS = 60_000;

/**
 * Removes expired collections of all accounts, and folders with nothing left: an account that was deleted, or
 * became another seller's, never removes its own.
 * @param folder the folder of all accounts
 */
export async function removeExpired(folder: string, keeping: RetentionOptions): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const unused = await unusedMs(path, keeping.now());
    const account = openFolder({ path, ...keeping });
    await account.removeLeftovers();
    const kept = await account.list();
    if (kept.length === 0 && unused > UNUSED_MS) await removeEmpty(path);
  }
}

async function unusedMs(path: string, now: number): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? 0 : now - found.mtimeMs;
}

/** Removes the folder if it is empty, but not with data that another process is about to load. */
async function removeEmpty(path: string): Promise<void> {
  for (const inner of [LOADING, READERS, HOLDERS]) await rmdir(join(path, inner)).catch(() => undefined);
  await rmdir(path).catch(() => undefined);
}

export async function removeStored({ folder, info }: StoredCollection): Promise<void> {
  await openFolder({ path: folder, now: Date.now, keepHours: 1 }).remove(info.id);
}
