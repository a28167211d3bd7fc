/** Whether a store keeps what it is given is looked at once, and told where it does not. */

import { afterAll, describe, expect, it } from 'vitest';
import { whyNotKept } from '../../src/replicas/shared-store.ts';
import { mayUseStore, type Redis, STORE_NAME, startRedis, stopAllRedis } from '../helpers/redis.ts';
import { connectTo } from '../helpers/shared-store.ts';

afterAll(stopAllRedis);

async function toldBy(redis: Redis, isToKeep = true, user = ''): Promise<string[]> {
  const told: string[] = [];
  const password = user === '' ? undefined : 'open';
  const store = await connectTo(redis.address.replace('//', `//${user}`), {
    password,
    isToKeep,
    tell: (message) => told.push(message),
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  await store.close();
  return told;
}

it('is told by what the store says of itself', () => {
  const kept = ['# Persistence\r\naof_enabled:1\r\n', '# Memory\r\nmaxmemory_policy:noeviction\r\n'];
  expect(whyNotKept(kept)).toBeUndefined();
  expect(whyNotKept(kept.map((one) => one.replace('noeviction', 'allkeys-lru')))).toMatch(/allkeys-lru/);
  expect(whyNotKept(kept.map((one) => one.replace('enabled:1', 'enabled:0')))).toMatch(/appendonly no/);
  expect(whyNotKept(undefined)).toMatch(/cannot be looked at/);
  expect(whyNotKept(['', ''])).toMatch(/cannot be looked at/);
});

// Skipped for a newcomer without a store, never in CI (see mayUseStore).
describe.skipIf(!mayUseStore)(STORE_NAME, () => {
  it('one that keeps it is told nothing of, and one that does not is, where more than limits is put there', async () => {
    const keeps = await startRedis('--appendonly', 'yes');
    const evicts = await startRedis('--maxmemory', '50mb', '--maxmemory-policy', 'allkeys-lru');
    await expect.poll(() => toldBy(keeps), { timeout: 20_000 }).toEqual([]);
    await expect.poll(() => toldBy(evicts, false), { timeout: 20_000 }).toEqual([]);
    await expect
      .poll(() => toldBy(evicts), { timeout: 20_000 })
      .toEqual([expect.stringMatching(/appendonly no.*allkeys-lru/)]);
    await evicts.command('ACL', 'SETUSER', 'sellers', 'on', '>open', '~*', '+@all', '-info');
    await expect
      .poll(() => toldBy(evicts, true, 'sellers@'), { timeout: 20_000 })
      .toEqual([expect.stringContaining('cannot be looked at')]);
  }, 90_000);
});
