/** Clients of a real store, as a program has them. */

import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { readStoreAddress } from '../../src/base/store-address.ts';
import { createSingleKey } from '../../src/privacy/sealed/keychain-keys.ts';
import { createSealer } from '../../src/privacy/sealed/sealer.ts';
import {
  openSharedStore,
  type SharedStore,
  type SharedStoreOptions,
} from '../../src/replicas/shared-store.ts';
import { SHARED_TABLES } from '../../src/write/state-store.ts';
import { mayUseStore, type PostgresServer, startPostgres, stopAllPostgres } from './postgres.ts';

/** @param at as of `--store` */
export function connectTo(at: string, options: Partial<SharedStoreOptions> = {}): Promise<SharedStore> {
  const address = readStoreAddress(at);
  if (address === undefined) throw new Error(at);
  return openSharedStore({
    address,
    password: undefined,
    tables: SHARED_TABLES,
    tell: () => {},
    ...options,
  });
}

/** Creates a sealer with the key that all replicas have. @param filler of another key */
export const createStateSealer = (filler = 7) =>
  createSealer(createSingleKey({ id: 'k', bytes: new Uint8Array(32).fill(filler) }));

/** One for all tests of a file, empty before each, ended behind the last; not there where tests of a store are skipped. */
export function useStore() {
  let server: PostgresServer | undefined;
  let store: SharedStore | undefined;
  beforeAll(async () => {
    if (!mayUseStore) return;
    server = await startPostgres();
    store = await connectTo(server.address);
  });
  afterEach(async () => {
    await server?.clear();
    // It has gone back: who knows that says so before others connect.
    await store?.look().catch(() => undefined);
  });
  afterAll(async () => {
    await store?.close();
    await stopAllPostgres();
  });
  const started = <One>(one: One | undefined): One => {
    if (one === undefined) throw new Error('There is no store.');
    return one;
  };
  return {
    get store() {
      return started(store);
    },
    get server() {
      return started(server);
    },
    /** Holds a table, as a process that was stopped within a step does. Returns what lets it go. */
    async hold(table: string): Promise<() => Promise<void>> {
      const { query } = started(server);
      const held = query(`BEGIN; LOCK TABLE ${table}; SELECT pg_sleep(60)`).catch(() => undefined);
      const holders = `FROM pg_locks WHERE relation = '${table}'::regclass
        AND mode = 'AccessExclusiveLock' AND granted`;
      await expect.poll(() => query(`SELECT pid ${holders}`), { timeout: 5_000 }).toHaveLength(1);
      return async () => {
        await query(`SELECT pg_terminate_backend(pid) ${holders}`);
        await held;
      };
    },
  };
}
