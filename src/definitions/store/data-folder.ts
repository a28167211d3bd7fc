/** Where added definitions live: the setting, or the data folder of the system. */

import { join, resolve } from 'node:path';

/** Absolute path; nothing is created. Linux: ~/.local/share, macOS: ~/Library/Application Support, Windows: %LOCALAPPDATA%. */
export async function findDefinitionsFolder(config: { dataDir?: string | undefined }): Promise<string> {
  if (config.dataDir !== undefined) return join(resolve(config.dataDir), 'definitions');
  const { default: envPaths } = await import('env-paths');
  return join(envPaths('seller-commerce-mcp', { suffix: '' }).data, 'definitions');
}
