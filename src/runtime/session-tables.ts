/** The collected tables of a session's accounts: one set for each account and its owner, closed with the session. */

import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { identityMark, identityOf } from '../client/owner.ts';
import type { Config } from '../config.ts';
import type { Accounts } from '../credentials/types.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { readJournal } from '../journal/read-journal.ts';
import { findStateFolder } from '../journal/state-folder.ts';
import type { PersonalData } from '../personal/personal-data.ts';
import { openTables } from '../tables/open-tables.ts';
import { accountFolder, findTablesFolder } from '../tables/tables-folder.ts';
import type { ChangeRow, Changes, SqlValue, Tables } from '../tables/types.ts';
import { localTimeWithZone } from '../text/local-time.ts';
import { maskRecord } from './mask-record.ts';
import { removeEndedTables } from './remove-ended-tables.ts';

export interface SessionTablesOptions {
  config: Config;
  accounts: Accounts;
  /** The running program, beside which its worker stands. */
  entryFile: string;
  now(): number;
  personal: PersonalData;
}

export interface SessionTables {
  /** @throws CredentialError for an account that does not exist */
  of(account: string): Promise<Tables>;
  close(): Promise<void>;
}

/** As the bundle names it. */
const WORKER = 'tables-worker.mjs';

export function createSessionTables({
  config,
  accounts,
  entryFile,
  now,
  personal,
}: SessionTablesOptions): SessionTables {
  const opened = new Map<string, Tables>();
  const keeping = { now, keepHours: config.keepDataHours };
  let cleaned: Promise<unknown> | undefined;
  return {
    async of(account) {
      // Asked each time: a name can become another seller's.
      const identity = identityOf(await accounts.profile(account));
      const { sellerId, clientId, grant, baseUrl } = identity;
      // The sandbox listens on another port each time.
      const address = config.sandbox ? undefined : baseUrl;
      const folder = accountFolder(await findTablesFolder(config), account, [
        sellerId,
        clientId,
        grant,
        address,
      ]);
      // Of other accounts, and of sandboxes that were killed: beside the work, once a session.
      cleaned ??= removeEndedTables(config, now).catch(() => undefined);
      const known = opened.get(folder);
      if (known !== undefined) return known;
      const tables = openTables({
        folder,
        account,
        personal,
        ...keeping,
        changes: () => readChanges(config, account, identityMark(identity), personal),
        workerFile: join(dirname(entryFile), WORKER),
      });
      opened.set(folder, tables);
      return tables;
    },
    async close() {
      await Promise.allSettled([cleaned, ...[...opened.values()].map((tables) => tables.close())]);
      if (!config.sandbox) return;
      // The embedded sandbox ends with the program, and with it the seller whose data these are.
      const removed = [...opened.keys()].map((folder) => rm(folder, { recursive: true, force: true }));
      await Promise.allSettled(removed);
    },
  };
}

/** @param mark of the owner: the journal goes by names, and a name can have been another seller's */
async function readChanges(
  config: Config,
  account: string,
  mark: string,
  personal: PersonalData,
): Promise<Changes> {
  const { entries } = await readJournal({ folder: await findStateFolder(config), account });
  const own = entries.filter(({ owner }) => owner === mark);
  // Recorded with --personal-data=show, or before there was the setting.
  return {
    rows: own.map((entry) => toRow(maskRecord(entry, personal))),
    leftOut: entries.length - own.length,
  };
}

function toRow(entry: JournalEntry): ChangeRow {
  const { time, endedAt, account, operation, outcome, status, error, requestId, idempotencyKey } = entry;
  return {
    time,
    ended_at: endedAt ?? null,
    account,
    operation,
    outcome,
    status: status ?? null,
    error: error ?? null,
    parameters: asJson(entry.parameters),
    body: asJson(entry.body),
    differences: asJson(entry.differences),
    request_id: requestId ?? null,
    idempotency_key: idempotencyKey ?? null,
    id: entry.id,
    what: entry.what ?? null,
    local_time: localTimeWithZone(time),
    undoes: entry.undoes ?? null,
    batch: entry.batch ?? null,
  };
}

const asJson = (value: unknown): SqlValue => (value === undefined ? null : JSON.stringify(value));
