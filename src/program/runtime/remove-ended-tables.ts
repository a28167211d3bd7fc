/** Removes expired tables and comparison data of all accounts, including those of killed processes. */

import type { Config } from '../../base/config.ts';
import { type Comparisons, removeOldComparisons } from '../../data/review/comparisons.ts';
import { findTablesFolder, removeExpired } from '../../data/tables/account-folders.ts';

export async function removeEndedTables(
  config: Pick<Config, 'dataDir' | 'keepDataHours' | 'keepSnapshotsDays'>,
  comparisons: () => Promise<Comparisons>,
  now: () => number,
): Promise<void> {
  const retention = { now, keepHours: config.keepDataHours };
  const folders = await Promise.all([true, false].map((sandbox) => findTablesFolder({ ...config, sandbox })));
  const days = { now, keepDays: config.keepSnapshotsDays };
  await Promise.allSettled([
    ...folders.map((folder) => removeExpired(folder, retention)),
    comparisons().then((opened) => removeOldComparisons(opened, days)),
  ]);
}
