/** A primary dies and a standby that lags behind takes its place: lists are in doubt, limits go on. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { createSharedLimiter } from '../../../../src/call/pacing/shared-limiter.ts';
import { mayUseStore, STORE_NAME, startPostgres, stopAllPostgres } from '../../../helpers/postgres.ts';
import { checkSent, startPriceService } from '../../../helpers/price-service.ts';
import { connectTo } from '../../../helpers/shared-store.ts';

const COUNT = 60;
const PROGRAM = join(inject('programs'), 'batches-process.mjs');
const endedSchema = z.object({ ended: z.literal('ended'), counts: z.record(z.string(), z.number()) });

const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await stopAllPostgres();
});

async function startPair() {
  const primary = await startPostgres();
  const standby = await primary.startStandby();
  return {
    standby,
    address: `postgres://seller@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`,
    /** The primary takes with it whatever is written from now on. */
    async fallBehind() {
      await standby.query("ALTER SYSTEM SET primary_conninfo = ''");
      await standby.query('SELECT pg_reload_conf()');
      await expect.poll(() => standby.query('SELECT pid FROM pg_stat_wal_receiver')).toEqual([]);
    },
    async failOver() {
      await primary.stop();
      await standby.promote();
    },
  };
}

// Skipped for a newcomer without a store, never in CI (see mayUseStore).
describe.skipIf(!mayUseStore)(STORE_NAME, () => {
  test('a list under way is in doubt on the standby: nothing is sent twice, and each item is told', async () => {
    const [pair, service] = await Promise.all([startPair(), startPriceService()]);
    const afterSending = (count: number) =>
      new Promise<void>((resolve) => {
        service.onSent = (when, sent) => when === 'after' && sent >= count && resolve();
      });
    const args = [PROGRAM, tmpdir(), service.url, String(COUNT), pair.address];
    const processes = [0, 1].map(() => {
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      const messages: unknown[] = [];
      createInterface({ input: child.stdout }).on('line', (line) => messages.push(JSON.parse(line)));
      return { messages, ended: once(child, 'close') };
    });
    await afterSending(10);
    // The copy sends nothing while it is cut off.
    const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
    service.gate = held;
    await pair.fallBehind();
    goOn();
    await afterSending(20);
    await pair.failOver();
    await Promise.all(processes.map(({ ended }) => ended));
    checkSent(service, COUNT);
    for (const { messages } of processes) {
      const { counts } = endedSchema.parse(messages.at(-1));
      const { accepted = 0, unknown = 0, pending } = counts;
      expect(pending).toBe(0);
      expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(COUNT);
      expect(service.applied.size).toBeGreaterThanOrEqual(accepted);
      expect(service.applied.size).toBeLessThanOrEqual(accepted + unknown);
    }
    const [batch] = await pair.standby.query('SELECT flags FROM batches');
    expect(JSON.parse(String(batch?.flags))).toMatchObject({ isInDoubt: true });
    service.server.close();
  });

  test('limits go on at the standby', async () => {
    const { standby, address, failOver } = await startPair();
    const store = await connectTo(address);
    const limiter = createSharedLimiter(store);
    const key = { operation: 'group/operation', seller: 's', application: 'a', service: 'https://x' };
    const call = async () => {
      const turn = await limiter.ask(key, { requestsPerSecond: 100, burst: 100 }, { latest: 0 });
      if (turn.go) await limiter.ended(key, { status: 200 });
      else limiter.leave(key, turn);
      return standby.query('SELECT name FROM limits WHERE used > $1', [promotedAt]);
    };
    let promotedAt = 0;
    await expect.poll(call).toHaveLength(1);
    await failOver();
    promotedAt = Date.now() * 1000;
    await expect.poll(call).toHaveLength(1);
    await store.close();
  });
});
