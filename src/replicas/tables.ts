/**
 * The tables that replicas share, in the common dialect of SQLite and PostgreSQL. Times are microseconds of
 * the store's clock.
 */

/** Secrets and values are sealed, names are digests. */
export const REPLICA_TABLES = `
  CREATE TABLE store (
    id INTEGER PRIMARY KEY,
    generation TEXT NOT NULL,
    born REAL NOT NULL,
    back REAL NOT NULL,
    resume REAL NOT NULL,
    beats INTEGER NOT NULL
  );
  CREATE TABLE replicas (id TEXT PRIMARY KEY, heard REAL NOT NULL, sharers INTEGER NOT NULL);
  CREATE TABLE limits (
    name TEXT PRIMARY KEY,
    expires REAL NOT NULL,
    mode TEXT NOT NULL,
    rate REAL NOT NULL,
    burst REAL NOT NULL,
    assumed INTEGER NOT NULL,
    tat REAL NOT NULL,
    used REAL NOT NULL,
    changed REAL NOT NULL,
    cold REAL NOT NULL,
    share REAL NOT NULL
  );
  CREATE TABLE tokens (
    name TEXT PRIMARY KEY,
    expires REAL NOT NULL,
    digest TEXT,
    sealed TEXT,
    ends REAL NOT NULL,
    buyer TEXT,
    buying REAL NOT NULL
  );
  CREATE TABLE kept (name TEXT PRIMARY KEY, expires REAL NOT NULL, id TEXT NOT NULL, sealed TEXT NOT NULL);
  CREATE TABLE codes (
    name TEXT PRIMARY KEY,
    expires REAL NOT NULL,
    sealed TEXT NOT NULL,
    origin TEXT NOT NULL,
    made REAL NOT NULL,
    used INTEGER NOT NULL
  );
  CREATE TABLE log (n INTEGER PRIMARY KEY, expires REAL NOT NULL, digest TEXT NOT NULL UNIQUE, line TEXT NOT NULL)`;

/** The tables whose expired rows are removed. */
export const EXPIRING = ['limits', 'tokens', 'kept', 'codes', 'log'] as const;
