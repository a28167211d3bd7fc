/** The collected tables of a session's accounts: one set for each account and its owner, closed with the session. */

import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { identityMark, identityOf } from '../../accounts/owner.ts';
import type { Accounts } from '../../accounts/types.ts';
import type { Config } from '../../base/config.ts';
import { Snapshots } from '../../data/review/snapshots.ts';
import { accountFolder, findSnapshotsFolder, findTablesFolder } from '../../data/tables/account-folders.ts';
import { openTables } from '../../data/tables/open-tables.ts';
import type { Changes, Tables } from '../../data/tables/types.ts';
import { createWorkerPool, type WorkerPool } from '../../data/tables/worker-thread.ts';
import type { PersonalData } from '../../privacy/personal/personal-data.ts';
import { removeEndedTables } from './remove-ended-tables.ts';

export interface SessionTablesOptions {
  config: Config;
  accounts: Accounts;
  /** The running program, beside which its worker stands. */
  entryFile: string;
  now(): number;
  personal: PersonalData;
  /** Of an account, as its owner: by the mark of that. */
  changes(account: string, mark: string): Promise<Changes>;
  /** Of a process in which sessions follow each other; the session's own, ended with it, where left out. */
  shared?: WorkerPool | undefined;
}

/** As the bundle names it. */
const WORKER = 'tables-worker.mjs';

export function createSessionTables({
  config,
  accounts,
  entryFile,
  now,
  personal,
  changes,
  shared,
}: SessionTablesOptions) {
  const opened = new Map<string, Tables>();
  const workers = shared ?? createWorkerPool(join(dirname(entryFile), WORKER));
  const keeping = { now, keepHours: config.keepDataHours };
  let cleaned: Promise<unknown> | undefined;
  return {
    /** @throws CredentialError for an account that does not exist */
    async of(account: string): Promise<Tables> {
      // Asked each time: a name can become another seller's.
      const profile = await accounts.profile(account);
      const identity = identityOf(profile);
      const { sellerId, clientId, grant, baseUrl } = identity;
      const owner = [sellerId, clientId, grant, baseUrl];
      const folder = accountFolder(await findTablesFolder(config), account, owner);
      // Of other accounts, and of sandboxes that were killed: beside the work, once a session.
      cleaned ??= removeEndedTables(config, now).catch(() => undefined);
      const known = opened.get(folder);
      if (known !== undefined) return known;
      const tables = openTables({
        folder,
        account,
        personal,
        ...keeping,
        changes: () => changes(account, identityMark(identity)),
        snapshots: new Snapshots({
          folder: accountFolder(await findSnapshotsFolder(config), account, owner),
          now,
          keepDays: config.keepSnapshotsDays,
        }),
        marketplaceId: profile.marketplaceId,
        workers,
      });
      opened.set(folder, tables);
      return tables;
    },
    async close() {
      await Promise.allSettled([cleaned, ...[...opened.values()].map((tables) => tables.close())]);
      if (shared === undefined) await workers.close();
      if (!config.sandbox) return;
      // The embedded sandbox ends with the program, and with it the seller whose data these are.
      const removed = [...opened.keys()].map((folder) => rm(folder, { recursive: true, force: true }));
      await Promise.allSettled(removed);
    },
  };
}
