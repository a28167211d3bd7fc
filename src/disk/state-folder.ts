/** Where the journal and the data live: the setting, or the folder of the system for either. */

import { join, resolve } from 'node:path';
import type { Config } from '../base/config.ts';

/** Of writes to the embedded sandbox, which never happened in any shop. */
const SANDBOX_FOLDER = 'sandbox';

/**
 * Absolute path; nothing is created. Linux: ~/.local/state, macOS: ~/Library/Logs, Windows: %LOCALAPPDATA%\...\Log.
 * With `sandbox` a folder inside it, so that the journal holds real writes only.
 */
export async function findStateFolder(
  config: Partial<Pick<Config, 'stateDir' | 'sandbox'>>,
): Promise<string> {
  const folder = await findBaseFolder(config.stateDir, 'log');
  return config.sandbox === true ? join(folder, SANDBOX_FOLDER) : folder;
}

/** The same for data: ~/.local/share, ~/Library/Application Support, %LOCALAPPDATA%. */
export function findDataFolder(config: Pick<Config, 'dataDir'>): Promise<string> {
  return findBaseFolder(config.dataDir, 'data');
}

async function findBaseFolder(setting: string | undefined, kind: 'data' | 'log'): Promise<string> {
  if (setting !== undefined) return resolve(setting);
  const { default: envPaths } = await import('env-paths');
  return envPaths('seller-commerce-mcp', { suffix: '' })[kind];
}
