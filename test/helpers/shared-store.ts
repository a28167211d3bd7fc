/** Clients of a real store, as a program has them. */

import { afterAll, afterEach, beforeAll } from 'vitest';
import { readStoreAddress } from '../../src/base/store-address.ts';
import { createPassingKeys } from '../../src/privacy/sealed/keychain-keys.ts';
import { createSealer } from '../../src/privacy/sealed/sealer.ts';
import { openSharedStore, type SharedStore, type StoreOptions } from '../../src/replicas/shared-store.ts';
import { mayUseStore, type Redis, startRedis, stopAllRedis } from './redis.ts';

/** @param at as of `--store` */
export function connectTo(at: string, options: Partial<StoreOptions> = {}): Promise<SharedStore> {
  const address = readStoreAddress(at);
  if (address === undefined) throw new Error(at);
  return openSharedStore({ address, password: undefined, tell: () => {}, ...options });
}

/** With the key that all replicas have. @param filler of another one */
export const createStateSealer = (filler = 7) =>
  createSealer(createPassingKeys({ id: 'k', bytes: new Uint8Array(32).fill(filler) }));

/** One for all tests of a file, empty before each, ended behind the last; not there where tests of a store are skipped. */
export function useStore() {
  let redis: Redis | undefined;
  let store: SharedStore | undefined;
  beforeAll(async () => {
    if (!mayUseStore) return;
    redis = await startRedis();
    store = await connectTo(redis.address);
  });
  afterEach(async () => {
    await redis?.command('FLUSHALL');
  });
  afterAll(async () => {
    await store?.close();
    await stopAllRedis();
  });
  const started = <One>(one: One | undefined): One => {
    if (one === undefined) throw new Error('There is no store.');
    return one;
  };
  return {
    get store() {
      return started(store);
    },
    command: (...words: string[]) => started(redis).command(...words),
  };
}
