/** Limits that processes share, on a real store: what is promised to all of them together, and what becomes of it when the store fails. */

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Limiter, QueueSlot, StatedRate } from '../../../src/call/pacing/limiter.ts';
import { reserve } from '../../../src/call/pacing/shared-limit.ts';
import { createSharedLimiter } from '../../../src/call/pacing/shared-limiter.ts';
import { StoreUnavailable, TopicLocked } from '../../../src/replicas/shared-step.ts';
import { nameOf, type SharedStore } from '../../../src/replicas/shared-store.ts';
import { execute, sql } from '../../../src/store/statement.ts';
import { portOf } from '../../helpers/http-service.ts';
import { RUNS_ALL } from '../../helpers/launch.ts';
import {
  mayUseStore,
  type PostgresServer,
  STORE_NAME,
  startPostgres,
  stopAllPostgres,
} from '../../helpers/postgres.ts';
import { connectTo } from '../../helpers/shared-store.ts';

let server: PostgresServer;
const opened: SharedStore[] = [];
const messages: string[] = [];

beforeAll(async () => {
  if (mayUseStore) server = await startPostgres();
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  messages.length = 0;
});
afterAll(stopAllPostgres);

async function open(
  at = server.address,
  password?: string,
): Promise<{ store: SharedStore; limiter: Limiter }> {
  const store = await connectTo(at, { password, tell: (message) => messages.push(message) });
  opened.push(store);
  return { store, limiter: createSharedLimiter(store) };
}

let number = 0;
const newKey = () => ({ operation: `g/op${number++}`, seller: 's', application: 'a', service: 'https://x' });
const FOR_EVER = { latest: Number.POSITIVE_INFINITY };
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const until = async (is: () => boolean, ms = 10_000) => {
  for (const end = performance.now() + ms; !is(); await sleep(20))
    if (performance.now() > end) throw new Error('It did not come to that.');
};

/** Asks as whoever waits does, until it goes. @returns the longest wait that was told, in milliseconds */
async function go(limiter: Limiter, key: ReturnType<typeof newKey>, stated?: StatedRate): Promise<number> {
  let slot: QueueSlot | undefined;
  let longest = 0;
  for (;;) {
    const turn = await limiter.ask(key, stated, { place: slot, ...FOR_EVER });
    if (turn.go) return longest;
    slot = turn;
    longest = Math.max(longest, turn.waitMs);
    await sleep(Math.ceil(turn.waitMs));
  }
}

/** Counts as the service does, with a bucket that is full until the first arrives. */
function countAsService({ requestsPerSecond, burst }: { requestsPerSecond: number; burst: number }) {
  let tokens = burst;
  let last: number | undefined;
  let refused = 0;
  return {
    arrive() {
      const now = performance.now();
      tokens = Math.min(burst, tokens + ((now - (last ?? now)) / 1000) * requestsPerSecond);
      last = now;
      if (tokens < 1) refused += 1;
      else tokens -= 1;
    },
    refused: () => refused,
  };
}

