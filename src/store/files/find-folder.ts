/** Locates the user's files: the setting, or our folder in the system's downloads folder. */

import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config } from '../../base/config.ts';
import { isFolder } from '../make-folder.ts';
import { downloadsFolder, type SystemOfFolders } from './downloads-folder.ts';

/** A name that a seller recognizes. */
const FOLDER = 'Seller commerce';

/** The folder for files of the embedded sandbox, because its invoices must not mix with real ones. */
const SANDBOX_FOLDER = 'Sandbox';

/**
 * Returns the absolute path without creating anything. The default is not the documents folder, because
 * OneDrive and iCloud upload that, and these files can contain personal data of buyers.
 * @param owner a remote user, who has a separate subfolder that no other user's session uses
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

/** The hash distinguishes names that differ only in characters that a folder name cannot have. */
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

/** Expands the tilde, because no shell has processed a host's configuration. */
function withHome(path: string, system: SystemOfFolders): string {
  return /^~(?:[/\\]|$)/.test(path) ? join(homeOf(system), path.slice(1)) : path;
}

function homeOf({ env, platform }: SystemOfFolders): string {
  const home = env[platform === 'win32' ? 'USERPROFILE' : 'HOME'];
  return home === undefined || home === '' ? homedir() : home;
}
