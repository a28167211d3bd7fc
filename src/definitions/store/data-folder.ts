/** Where added definitions live: in the data folder. */

import { join } from 'node:path';
import { findDataFolder } from '../../disk/state-folder.ts';

/** Absolute path; nothing is created. */
export async function findDefinitionsFolder(config: { dataDir?: string | undefined }): Promise<string> {
  return join(await findDataFolder(config), 'definitions');
}
