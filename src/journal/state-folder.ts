/** Where the journal lives: the setting, or the state folder of the system. */

import { resolve } from 'node:path';

/** Absolute path; nothing is created. Linux: ~/.local/state, macOS: ~/Library/Logs, Windows: %LOCALAPPDATA%\...\Log. */
export async function findStateFolder(config: { stateDir?: string | undefined }): Promise<string> {
  if (config.stateDir !== undefined) return resolve(config.stateDir);
  const { default: envPaths } = await import('env-paths');
  return envPaths('seller-commerce-mcp', { suffix: '' }).log;
}
