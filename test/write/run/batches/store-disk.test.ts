/** Lists in a real store: whole or not there, one who works on each, nothing from who has lost it, and a store that cannot be used is told. */

import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { keyOf, PREFIX, type SharedStore } from '../../../../src/replicas/shared-store.ts';
import { BatchWaitsError } from '../../../../src/write/run/batches/batch.ts';
import { lineText, parseLine } from '../../../../src/write/run/batches/lines.ts';
import { openStoreDisk } from '../../../../src/write/run/batches/store-disk.ts';
import {
  mayUseStore,
  type Redis as Server,
  STORE_NAME,
  startRedis,
  stopAllRedis,
} from '../../../helpers/redis.ts';
import { connectTo } from '../../../helpers/shared-store.ts';

const ID = '00000001';
const LIST = keyOf('lists', `list:${ID}`);
const LEASE_MS = 200;

let server: Server;
let client: Redis;
const stores: SharedStore[] = [];
// A store of an earlier test would go on to report what it has seen.
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});
afterAll(async () => {
  client?.disconnect();
  await stopAllRedis();
});

/** As another replica has it. */
async function openDisk(at = server.address, password?: string) {
  const store = await connectTo(at, { password });
  stores.push(store);
  return { store, disk: openStoreDisk({ store, clock: systemClock, leaseMs: LEASE_MS }) };
}
type Disk = Awaited<ReturnType<typeof openDisk>>['disk'];

