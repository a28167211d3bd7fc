/** Locates the folders of the journal and the data: the setting, or the system's folder for either. */

import { join, resolve } from 'node:path';
import type { Config } from '../base/config.ts';

/** The folder for writes to the embedded sandbox, which are not real. */
const SANDBOX_FOLDER = 'sandbox';

/**
 * Returns the absolute path without creating anything. Linux: ~/.local/state, macOS: ~/Library/Logs, Windows:
 * %LOCALAPPDATA%\...\Log. With `sandbox` it is a subfolder, so that the journal has real writes only.
 */
export async function findStateFolder(
  config: Partial<Pick<Config, 'stateDir' | 'sandbox'>>,
): Promise<string> {
  const folder = await findBaseFolder(config.stateDir, 'log');
  return config.sandbox === true ? join(folder, SANDBOX_FOLDER) : folder;
}

/** Returns the same for data: ~/.local/share, ~/Library/Application Support, %LOCALAPPDATA%. */
export function findDataFolder(config: Pick<Config, 'dataDir'>): Promise<string> {
  return findBaseFolder(config.dataDir, 'data');
}

async function findBaseFolder(setting: string | undefined, kind: 'data' | 'log'): Promise<string> {
  if (setting !== undefined) return resolve(setting);
  const { default: envPaths } = await import('env-paths');
  return envPaths('seller-commerce-mcp', { suffix: '' })[kind];
}
