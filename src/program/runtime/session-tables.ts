/** The collected tables of a session's accounts: one set for each account and its owner, closed with the session. */

import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { identityMark, identityOf } from '../../accounts/owner.ts';
import type { Accounts } from '../../accounts/types.ts';
import type { Config } from '../../base/config.ts';
import { letOthersRun } from '../../base/event-loop.ts';
import { isJsonObject } from '../../base/json.ts';
import { localTimeWithZone } from '../../base/text/local-time.ts';
import { openTables } from '../../data/tables/open-tables.ts';
import { accountFolder, findTablesFolder } from '../../data/tables/tables-folder.ts';
import type { ChangeRow, Changes, SqlValue, Tables } from '../../data/tables/types.ts';
import { createWorkerPool, type WorkerPool } from '../../data/tables/worker-thread.ts';
import { findStateFolder } from '../../disk/state-folder.ts';
import type { PersonalData } from '../../privacy/personal/personal-data.ts';
import type { History, HistoryEntry } from '../../write/keep/history/history.ts';
import type { JournalEntry } from '../../write/keep/journal/entry.ts';
import { readJournal } from '../../write/keep/journal/read-journal.ts';
import { shownValues } from '../../write/kinds/undo/kept-change.ts';
import { maskRecord } from './mask-record.ts';
import { removeEndedTables } from './remove-ended-tables.ts';

export interface SessionTablesOptions {
  config: Config;
  accounts: Accounts;
  /** The running program, beside which its worker stands. */
  entryFile: string;
  now(): number;
  personal: PersonalData;
  history(): Promise<History>;
  /** Of a process in which sessions follow each other; the session's own, ended with it, where left out. */
  shared?: WorkerPool | undefined;
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
  history,
  shared,
}: SessionTablesOptions): SessionTables {
  const opened = new Map<string, Tables>();
  const workers = shared ?? createWorkerPool(join(dirname(entryFile), WORKER));
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
        changes: () => readChanges({ config, account, mark: identityMark(identity), personal, history }),
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

// The table of what was written from here: a row for each member that a write changed, with its values before and after where they are kept.

interface ReadChanges {
  config: Config;
  account: string;
  /** Of the owner: the journal goes by names, and a name can have been another seller's. */
  mark: string;
  personal: PersonalData;
  history(): Promise<History>;
}

/** Between two turns of other work. */
const AT_A_TIME = 100;

async function readChanges(of: ReadChanges): Promise<Changes> {
  const { config, account, mark, personal } = of;
  const { entries } = await readJournal({ folder: await findStateFolder(config), account });
  const own = entries.filter(({ owner }) => owner === mark);
  const kept = new Map(
    (await (await of.history()).list())
      .filter((entry) => entry.account === account && entry.owner === mark)
      .map((entry) => [entry.id, entry]),
  );
  const ids = new Set(own.map(({ id }) => id));
  // What went out as a feed stands in the journal once, and here each by itself as well.
  const inFeeds = [...kept.values()].filter(({ id }) => !ids.has(id));
  const rows: ChangeRow[] = [];
  for (const [at, entry] of [...own, ...inFeeds].entries()) {
    if (at % AT_A_TIME === AT_A_TIME - 1) await letOthersRun();
    // Recorded with --personal-data=show, or before there was the setting.
    const row = toRow(maskRecord<JournalEntry | HistoryEntry>(entry, personal));
    rows.push(...(await withMembers(row, kept.get(entry.id), of)));
  }
  const time = ({ at }: ChangeRow) => String(at);
  return {
    rows: rows.toSorted((one, other) => (time(one) < time(other) ? -1 : Number(time(one) > time(other)))),
    leftOut: entries.length - own.length,
  };
}

async function withMembers(
  row: ChangeRow,
  entry: HistoryEntry | undefined,
  { account, personal }: ReadChanges,
): Promise<ChangeRow[]> {
  // A key that is not to be had hides the values, not what happened.
  const values = await entry?.open().catch(() => undefined);
  if (values === undefined) return [row];
  const { sku, supplySourceId } = values.parameters;
  const thing = {
    ...row,
    sku: textOf(sku) ?? row.sku ?? null,
    store: textOf(supplySourceId) ?? row.store ?? null,
  };
  const members = await shownValues(values, account, personal);
  if (members.length === 0) return [thing];
  return members.map(({ member, old, new: next, currency = null }) => ({
    ...thing,
    member,
    old,
    new: next,
    currency,
  }));
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** What is known of it without its values. */
function toRow(entry: JournalEntry | HistoryEntry): ChangeRow {
  const { id, time, account, operation, outcome, what, undoes, batch } = entry;
  const recorded: Partial<JournalEntry> = 'open' in entry ? {} : entry;
  const { endedAt, status, error, requestId, idempotencyKey, parameters, body, differences } = recorded;
  const named = isJsonObject(parameters) ? parameters : {};
  return {
    at: time,
    local_time: localTimeWithZone(time),
    list: batch ?? null,
    sku: textOf(named.sku) ?? null,
    store: textOf(named.supplySourceId) ?? null,
    outcome,
    what: what ?? null,
    error: error ?? null,
    id,
    undoes: undoes ?? null,
    account,
    operation,
    ended_at: endedAt ?? null,
    status: status ?? null,
    parameters: asJson(parameters),
    body: asJson(body),
    differences: asJson(differences),
    request_id: requestId ?? null,
    idempotency_key: idempotencyKey ?? null,
  };
}

const asJson = (value: unknown): SqlValue => (value === undefined ? null : JSON.stringify(value));