const idsOf = async (disk: Disk) => (await disk.list()).map(({ id }) => id);
const begin = async (disk: Disk, id: string, lines: string) => disk.create(id, lines, await idsOf(disk));
async function read(disk: Disk, id: string, from = 0) {
  const found: { line: string; next: number }[] = [];
  for await (const one of disk.read(id, from)) found.push(one);
  return found;
}
const linesOf = async (disk: Disk, id = ID) => (await read(disk, id)).map(({ line }) => line);
const kindsOf = async (disk: Disk) => (await linesOf(disk)).map((line) => parseLine(line)?.t ?? line);
const sending = (by: string, i = 0) => lineText({ t: 'sending', i, by, at: 1 });
const step = (by: string, i = 0) => lineText({ t: 'step', i, by });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.skipIf(!mayUseStore)(STORE_NAME, () => {
  beforeEach(async () => {
    server ??= await startRedis();
    client ??= new Redis({ port: server.port, host: '127.0.0.1' });
    await client.flushall();
  });

  test('a list is made whole, only added to, told, and held by one at a time', async () => {
    const [{ disk }, { disk: other }] = await Promise.all([openDisk(), openDisk()]);
    expect(await disk.list()).toEqual([]);
    expect(await begin(disk, ID, 'one\n')).toBe(true);
    expect(await disk.create('00000003', 'one\n', [])).toBe(false);
    await other.append(ID, 'two\nthree\n');
    const found = await read(disk, ID);
    expect(found.map(({ line }) => line)).toEqual(['one', 'two', 'three']);
    expect(await read(disk, ID, found[1]?.next)).toEqual(found.slice(2));
    await expect(begin(other, ID, 'other\n')).rejects.toThrow('already');
    await expect(disk.append('00000002', 'x\n')).rejects.toThrow('not in the store');

    const lease = await disk.hold(ID);
    expect(await other.hold(ID)).toBeUndefined();
    expect(await other.isHeld(ID)).toBe(true);
    await pause(LEASE_MS / 2);
    expect(await lease?.isOurs()).toBe(true);
    await pause(LEASE_MS / 2);
    expect(await other.hold(ID)).toBeUndefined();
    await lease?.release();
    expect(await other.isHeld(ID)).toBe(false);

    await disk.markTold(ID);
    expect(await other.list()).toMatchObject([{ id: ID, isTold: true }]);
  });

  test('lines longer than one step takes, and characters of several bytes, come back as they were', async () => {
    const { disk } = await openDisk();
    const lines = ['head', 'ä€😀'.repeat(150_000), 'short', `${'😀'.repeat(70_000)}x`];
    await begin(disk, ID, lines.map((line) => `${line}\n`).join(''));
    const found = await read(disk, ID);
    expect(found.map(({ line }) => line)).toEqual(lines);
    for (const [at, { next }] of found.entries())
      if (next !== found[at + 1]?.next) expect(await read(disk, ID, next)).toEqual(found.slice(at + 1));
    await Promise.all(lines.map((line) => disk.append(ID, `${line}\n`)));
    expect((await linesOf(disk)).slice(4).sort()).toEqual([...lines].sort());
  });

  test('of two that begin at once one is first, and the other one sees it', async () => {
    const disks = await Promise.all([openDisk(), openDisk(), openDisk()]);
    const seen = disks.map(async ({ disk }, at) => {
      for (;;) {
        const before = (await disk.list()).length;
        if (await begin(disk, `0000000${at}`, 'one\n')) return before;
      }
    });
    expect((await Promise.all(seen)).sort()).toEqual([0, 1, 2]);
  });

  test('who was frozen and wakes without its lease claims nothing and lets nothing go; outcomes are taken from anybody', async () => {
    const [{ disk: frozen }, { disk: other }] = await Promise.all([openDisk(), openDisk()]);
    await begin(frozen, ID, 'list\n');
    const was = await frozen.hold(ID);
    await frozen.append(ID, sending(was?.mark ?? ''));
    await pause(LEASE_MS + 50);
    const is = await other.hold(ID);
    expect(is).toBeDefined();
    const [old, now] = [was?.mark ?? '', is?.mark ?? ''];
    await frozen.append(ID, `${sending(old, 1)}${step(old)}`);
    expect(await was?.isOurs()).toBe(false);
    expect(await kindsOf(other)).toEqual(['list', 'sending']);
    // What another has it looks at, and does not send again; what is free it claims.
    await other.append(ID, `${sending(now)}${sending(now, 1)}${step(now)}${step(now, 1)}`);
    expect(await kindsOf(other)).toEqual(['list', 'sending', 'sending', 'step']);
    await frozen.append(ID, lineText({ t: 'end', i: 0, by: old, at: 1, kind: 'accepted' }));
    await other.append(ID, lineText({ t: 'looking', i: 0, by: now, at: 1 }));
    expect((await kindsOf(other)).slice(4)).toEqual(['end']);
  });

  test('a store that was restarted, restored or has fewer lines than somebody has seen: the list says so, and nothing is claimed', async () => {
    const { disk } = await openDisk();
    const changes: [string, () => Promise<unknown>][] = [
      ['another server', () => client.hset(LIST, 'server', 'other')],
      ['other contents', () => client.hset(LIST, 'generation', 'other')],
      ['fewer lines', () => client.hset(LIST, 'lines', '1')],
      ['nothing', () => client.del(LIST)],
    ];
    for (const [name, change] of changes) {
      await client.flushall();
      const { disk: fresh } = await openDisk();
      await begin(fresh, ID, 'list\n');
      await fresh.append(ID, 'two\n');
      const lease = await fresh.hold(ID);
      const from = (await read(fresh, ID)).at(-1)?.next;
      await change();
      await fresh.append(ID, sending(lease?.mark ?? ''));
      const found = await read(fresh, ID, from);
      expect(
        found.map(({ line }) => parseLine(line)?.t),
        name,
      ).toEqual(['doubt']);
      expect(await lease?.isOurs(), name).toBe(false);
    }
    expect(await read(disk, '00000009')).toEqual([]);
  });

  test('who takes it up after it was restored knows of it, as long as one process that saw more is there', async () => {
    const [{ disk, store: first }, { disk: other, store }] = await Promise.all([openDisk(), openDisk()]);
    await begin(disk, ID, 'list\n');
    await store.look();
    const { generation } = store;
    const backup = await Promise.all(
      (await client.keys('*')).map(async (key) => ({ key, held: await client.dumpBuffer(key) })),
    );
    // Both have seen more than the backup holds, so that it does not matter which of them comes back first.
    await first.look();
    await store.look();
    await disk.append(ID, 'two\n');
    for (const { key, held } of backup) await client.restore(key, 0, held, 'REPLACE');
    await other.hold(ID);
    expect(store.generation).not.toBe(generation);
    expect(await kindsOf(other)).toEqual(['list', 'doubt']);
  });

  test('half of the keys lost: what is left is whole, and what is gone is begun by nobody', async () => {
    const { disk } = await openDisk();
    const ids = Array.from({ length: 10 }, (_, at) => `0000000${at.toString(16)}`);
    for (const id of ids) await begin(disk, id, 'one\ntwo\n');
    const keys = (await client.keys(`${PREFIX}*`)).sort().filter((_, at) => at % 2 === 0);
    await client.del(...keys);
    const { disk: other } = await openDisk();
    for (const id of ids) {
      const lines = await linesOf(other, id);
      expect([[], ['one', 'two'], ['one', 'two', 'doubt']]).toContainEqual(
        lines.map((line) => parseLine(line)?.t ?? line),
      );
    }
  });

  test('a key that holds something else is none', async () => {
    const { disk } = await openDisk();
    await begin(disk, ID, 'list\n');
    await client.set(LIST, 'something else');
    expect(await disk.list()).toEqual([]);
    await expect(read(disk, ID)).rejects.toThrow('holds something else');
    await client.del(LIST);
    await client.set(keyOf('lists', 'index'), 'something else');
    await expect(disk.list()).rejects.toThrow('holds something else');
  });

  test('a store that is away takes nothing, and takes it once it is back; one whose user may not ask for INFO is told', async () => {
    const { disk } = await openDisk();
    await begin(disk, ID, 'list\n');
    const lease = await disk.hold(ID);
    server.freeze();
    await expect(disk.append(ID, sending(lease?.mark ?? ''))).rejects.toThrow(BatchWaitsError);
    await expect(disk.list()).rejects.toThrow('The store that replicas share is away (');
    expect(await lease?.isOurs()).toBe(true);
    server.thaw();
    for (let tries = 0; tries < 100 && (await kindsOf(disk).catch(() => [])).length < 2; tries++) {
      await disk.append(ID, sending(lease?.mark ?? '')).catch(() => undefined);
      await pause(50);
    }
    expect(new Set(await kindsOf(disk))).toEqual(new Set(['list', 'sending']));
    await client.acl('SETUSER', 'seller', 'on', '>pass', '~*', '+@all', '-info');
    const { disk: blind } = await openDisk(`redis://seller@127.0.0.1:${server.port}`, 'pass');
    await expect(begin(blind, '00000002', 'list\n')).rejects.toThrow('may not call INFO');
  });
});
