/** Locates the added definitions in the data folder. */

import { join } from 'node:path';
import type { Config } from '../../base/config.ts';
import { findDataFolder } from '../../store/state-folder.ts';

/** Returns the absolute path without creating anything. */
export async function findDefinitionsFolder(config: Pick<Config, 'dataDir'>): Promise<string> {
  return join(await findDataFolder(config), 'definitions');
}
