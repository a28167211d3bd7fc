/** A thousand prices while the replicas that send them are killed one after the other: each once, all told, nobody asked again. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { mayUseStore, STORE_NAME, startPostgres, stopAllPostgres } from '../../../helpers/postgres.ts';
import { checkSent, startPriceService } from '../../../helpers/price-service.ts';

const PROGRAM = join(inject('programs'), 'batches-process.mjs');
const COUNT = 1000;
const EVERY = 110;
const KILLS = 9;
/** The processes of this test send so many at once. */
const AT_ONCE = 3;

const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await stopAllPostgres();
});

// Skipped for a newcomer without a store, never in CI (see mayUseStore).
describe.skipIf(!mayUseStore)(STORE_NAME, () => {
  test('a thousand prices, ten replicas, nine of them killed', async () => {
    const [store, service] = await Promise.all([startPostgres(), startPriceService()]);
    const folders: string[] = [];
    const begun: unknown[] = [];
    const start = async () => {
      // The processes share only the store.
      const folder = await mkdtemp(join(tmpdir(), 'seller-replica-'));
      folders.push(folder);
      const child = spawn(process.execPath, [PROGRAM, folder, service.url, String(COUNT), store.address], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      const messages: unknown[] = [];
      createInterface({ input: child.stdout }).on('line', (line) => messages.push(JSON.parse(line)));
      return { child, messages, ended: once(child, 'close') };
    };
    let next = await start();
    for (let killed = 1; killed <= KILLS; killed++) {
      const one = next;
      const death = new Promise<void>((resolve) => {
        service.onSent = (when, count) => {
          if (count < killed * EVERY || when !== (killed % 2 === 0 ? 'before' : 'after')) return;
          one.child.kill('SIGKILL');
          resolve();
        };
      });
      // The next one waits already: nobody has to ask once more.
      next = await start();
      await death;
      service.onSent = () => {};
      await one.ended;
      begun.push(one.messages[0]);
      expect(one.messages.at(-1)).not.toHaveProperty('ended');
    }
    await next.ended;
    const { counts } = z
      .object({ ended: z.literal('ended'), counts: z.record(z.string(), z.number()) })
      .parse(next.messages.at(-1));
    checkSent(service, COUNT);
    expect(counts.pending).toBe(0);
    expect(counts.accepted).toBe(service.applied.size);
    // A killed replica looks like a frozen one that may yet send, so an item of it that is not applied is
    // unknown.
    const { accepted, not_accepted: refused, failed, unknown = 0 } = counts;
    expect(Number(accepted) + Number(refused) + Number(failed) + unknown).toBe(COUNT);
    expect(unknown).toBeLessThanOrEqual(KILLS * AT_ONCE);
    // One list all the while.
    expect(new Set(begun.map((line) => z.object({ begun: z.string() }).parse(line).begun)).size).toBe(1);
    service.server.closeAllConnections();
    service.server.close();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }, 180_000);
});
