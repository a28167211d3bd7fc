/** A client of the store: it uses the host that takes writes, and tells why it uses none. */

import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { SharedStoreOptions } from '../../src/replicas/shared-store.ts';
import { select, sql } from '../../src/store/statement.ts';
import { mayUseStore, STORE_NAME, startPostgres, stopAllPostgres } from '../helpers/postgres.ts';
import { connectTo } from '../helpers/shared-store.ts';

afterAll(stopAllPostgres);

async function open(address: string, options: Partial<SharedStoreOptions> = {}) {
  const messages: string[] = [];
  return {
    store: await connectTo(address, { tell: (message) => messages.push(message), ...options }),
    messages,
  };
}

const away = (reason: string) => expect.stringMatching(`store that replicas share is away \\(.*${reason}`);
const BACK = 'The store that replicas share is back.';

// Skipped for a newcomer without a store, never in CI (see mayUseStore).
describe.skipIf(!mayUseStore)(STORE_NAME, () => {
  it('tells once of a server that does not wait for its disk, and nothing of one that does', async () => {
    const [keeps, loses] = [await startPostgres(), await startPostgres('fsync=off')];
    let hours = 0;
    const now = () => performance.now() + hours * 3_600_001;
    const all = [await open(keeps.address, { now }), await open(loses.address, { now })];
    const diskMessages = () =>
      all.map(({ messages }) => messages.filter((one) => one.includes('fsync = off')));
    for (; hours < 3; hours++) {
      for (const { store } of all) await store.look();
      await expect.poll(diskMessages, { timeout: 10_000 }).toEqual([[], [expect.anything()]]);
    }
    for (const { store } of all) await store.close();
    expect(diskMessages()).toEqual([[], [expect.anything()]]);
  }, 60_000);

  it('tells why it may not make its tables, and why it refuses those of a newer version', async () => {
    const server = await startPostgres();
    await server.query('CREATE ROLE clerk LOGIN');
    const clerk = await open(server.address.replace('seller@', 'clerk@'));
    expect(clerk.messages).toEqual([away('permission denied for database')]);
    await server.query('GRANT CREATE ON DATABASE postgres TO clerk');
    await expect.poll(() => clerk.messages, { timeout: 10_000 }).toContain(BACK);
    await clerk.store.close();
    await server.query('UPDATE versions SET version = version + 1');
    const { store, messages } = await open(server.address);
    expect(messages).toEqual([away('newer version of this program')]);
    await server.query('UPDATE versions SET version = version - 1');
    await expect.poll(() => messages, { timeout: 10_000 }).toContain(BACK);
    await store.close();
  }, 60_000);

  it('leaves their part to no more silent replicas than there are living ones', async () => {
    const server = await startPostgres();
    const { store } = await open(server.address);
    for (const dead of ['one', 'another', 'a third']) {
      const heard = (store.now() ?? 0) - 60_000_000;
      await server.query('INSERT INTO replicas (id, heard, sharers) VALUES ($1, $2, 2)', [dead, heard]);
      await store.look();
      expect([store.replicas.count, store.share]).toEqual([2, 1 / 2]);
    }
    await store.close();
  }, 60_000);

  it('uses the one of several hosts that takes writes, and a standby once it is promoted', async () => {
    const primary = await startPostgres();
    const standby = await primary.startStandby();
    const alone = await open(standby.address);
    expect(alone.messages).toEqual([away('recovery is in progress')]);
    const both = await open(standby.address.replace(/(?=\/postgres$)/, `,127.0.0.1:${primary.port}`));
    const port = () => select(sql`SELECT inet_server_port() AS port`, z.object({ port: z.int() }));
    expect(await both.store.run('port', port)).toEqual([{ port: primary.port }]);
    await primary.stop();
    await standby.promote();
    for (const { store, messages } of [alone, both]) {
      const used = () => store.run('port', port).catch(() => []);
      await expect.poll(used, { timeout: 10_000 }).toEqual([{ port: standby.port }]);
      expect(messages).toContain(BACK);
      await store.close();
    }
  }, 60_000);
});
