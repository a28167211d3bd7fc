/** Removes the tables and snapshots of reviews whose time is over, of all accounts: also those of processes that were killed. */

import type { Config } from '../../base/config.ts';
import { removeOldReviews } from '../../data/review/snapshots.ts';
import { findSnapshotsFolder, findTablesFolder, removeExpired } from '../../data/tables/account-folders.ts';

export async function removeEndedTables(
  config: Pick<Config, 'dataDir' | 'keepDataHours' | 'keepSnapshotsDays'>,
  now: () => number,
): Promise<void> {
  const keeping = { now, keepHours: config.keepDataHours };
  const folders = await Promise.all([true, false].map((sandbox) => findTablesFolder({ ...config, sandbox })));
  const reviews = await Promise.all(
    [true, false].map((sandbox) => findSnapshotsFolder({ ...config, sandbox })),
  );
  const days = { now, keepDays: config.keepSnapshotsDays };
  await Promise.allSettled([
    ...folders.map((folder) => removeExpired(folder, keeping)),
    ...reviews.map((folder) => removeOldReviews(folder, days)),
  ]);
}
