/** Opens the store of writes from here and of running batches, with its tables. */

import { COMPARISON_TABLES } from '../data/review/comparisons.ts';
import { REPLICA_TABLES } from '../replicas/tables.ts';
import { LEASE_TABLES } from '../store/leases.ts';
import { openStore, type Store } from '../store/store.ts';
import { hasOldLines, importOldLines } from './old-lines.ts';
import { WRITE_TABLES } from './records/journal/journal-table.ts';
import { BATCH_TABLES, CLAIM_TABLES, ITEM_TABLES } from './run/batches/batch-table.ts';

/**
 * The migrations: each text brings the tables of one version to the next. The journal and the history are one
 * table now.
 */
export const STATE_TABLES = [
  `CREATE TABLE journal (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    time TEXT NOT NULL,
    account TEXT NOT NULL,
    operation TEXT NOT NULL,
    intent TEXT NOT NULL,
    outcome TEXT,
    ended_at TEXT,
    ending TEXT
  ) STRICT;
  CREATE INDEX journal_time ON journal (time);
  CREATE TABLE history (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    time TEXT NOT NULL,
    entry TEXT NOT NULL,
    thing TEXT AS (entry ->> 'thing'),
    kept TEXT,
    outcome TEXT,
    ended_at TEXT,
    found TEXT,
    seen INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX history_time ON history (time);
  CREATE INDEX history_thing ON history (thing, time);
  CREATE TABLE replica (id TEXT NOT NULL, next TEXT NOT NULL) STRICT;
  CREATE TABLE to_replicas (n INTEGER PRIMARY KEY AUTOINCREMENT, line TEXT NOT NULL) STRICT`,
  BATCH_TABLES,
  LEASE_TABLES,
  CLAIM_TABLES,
  WRITE_TABLES,
  COMPARISON_TABLES,
  ITEM_TABLES,
];

/**
 * The tables of the store that replicas share: it has the batches of all, and each replica has its own
 * journal.
 */
export const SHARED_TABLES = [REPLICA_TABLES, BATCH_TABLES, LEASE_TABLES, CLAIM_TABLES, ITEM_TABLES];

/** Opens the state store. @param folder where it is; created at the first write */
export const openStateStore = (folder: string, userId?: number): Store =>
  openStore(folder, { tables: STATE_TABLES, userId, old: { isThere: hasOldLines, take: importOldLines } });