/** Starts a proxy to the store, whose connections can be cut for one replica alone. */
async function startLine(port: number) {
  const ends = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const end of [near, far]) {
      ends.add(end);
      end.on('error', () => undefined);
      end.on('close', () => {
        ends.delete(end);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    isCut = true;
    for (const end of ends) end.destroy();
  };
  return {
    port: portOf(server.address()),
    cut,
    mend: () => {
      isCut = false;
    },
    close: () => {
      cut();
      server.close();
    },
  };
}

function ifAway(error: unknown): undefined {
  if (!(error instanceof StoreUnavailable)) throw error;
}

const topicOf = ({ service, application, seller, operation }: ReturnType<typeof newKey>) =>
  nameOf([service, application, seller].join('\n'), `limit:${operation}`);

/** The time behind the last place that was given, as the store holds it. */
async function lastSlot(key: ReturnType<typeof newKey>, at = server): Promise<number> {
  const [row] = await at.query('SELECT tat FROM limits WHERE name = $1', [topicOf(key)]);
  return Number(row?.tat ?? 0);
}

/** One that has gone, and one that waits behind it. */
async function withSlot() {
  const { limiter } = await open();
  const key = newKey();
  const stated = { requestsPerSecond: 5, burst: 1 };
  await go(limiter, key, stated);
  await limiter.ended(key, { status: 200 });
  const slot = await limiter.ask(key, stated, FOR_EVER);
  if (slot.go) throw new Error('It went at once.');
  return { limiter, key, stated, slot };
}

/** Defined in full runs alone: each takes half a minute. */
const inAll: (name: string, test: () => Promise<void>, timeoutMs?: number) => void = RUNS_ALL ? it : () => {};

// Skipped for a newcomer without a store, never in CI (see mayUseStore).
describe.skipIf(!mayUseStore)(STORE_NAME, () => {
  it('places, whoever asks and whenever, are never more than a token bucket has, nor much fewer', async () => {
    const stores = await Promise.all([open(), open(), open()]);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0.2, 5, 100),
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.record({ who: fc.integer({ min: 0, max: 2 }), pause: fc.constantFrom(0, 0, 1, 20) }), {
          minLength: 5,
          maxLength: 25,
        }),
        async (rate, burst, asked) => {
          const name = newKey().operation;
          const asking = {
            stated: { requestsPerSecond: rate, burst },
            most: 1e15,
            emptyBefore: 0,
            emptyAt: 0,
          };
          const slot = { ...asking, latest: 1e18, caller: 'warm', share: 1 } as const;
          const slots: number[] = [];
          let first = 0;
          for (const { who, pause } of asked) {
            if (pause > 0) await sleep(pause);
            const { store } = stores[who] ?? stores[0];
            // On a busy machine an answer may come too late: a place that nobody uses.
            const answer = await store
              .run(name, (moment) => reserve(name, slot, moment), false)
              .catch(ifAway);
            if (answer === undefined) continue;
            first ||= answer.now;
            slots.push((answer.now + answer.wait - first) / 1e6);
          }
          // One of several at once is kept for what is late; where there is one, a twentieth of the time between two, or 100 ms.
          const kept = burst > 1 ? 1 : 0;
          const slower = burst > 1 ? 1.02 : 1 + Math.min(0.05, 0.1 * rate);
          let tokens = burst - kept;
          let last = 0;
          for (const at of slots) {
            expect(at).toBeGreaterThanOrEqual(last);
            tokens = Math.min(burst - kept, tokens + ((at - last) * rate) / (burst > 1 ? 1 : slower));
            last = at;
            expect(tokens).toBeGreaterThanOrEqual(1 - 1e-3);
            tokens -= 1;
          }
          expect(last).toBeLessThanOrEqual(((asked.length - (burst - kept)) * slower) / rate + 25 * 0.3);
        },
      ),
      { numRuns: 15 },
    );
  }, 120_000);

  it('however late the first calls of processes arrive, the service refuses none', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(3, 5),
        // A machine that stands still for half a second takes what is kept of few at once.
        fc.integer({ min: 4, max: 6 }),
        fc.constantFrom(0, 700, 1_500),
        fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 3, maxLength: 3 }),
        async (rate, burst, allMs, lateMs) => {
          const key = newKey();
          const service = countAsService({ requestsPerSecond: rate, burst });
          const opened = await Promise.all(lateMs.map(() => open()));
          await Promise.all(
            opened.map(async ({ limiter }, who) => {
              for (let n = 0; n < 4; n++) {
                await go(limiter, key, { requestsPerSecond: rate, burst });
                if (n === 0) await sleep(allMs + (lateMs[who] ?? 0));
                service.arrive();
                await limiter.ended(key, { status: 200 });
              }
            }),
          );
          expect(service.refused()).toBe(0);
        },
      ),
      { numRuns: RUNS_ALL ? 5 : 2 },
    );
  }, 60_000);

  inAll(
    'a store that loses a random half of its rows again and again lets nobody send too much',
    async () => {
      const own = await startPostgres();
      const stated = { requestsPerSecond: 5, burst: 5 };
      const keys = [newKey(), newKey(), newKey()].map((key) => ({ key, service: countAsService(stated) }));
      const replicas = await Promise.all([open(own.address), open(own.address)]);
      const limiters = replicas.map(({ limiter }) => limiter);
      // One that has just begun takes itself for the only one until its next beat.
      await until(() => replicas.every(({ store }) => store.replicas.count === 2));
      let begun = 0;
      let lost = 0;
      let isOver = false;
      const losing = (async () => {
        // A caller that has never used the limit takes a lost one for a new one, which is full.
        await until(() => begun === keys.length * limiters.length);
        for (let seed = 0; !isOver; seed++, await sleep(400))
          for (const [table, key] of Object.entries({
            limits: 'name',
            replicas: 'id',
            store: 'generation',
          })) {
            const half = `hashtext(${key} || ${seed}) % 2 = 0`;
            lost += (await own.query(`DELETE FROM ${table} WHERE ${half} RETURNING 1`)).length;
          }
      })();
      await Promise.all(
        limiters.flatMap((limiter) =>
          keys.map(async ({ key, service }) => {
            for (let n = 0; n < 12; n++) {
              await go(limiter, key, stated);
              service.arrive();
              await limiter.ended(key, { status: 200 });
              if (n === 0) begun += 1;
            }
          }),
        ),
      );
      isOver = true;
      await losing;
      expect(lost).toBeGreaterThan(5);
      expect(keys.map(({ service }) => service.refused())).toEqual([0, 0, 0]);
      await own.stop();
    },
    60_000,
  );

  it('a place that nobody takes is given back, and one that comes too late is not taken', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    const key = newKey();
    const stated = { requestsPerSecond: 0.1, burst: 1 };
    await go(one.limiter, key, stated);
    for (const { limiter } of [one, other]) await limiter.ended(key, { status: 200 });
    const waitOf = async (limiter: Limiter, latest = Number.POSITIVE_INFINITY) => {
      const turn = await limiter.ask(key, stated, { latest });
      return turn.go ? { waitMs: 0, leave: () => {} } : { ...turn, leave: () => limiter.leave(key, turn) };
    };
    const first = await waitOf(one.limiter);
    expect(first.waitMs).toBeGreaterThan(9_000);
    const before = await lastSlot(key);
    first.leave();
    while ((await lastSlot(key)) === before) await sleep(10);
    const second = await waitOf(other.limiter, performance.now() + 1_000);
    expect(second.waitMs).toBeLessThanOrEqual(first.waitMs);
    second.leave();
    const third = await waitOf(other.limiter);
    expect(third.waitMs).toBeLessThanOrEqual(first.waitMs);
    const fourth = await waitOf(one.limiter);
    expect(fourth.waitMs).toBeGreaterThan(third.waitMs + 9_000);
    // Another slot was given after this one by now, so that one stays the last.
    const last = await lastSlot(key);
    third.leave();
    await sleep(200);
    expect(await lastSlot(key)).toBe(last);
  });

  it('a place is kept for who is first, whoever behind leaves', async () => {
    const { limiter, key, stated, slot } = await withSlot();
    const before = await lastSlot(key);
    const behind = await limiter.ask(key, stated, FOR_EVER);
    if (behind.go) throw new Error('It went at once.');
    limiter.leave(key, behind);
    await sleep(200);
    expect(await lastSlot(key)).toBe(before);
    limiter.leave(key, slot);
    while ((await lastSlot(key)) === before) await sleep(10);
  });

  it('a place that somebody comes for too late is asked for anew: it would come beside that of another', async () => {
    const first = await withSlot();
    first.limiter.leave(first.key, first.slot);
    const { limiter, key, stated, slot } = await withSlot();
    const before = await lastSlot(key);
    await sleep(slot.waitMs + 200);
    const turn = await limiter.ask(key, stated, { ...FOR_EVER, place: slot });
    expect(before).toBeGreaterThan(1e9);
    expect(await lastSlot(key)).toBeGreaterThan(before);
    // It is still the last place: the late one is not waited for once more.
    expect(turn.go).toBe(true);
  });

  it('a place that was given before a refusal is none any more', async () => {
    const { limiter, key, stated, slot } = await withSlot();
    await limiter.ended(key, { status: 429, retryAfterMs: 60_000 });
    await sleep(slot.waitMs);
    const turn = await limiter.ask(key, stated, { ...FOR_EVER, place: slot });
    expect(turn.go ? 0 : turn.waitMs).toBeGreaterThan(50_000);
  });

  it('what one learns the others know: a rate, a refusal and how long it holds', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    const key = newKey();
    await go(one.limiter, key);
    // No rate is stated: the first call is out alone.
    expect(await other.limiter.ask(key, undefined, FOR_EVER)).toMatchObject({ go: false, waitMs: 100 });
    await one.limiter.ended(key, { status: 200, requestsPerSecond: 2 });
    await sleep(120);
    expect(await go(other.limiter, key)).toBeLessThan(300);
    const slot = await other.limiter.ask(key, undefined, FOR_EVER);
    if (!slot.go) other.limiter.leave(key, slot);
    await one.limiter.ended(key, { status: 429, retryAfterMs: 5_000 });
    const turn = await other.limiter.ask(key, undefined, FOR_EVER);
    expect(turn).toMatchObject({ go: false });
    expect(turn.go ? 0 : turn.waitMs).toBeGreaterThan(5_000);
  });

  it('one that was emptied starts with empty buckets, one that is new with full ones', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    const [used, unused] = [newKey(), newKey()];
    const stated = { requestsPerSecond: 2, burst: 10 };
    for (let n = 0; n < 5; n++) expect(await one.limiter.ask(used, stated, FOR_EVER)).toEqual({ go: true });
    await server.clear();
    expect(await one.limiter.ask(used, stated, FOR_EVER)).toMatchObject({ go: false });
    // One who has never used it learns within two seconds that the store began anew.
    await until(() => other.store.bornAt > 0);
    expect(await go(other.limiter, unused, stated)).toBeGreaterThan(0);
    await server.clear();
    await sleep(10);
    for (const store of opened.splice(0)) await store.close();
    await server.clear();
    const fresh = await open();
    expect(await fresh.limiter.ask(newKey(), stated, FOR_EVER)).toEqual({ go: true });
  }, 30_000);

  it('a limit that a stopped process holds is waited for until the server takes it away, and no harm to the others', async () => {
    const [{ limiter, store }, stopped] = [await open(), await connectTo(server.address)];
    const key = newKey();
    const stated = { requestsPerSecond: 100, burst: 10 };
    await go(limiter, key, stated);
    const holding = stopped.run(topicOf(key), () => execute(sql`SELECT pg_sleep(10)`)).catch(ifAway);
    await stopped.close();
    const look = () => store.run(topicOf(key), () => execute(sql`SELECT 1`), false);
    await expect(look()).rejects.toThrow(TopicLocked);
    expect(await go(limiter, key, stated)).toBeLessThan(1_000);
    expect(store.isHere).toBe(true);
    await go(limiter, newKey(), stated);
    expect(messages).toEqual([]);
    await holding;
  });

  inAll(
    'one that alone is cut off from the store takes its part, which the others leave it: together never more than the limit',
    async () => {
      const own = await startPostgres();
      const line = await startLine(own.port);
      const all = [
        await open(`postgres://seller@127.0.0.1:${line.port}/postgres`),
        await open(own.address),
        await open(own.address),
      ];
      await until(() => all.every(({ store }) => store.replicas.count === 3));
      const key = newKey();
      const stated = { requestsPerSecond: 40, burst: 4 };
      const went: { at: number; who: number }[] = [];
      let isOver = false;
      const busy = all.map(async ({ limiter }, who) => {
        while (!isOver) {
          await go(limiter, key, stated);
          went.push({ at: performance.now(), who });
          await limiter.ended(key, { status: 200 });
        }
      });
      await sleep(2_000);
      line.cut();
      const from = performance.now();
      await sleep(8_000);
      const to = performance.now();
      line.mend();
      await until(() => all.every(({ store }) => store.isHere), 20_000);
      isOver = true;
      await Promise.all(busy);
      const inTime = went.filter(({ at }) => at > from && at < to);
      const most = ((to - from) / 1000) * stated.requestsPerSecond + stated.burst;
      expect(inTime.length).toBeLessThanOrEqual(most);
      expect(inTime.length).toBeGreaterThan(most / 2);
      // The replica that is cut off takes its third of the last five seconds, and no more.
      const itsOwn = inTime.filter(({ at, who }) => who === 0 && at > to - 5_000).length;
      const third = (5 * stated.requestsPerSecond) / 3;
      expect(itsOwn).toBeGreaterThan(third / 2);
      expect(itsOwn).toBeLessThanOrEqual(third + 1);
      line.close();
      await own.stop();
    },
    60_000,
  );

  it('nobody leaves anything to one that has ended', async () => {
    const own = await startPostgres();
    const [one, other] = [await open(own.address), await open(own.address)];
    await until(() => one.store.replicas.count === 2);
    await other.store.close();
    await until(() => one.store.replicas.count === 1 && one.store.share === 1);
    await own.stop();
  }, 30_000);

  describe('a store that is away is no outage', () => {
    const stated = { requestsPerSecond: 10, burst: 5 };
    type Fault = (own: PostgresServer) => unknown;
    const setReadOnly = async (own: PostgresServer, value: string) => {
      await own.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await own.query('SELECT pg_reload_conf()');
      await sleep(100);
    };

    const faults: [string, RegExp, Fault, Fault][] = [
      ['frozen', /no answer in 250 ms/, (own) => own.freeze(), (own) => own.thaw()],
      ['stopped', /ECONNRESET|ECONNREFUSED|terminat/, (own) => own.stop(), (own) => own.start()],
      [
        'without its tables',
        /relation "(limits|store)" does not exist/,
        (own) =>
          own.query(`CREATE TABLE l (LIKE limits INCLUDING ALL); CREATE TABLE s (LIKE store INCLUDING ALL);
            DROP TABLE limits, store`),
        (own) => own.query('ALTER TABLE l RENAME TO limits; ALTER TABLE s RENAME TO store'),
      ],
      [
        'read-only',
        /cannot execute INSERT in a read-only transaction/,
        (own) => setReadOnly(own, 'on'),
        (own) => setReadOnly(own, 'off'),
      ],
      [
        'slower than a quarter of a second',
        /no answer in 250 ms/,
        (own) => {
          own.freeze();
          setTimeout(own.thaw, 2_000);
        },
        () => undefined,
      ],
    ];

    // No answer, and a refusal, are all that the limiter tells apart.
    it.each(RUNS_ALL ? faults : faults.slice(0, 2))(
      '%s',
      async (_name, words, lose, recover) => {
        const own = await startPostgres();
        const [one, other] = await Promise.all([open(own.address), open(own.address)]);
        await until(() => one.store.replicas.count === 2);
        const key = newKey();
        await go(one.limiter, key, stated);
        await lose(own);
        // The others have to notice first that it takes its part: it cannot know whether they reach the store.
        expect(await go(one.limiter, key, stated)).toBeLessThan(3_000);
        for (let n = 0; n < 3; n++) expect(await go(one.limiter, key, stated)).toBeLessThan(1_000);
        expect(one.store.isHere).toBe(false);
        expect(messages[0]).toMatch(words);
        expect(messages[0]).toContain('takes one part in 2 of each limit');
        await recover(own);
        await until(() => one.store.isHere && other.store.isHere, 20_000);
        expect(messages.at(-1)).toBe('The store that replicas share is back.');
        // The calls that went meanwhile are not counted: it begins empty.
        const turn = await other.limiter.ask(key, stated, FOR_EVER);
        expect(turn.go ? 0 : turn.waitMs).toBeLessThan(1_000);
        await go(one.limiter, key, stated);
        await own.stop();
      },
      60_000,
    );

    it('a wrong password, and nobody at the address', async () => {
      const own = await startPostgres();
      const [{ hba_file } = {}] = await own.query('SHOW hba_file');
      await own.query(`CREATE ROLE app LOGIN PASSWORD 'right'; GRANT CREATE ON DATABASE postgres TO app;
        COPY (VALUES ('host all seller all trust'), ('host all all all scram-sha-256')) TO '${hba_file}';
        SELECT pg_reload_conf()`);
      const address = own.address.replace('seller', 'app');
      const wrong = await open(address, 'wrong');
      expect(messages.at(-1)).toMatch(/is away \(password authentication failed/);
      expect(await go(wrong.limiter, newKey(), stated)).toBe(0);
      expect((await open(address, 'right')).store.isHere).toBe(true);
      await own.stop();
      const nobody = await open('postgres://seller@127.0.0.1:1');
      expect(messages.at(-1)).toContain('ECONNREFUSED');
      expect(await go(nobody.limiter, newKey(), stated)).toBe(0);
      expect(await go(nobody.limiter, newKey())).toBe(0);
    }, 30_000);
  });
});
