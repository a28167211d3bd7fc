/** Where collected tables live: in the data folder, for each account and whoever owns it a folder of its own. */

import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';

/** Of collections from the embedded sandbox, which are of no shop. */
const SANDBOX_FOLDER = 'tables-sandbox';
const FOLDER = 'tables';

/** Absolute path; nothing is created. */
export async function findTablesFolder(config: {
  dataDir?: string | undefined;
  sandbox?: boolean;
}): Promise<string> {
  const folder = config.sandbox === true ? SANDBOX_FOLDER : FOLDER;
  if (config.dataDir !== undefined) return join(resolve(config.dataDir), folder);
  const { default: envPaths } = await import('env-paths');
  return join(envPaths('seller-commerce-mcp', { suffix: '' }).data, folder);
}

/** @param owner whatever tells this owner of the account's name from another one; nothing of it can be read from the result */
export function accountFolder(
  folder: string,
  account: string,
  owner: readonly (string | undefined)[],
): string {
  const hash = createHash('sha256').update(JSON.stringify([account, ...owner]));
  return join(folder, `${account.replace(/[^\w.@-]/g, '_')}-${hash.digest('hex').slice(0, 8)}`);
}
