/** Where the files of the person are: the setting, or a folder of ours in the downloads folder of the system. */

import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config } from '../../base/config.ts';
import { isFolder } from '../make-folder.ts';
import { downloadsFolder, type SystemOfFolders } from './downloads-folder.ts';

/** A name that a seller knows again. */
const FOLDER = 'Seller commerce';

/** For files of the embedded sandbox: invoices of no shop do not belong among real ones. */
const SANDBOX_FOLDER = 'Sandbox';

/**
 * Absolute path; nothing is made. The downloads folder rather than that for documents, since OneDrive and iCloud copy
 * the latter to their servers, and these files can hold personal data of buyers.
 * @param owner other than the person at this machine: has a folder below, which nobody else's session uses
 */
export async function findFilesFolder(
  { filesDir, sandbox = false }: Partial<Pick<Config, 'filesDir' | 'sandbox'>>,
  system: SystemOfFolders,
  owner?: { name: string },
): Promise<string> {
  const folder = filesDir === undefined ? await findDefault(system) : resolve(withHome(filesDir, system));
  const below = [...(sandbox ? [SANDBOX_FOLDER] : []), ...(owner === undefined ? [] : [folderOf(owner)])];
  return join(folder, ...below);
}

/** Two names that differ in what a folder cannot be called have folders of their own. */
function folderOf({ name }: { name: string }): string {
  const hash = createHash('sha256').update(name).digest('hex');
  return `${name.replace(/[^\w@-]/g, '_').slice(0, 40)}-${hash.slice(0, 8)}`;
}

async function findDefault(system: SystemOfFolders): Promise<string> {
  const home = homeOf(system);
  const named = await downloadsFolder(system, home);
  for (const folder of [named, join(home, 'Downloads')]) {
    if (folder !== undefined && (await isFolder(folder))) return join(folder, FOLDER);
  }
  return join(home, FOLDER);
}

/** No shell has read what stands in a host's configuration. */
function withHome(path: string, system: SystemOfFolders): string {
  return /^~(?:[/\\]|$)/.test(path) ? join(homeOf(system), path.slice(1)) : path;
}

function homeOf({ env, platform }: SystemOfFolders): string {
  const home = env[platform === 'win32' ? 'USERPROFILE' : 'HOME'];
  return home === undefined || home === '' ? homedir() : home;
}
