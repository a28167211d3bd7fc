/** Where the journal lives: the setting, or the state folder of the system. */

import { join, resolve } from 'node:path';

/** Of writes to the embedded sandbox, which never happened in any shop. */
const SANDBOX_FOLDER = 'sandbox';

/**
 * Absolute path; nothing is created. Linux: ~/.local/state, macOS: ~/Library/Logs, Windows: %LOCALAPPDATA%\...\Log.
 * With `sandbox` a folder inside it, so that the journal holds real writes only.
 */
export async function findStateFolder(config: {
  stateDir?: string | undefined;
  sandbox?: boolean;
}): Promise<string> {
  const folder = await findBaseFolder(config.stateDir);
  return config.sandbox === true ? join(folder, SANDBOX_FOLDER) : folder;
}

async function findBaseFolder(stateDir: string | undefined): Promise<string> {
  if (stateDir !== undefined) return resolve(stateDir);
  const { default: envPaths } = await import('env-paths');
  return envPaths('seller-commerce-mcp', { suffix: '' }).log;
}
