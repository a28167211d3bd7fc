/** Removes the tables whose time is over, of all accounts: also those of processes that were killed. */

import type { Config } from '../../base/config.ts';
import { findTablesFolder, removeExpired } from '../../data/tables/account-folders.ts';

export async function removeEndedTables(
  config: Pick<Config, 'dataDir' | 'keepDataHours'>,
  now: () => number,
): Promise<void> {
  const keeping = { now, keepHours: config.keepDataHours };
  const folders = await Promise.all([true, false].map((sandbox) => findTablesFolder({ ...config, sandbox })));
  await Promise.allSettled(folders.map((folder) => removeExpired(folder, keeping)));
}
