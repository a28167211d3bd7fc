/** Where added definitions live: in the data folder. */

import { join } from 'node:path';
import type { Config } from '../../base/config.ts';
import { findDataFolder } from '../../disk/state-folder.ts';

/** Absolute path; nothing is created. */
export async function findDefinitionsFolder(config: Pick<Config, 'dataDir'>): Promise<string> {
  return join(await findDataFolder(config), 'definitions');
}
