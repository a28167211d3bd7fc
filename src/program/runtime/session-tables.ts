/**
 * The collected tables of a session's accounts: one set for each account and owner, closed with the session.
 */

import { dirname, join } from 'node:path';
import type { Accounts } from '../../accounts/account.ts';
import { identityDigest, identityOf } from '../../accounts/owner.ts';
import type { Config } from '../../base/config.ts';
import { InputError } from '../../base/errors.ts';
import { formatSize } from '../../base/text/size.ts';
import type { Comparisons } from '../../data/review/comparisons.ts';
import { type SnapshotOptions, Snapshots } from '../../data/review/snapshots.ts';
import { accountDigest, findTablesFolder } from '../../data/tables/account-folders.ts';
import { openTables } from '../../data/tables/open-tables.ts';
import type { Changes, Tables } from '../../data/tables/table-types.ts';
import { createWorkerPool, type WorkerPool } from '../../data/tables/worker-thread.ts';
import type { PersonalData } from '../../privacy/personal/personal-data.ts';
import type { Leases } from '../../store/leases.ts';
import { removeEndedTables } from './remove-ended-tables.ts';

export interface SessionTablesOptions {
  config: Config;
  accounts: Accounts;
  /** The running program, whose folder has its worker. */
  entryFile: string;
  now(): number;
  personal: PersonalData;
  /** Returns the changes of an account, by the digest of its owner. */
  changes(account: string, mark: string): Promise<Changes>;
  leases: Leases;
  comparisons(): Promise<Comparisons>;
  /** Makes the state that the first review of the demo account is compared with. */
  yesterday?: SnapshotOptions['yesterday'];
  /** Workers of a process with consecutive sessions; by default the session has its own and ends them. */
  shared?: WorkerPool | undefined;
  /** The user of the session, when several users share the accounts. */
  person?: TablesOfUser | undefined;
}

/** The limits of a user's collected data, over all visible accounts. */
export interface TablesOfUser {
  id: string;
  accounts: readonly string[];
  mostCollections: number;
  mostBytes: number;
}

/** The file name that the bundler uses. */
const WORKER = 'tables-worker.mjs';

export function createSessionTables({
  config,
  accounts,
  entryFile,
  now,
  personal,
  changes,
  leases,
  comparisons: openComparisons,
  yesterday,
  shared,
  person,
}: SessionTablesOptions) {
  const opened = new Map<string, Tables>();
  const workers = shared ?? createWorkerPool(join(dirname(entryFile), WORKER));
  const retention = { now, keepHours: config.keepDataHours };
  let cleaned: Promise<unknown> | undefined;
  const find = async (account: string): Promise<Tables> => {
    // The profile is read each time, because a name can become another seller's.
    const profile = await accounts.profile(account);
    const identity = identityOf(profile);
    const { sellerId, clientId, grant, baseUrl } = identity;
    const owner = [sellerId, clientId, grant, baseUrl];
    const root = await findTablesFolder(config);
    const mark = accountDigest(account, owner);
    const folder = join(root, mark);
    // Expired tables of other accounts and of killed sandboxes are removed in the background, once per
    // session.
    cleaned ??= removeEndedTables(config, openComparisons, now).catch(() => undefined);
    const known = opened.get(folder);
    if (known !== undefined) return known;
    const comparisons = await openComparisons();
    const { compareBelowPercent, compareFromRows } = config;
    const tables = openTables({
      folder,
      history:
        compareBelowPercent === 0
          ? undefined
          : {
              comparisons,
              account: mark,
              limits: { below: compareBelowPercent / 100, fromRows: compareFromRows },
            },
      ...(person && { ownFolder: join(root, accountDigest(account, [...owner, person.id])), by: person.id }),
      account,
      personal,
      ...retention,
      changes: () => changes(account, identityDigest(identity)),
      leases,
      snapshots: new Snapshots({
        comparisons,
        account: mark,
        now,
        keepDays: config.keepSnapshotsDays,
        yesterday,
      }),
      marketplaceId: profile.marketplaceId,
      workers,
    });
    opened.set(folder, tables);
    return tables;
  };
  return {
    /**
     * Returns the tables of an account.
     * @throws CredentialError for an account that does not exist
     */
    async of(account: string): Promise<Tables> {
      const tables = await find(account);
      return person === undefined ? tables : limited(tables, person, find);
    },
    async close() {
      await Promise.allSettled([cleaned, ...[...opened.values()].map((tables) => tables.close())]);
      if (shared === undefined) await workers.close();
    },
  };
}

/** Refuses data beyond the user's limits: before collection if known, otherwise before they are stored. */
function limited(tables: Tables, person: TablesOfUser, find: (account: string) => Promise<Tables>): Tables {
  const readUsage = async () => {
    const lists = await Promise.all(
      person.accounts.map(async (account) => {
        const of = await find(account).catch(() => undefined);
        return (await of?.list()) ?? [];
      }),
    );
    const own = lists.flat().filter(({ by }) => by === person.id);
    return { collections: own.length, bytes: own.reduce((sum, { bytes }) => sum + bytes, 0) };
  };
  return {
    ...tables,
    async openLoader(source) {
      const { collections, bytes } = await readUsage();
      const known = await tables.find(source);
      if (collections >= person.mostCollections && known?.by !== person.id)
        throw tooMuch(`${person.mostCollections} collections`);
      if (bytes >= person.mostBytes) throw tooMuch(formatSize(person.mostBytes));
      const loader = await tables.openLoader(source);
      return {
        ...loader,
        async finish(about) {
          const info = await loader.finish(about);
          if ((await readUsage()).bytes <= person.mostBytes) return info;
          await tables.remove(info.id);
          throw tooMuch(formatSize(person.mostBytes));
        },
      };
    },
  };
}

function tooMuch(limit: string): InputError {
  return new InputError(
    `You keep collected data already as far as this server lets one person (${limit}); this was not kept.`,
    'They end by themselves with time; ask for less, or ask whoever runs the server for more room.',
  );
}
