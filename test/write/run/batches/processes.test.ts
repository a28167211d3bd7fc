/** Real processes with one list in a real store, of the computer or of replicas: killed at any point, two at once, a disk that is full. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { stop } from '../../../../src/program/commands/stop.ts';
import { createTestOutside } from '../../../helpers/outside.ts';
import {
  mayUseStore,
  type PostgresServer,
  STORE_NAME,
  startPostgres,
  stopAllPostgres,
} from '../../../helpers/postgres.ts';
import { checkSent, type PriceService, startPriceService } from '../../../helpers/price-service.ts';
import { batchesIn, batchItemsIn, onStore } from '../../../helpers/state-rows.ts';

const LIMIT_MS = 60_000;
/** Equals the number of items that `batches-process.ts` sends at the same time. */
const AT_ONCE = 3;
const PROGRAM = join(inject('programs'), 'batches-process.mjs');

let folder: string;
let service: PriceService;
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-batches-'));
  service = await startPriceService();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  service.server.closeAllConnections();
  service.server.close();
  await rm(folder, { recursive: true, force: true });
});

/** @param limit most bytes of one file, in 512 byte blocks @param store where the list lies */
function start(count: number, limit?: number, store?: PostgresServer) {
  const args = [PROGRAM, folder, service.url, String(count), ...(store ? [store.address] : [])];
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  const child =
    limit === undefined
      ? spawn(process.execPath, args, { stdio })
      : spawn('sh', ['-c', `ulimit -f ${limit}; exec "$0" "$@"`, process.execPath, ...args], { stdio });
  children.push(child);
  const messages: unknown[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => messages.push(JSON.parse(line)));
  return { child, messages, ended: once(child, 'close') };
}

const PLACES = [{ place: 'on this computer', isStored: false }];
if (mayUseStore) PLACES.push({ place: `in a store (${STORE_NAME})`, isStored: true });

describe.each(PLACES)('$place', ({ isStored }) => {
  let store: PostgresServer | undefined;
  const begin = (count: number) => start(count, undefined, store);
  beforeEach(async () => {
    if (isStored) store ??= await startPostgres();
    await store?.clear();
  });
  afterAll(stopAllPostgres);

  test(
    'killed again and again, before and after the service has applied something: each item once, and an outcome for each',
    async () => {
      const count = 40;
      const kills = [
        ['before', 1],
        ['after', 4],
        ['before', 9],
        ['after', 17],
        ['after', 18],
      ] as const;
      for (const [when, number] of kills) {
        const one = begin(count);
        service.onSent = (now, sent) => {
          if (now === when && sent >= number) one.child.kill('SIGKILL');
        };
        await one.ended;
        expect(one.messages.at(-1)).not.toHaveProperty('ended');
        checkSent(service, count);
      }
      service.onSent = () => {};
      const last = begin(count);
      await last.ended;
      const { counts } = z
        .object({ ended: z.literal('ended'), counts: z.record(z.string(), z.number()) })
        .parse(last.messages.at(-1));
      checkSent(service, count);
      expect(counts.pending).toBe(0);
      expect(counts.accepted).toBe(service.applied.size);
      // An item whose process was killed before it was applied is not sent again: it has failed, or it is
      // unknown where nobody can tell a killed process from a frozen one.
      const unreported = Number(counts.failed) + (store === undefined ? 0 : Number(counts.unknown));
      expect(Number(counts.accepted) + Number(counts.not_accepted) + unreported).toBe(count);
      if (store !== undefined) return;
      expect(batchesIn(folder)).toHaveLength(1);
      expect(batchItemsIn(folder).filter((state) => state.includes('"outcome"'))).toHaveLength(count);
    },
    LIMIT_MS,
  );

  test(
    'two processes with the same list: one works on it, both tell how it ended',
    async () => {
      const [one, other] = [begin(30), begin(30)];
      await Promise.all([one.ended, other.ended]);
      checkSent(service, 30);
      expect(service.sent.filter(({ status }) => status !== 429)).toHaveLength(30);
      for (const { messages } of [one, other])
        expect(messages.at(-1)).toMatchObject({ ended: 'ended', counts: { accepted: 27, not_accepted: 3 } });
      if (store !== undefined) return;
      expect(batchesIn(folder)).toHaveLength(1);
    },
    LIMIT_MS,
  );
});

// SIGSTOP freezes the process, and Windows has no such signal; the gate's Linux job always runs it.
const canFreeze = process.platform !== 'win32';
if (!canFreeze) process.stderr.write('Skipped: a list whose process is frozen (Windows has no SIGSTOP)\n');

// Skipped on Windows, never in the gate on Linux (see canFreeze).
test.skipIf(!canFreeze)(
  'what a process was sending that stands still is not known to the one that goes on, since it may still arrive',
  async () => {
    const count = 12;
    const { promise, resolve: open } = Promise.withResolvers<void>();
    service.gate = promise;
    const frozen = start(count);
    let arrived = 0;
    await new Promise<void>((resolve) => {
      service.onSent = () => {
        arrived += 1;
        if (arrived === AT_ONCE) resolve();
      };
    });
    frozen.child.kill('SIGSTOP');
    onStore(folder, 'UPDATE leases SET heard_at = heard_at - 120000');
    const held = service.gate;
    service.gate = Promise.resolve();
    const other = start(count);
    await other.ended;
    expect(other.messages.at(-1)).toMatchObject({ counts: { unknown: AT_ONCE, failed: 0, not_sent: 0 } });
    // It arrives after all.
    open();
    await held;
    frozen.child.kill('SIGCONT');
    await frozen.ended;
    checkSent(service, count);
  },
  LIMIT_MS,
);

// Skipped for a newcomer without a store, never in CI (see mayUseStore).
describe.skipIf(!mayUseStore)(STORE_NAME, () => {
  afterAll(stopAllPostgres);

  test(
    'one that was frozen wakes without its list and sends nothing of it; the store away in the midst holds it up, and it goes on',
    async () => {
      const store = await startPostgres();
      const count = 60;
      const frozen = start(count, undefined, store);
      await new Promise<void>((resolve) => {
        service.onSent = (when, sent) => {
          if (when === 'before' && sent === 20) {
            frozen.child.kill('SIGSTOP');
            resolve();
          }
        };
      });
      service.onSent = () => {};
      const other = start(count, undefined, store);
      await new Promise<void>((resolve) => {
        service.onSent = (when, sent) => when === 'after' && sent >= 35 && resolve();
      });
      store.freeze();
      frozen.child.kill('SIGCONT');
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const sent = service.sent.length;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(service.sent.length).toBe(sent);
      store.thaw();
      await Promise.all([frozen.ended, other.ended]);
      checkSent(service, count);
      for (const { messages } of [frozen, other])
        expect(messages.at(-1)).toMatchObject({ ended: 'ended', counts: { pending: 0 } });
    },
    LIMIT_MS,
  );
});

test(
  'the command stops a list that a server works on, between two items, and tells what was done',
  async () => {
    const one = start(2000);
    await new Promise<void>((resolve) => {
      service.onSent = (_, count) => count > 5 && resolve();
    });
    const io = createTestOutside({ flags: { 'state-dir': folder } });
    await stop.run({ positionals: [], values: {} }, io);
    const { sent } = service;
    await one.ended;
    const done = sent.filter(({ status }) => status !== 429).length;
    expect(one.messages.at(-1)).toMatchObject({ ended: 'stopped', counts: { not_sent: 2000 - done } });
    expect(io.out()).toMatch(
      /^Stopped: 2000 items \(change_listings, account shop, batch [0-9a-f]{8}\): \d+ accepted, .*\d+ not sent\.\n$/,
    );
    expect(io.out()).toContain(`${2000 - done} not sent.`);
    const again = createTestOutside({ flags: { 'state-dir': folder } });
    await stop.run({ positionals: [], values: {} }, again);
    expect(again.out()).toBe('No list of writes is under way or unfinished.\n');
  },
  LIMIT_MS,
);

test(
  'a disk that is full before the first item: nothing is sent, and that is said',
  async () => {
    const one = start(2000, 64);
    await one.ended;
    expect(one.messages).toEqual([
      { error: expect.stringMatching(/^The confirmed list could not be written to .* nothing was sent\.$/) },
    ]);
    expect(service.sent).toEqual([]);
    expect(batchesIn(folder)).toEqual([]);
  },
  LIMIT_MS,
);
