/** Limits that processes share, on a real store: what is promised to all of them together, and what becomes of it when the store fails. */

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LEARN, RESERVE } from '../../../src/call/pacing/limit-scripts.ts';
import type { Limiter, Place, StatedRate } from '../../../src/call/pacing/limiter.ts';
import { createSharedLimiter } from '../../../src/call/pacing/shared-limiter.ts';
import { PREFIX, type SharedStore, StoreAway } from '../../../src/replicas/shared-store.ts';
import { portOf } from '../../helpers/http-service.ts';
import { mayUseStore, type Redis, STORE_NAME, startRedis, stopAllRedis } from '../../helpers/redis.ts';
import { connectTo } from '../../helpers/shared-store.ts';

let redis: Redis;
const opened: SharedStore[] = [];
const told: string[] = [];

beforeAll(async () => {
  if (mayUseStore) redis = await startRedis();
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  told.length = 0;
});
afterAll(stopAllRedis);

async function open(
  at = redis.address,
  password?: string,
): Promise<{ store: SharedStore; limiter: Limiter }> {
  const store = await connectTo(at, { password, tell: (message) => told.push(message) });
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
  let place: Place | undefined;
  let longest = 0;
  for (;;) {
    const turn = await limiter.ask(key, stated, { place, ...FOR_EVER });
    if (turn.go) return longest;
    place = turn;
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
  if (!(error instanceof StoreAway)) throw error;
}

/** Of its hash in the store. */
async function nameOf({ operation }: ReturnType<typeof newKey>, at = redis): Promise<string> {
  const keys = await at.command('KEYS', `${PREFIX}*${operation}`);
  return keys.split('\r\n').find((line) => line.startsWith(PREFIX)) ?? '';
}

/** The time behind the last place that was given, as the store answers it. */
async function lastPlace(key: ReturnType<typeof newKey>, at = redis): Promise<number> {
  const answer = await at.command('HGET', await nameOf(key, at), 'tat');
  return Number(answer.split('\r\n')[1]);
}

/** One that has gone, and one that waits behind it. */
async function withPlace() {
  const { limiter } = await open();
  const key = newKey();
  const stated = { requestsPerSecond: 5, burst: 1 };
  await go(limiter, key, stated);
  await limiter.ended(key, { status: 200 });
  const place = await limiter.ask(key, stated, FOR_EVER);
  if (place.go) throw new Error('It went at once.');
  return { limiter, key, stated, place };
}

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
          const keys = [`${PREFIX}{test}:limit:${newKey().operation}`];
          const places: number[] = [];
          let first = 0;
          for (const { who, pause } of asked) {
            if (pause > 0) await sleep(pause);
            const { store } = stores[who] ?? stores[0];
            // On a busy machine an answer may come too late: a place that nobody uses.
            const answer = await store
              .run(RESERVE, keys, [rate, burst, 0, 1e15, 0, 0, 1e18, 'warm'])
              .catch(ifAway);
            if (answer === undefined) continue;
            const [, wait, , , , , , now] = Array.isArray(answer) ? answer.map(Number) : [];
            first ||= now ?? 0;
            places.push(((now ?? 0) + (wait ?? 0) - first) / 1e6);
          }
          // Of several at once one is kept for what is late; of one alone, a twentieth of the time between two, or 100 ms.
          const kept = burst > 1 ? 1 : 0;
          const slower = burst > 1 ? 1.02 : 1 + Math.min(0.05, 0.1 * rate);
          let tokens = burst - kept;
          let last = 0;
          for (const at of places) {
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
        // Of few at once a machine that stands still for half a second takes what is kept.
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
      { numRuns: 5 },
    );
  }, 60_000);

  it('a store that loses a random half of its keys again and again lets nobody send too much', async () => {
    const own = await startRedis();
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
      // To who has never used it a limit that is lost is a new one, which is full.
      await until(() => begun === keys.length * limiters.length);
      for (const random = fc.sample(fc.boolean(), { seed: 29, numRuns: 1_000 }); !isOver; await sleep(400)) {
        const names = (await own.command('KEYS', `${PREFIX}*`))
          .split('\r\n')
          .filter((line) => line.startsWith(PREFIX));
        for (const name of names)
          if (random.pop() === true) lost += Number((await own.command('DEL', name))[1]);
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
  }, 60_000);

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
    const before = await lastPlace(key);
    first.leave();
    while ((await lastPlace(key)) === before) await sleep(10);
    const second = await waitOf(other.limiter, performance.now() + 1_000);
    expect(second.waitMs).toBeLessThanOrEqual(first.waitMs);
    second.leave();
    const third = await waitOf(other.limiter);
    expect(third.waitMs).toBeLessThanOrEqual(first.waitMs);
    const fourth = await waitOf(one.limiter);
    expect(fourth.waitMs).toBeGreaterThan(third.waitMs + 9_000);
    // Behind its place another one was given by now: that one stays the last, also once a later command is answered.
    const last = await lastPlace(key);
    third.leave();
    await other.store.run(LEARN, [`${PREFIX}{other}:limit:x`], ['ok', 0, 0, 1, 1]);
    expect(await lastPlace(key)).toBe(last);
  });

  it('a place is kept for who is first, whoever behind leaves', async () => {
    const { limiter, key, stated, place } = await withPlace();
    const { store } = await open();
    const before = await lastPlace(key);
    const behind = await limiter.ask(key, stated, FOR_EVER);
    if (behind.go) throw new Error('It went at once.');
    limiter.leave(key, behind);
    await store.run(LEARN, [`${PREFIX}{other}:limit:x`], ['ok', 0, 0, 1, 1]);
    await sleep(50);
    expect(await lastPlace(key)).toBe(before);
    limiter.leave(key, place);
    while ((await lastPlace(key)) === before) await sleep(10);
  });

  it('a place that somebody comes for too late is asked for anew: it would come beside that of another', async () => {
    const first = await withPlace();
    first.limiter.leave(first.key, first.place);
    const { limiter, key, stated, place } = await withPlace();
    const before = await lastPlace(key);
    await sleep(place.waitMs + 200);
    const turn = await limiter.ask(key, stated, { ...FOR_EVER, place });
    expect(before).toBeGreaterThan(1e9);
    expect(await lastPlace(key)).toBeGreaterThan(before);
    // Nobody has had one behind it: the late one is not waited for once more.
    expect(turn.go).toBe(true);
  });

  it('a place that was given before a refusal is none any more', async () => {
    const { limiter, key, stated, place } = await withPlace();
    await limiter.ended(key, { status: 429, retryAfterMs: 60_000 });
    await sleep(place.waitMs);
    const turn = await limiter.ask(key, stated, { ...FOR_EVER, place });
    expect(turn.go ? 0 : turn.waitMs).toBeGreaterThan(50_000);
  });

  it('what one learns the others know: a rate, a refusal and how long it holds', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    const key = newKey();
    await go(one.limiter, key);
    // Nobody has stated it: the first call is out alone.
    expect(await other.limiter.ask(key, undefined, FOR_EVER)).toMatchObject({ go: false, waitMs: 100 });
    await one.limiter.ended(key, { status: 200, requestsPerSecond: 2 });
    await sleep(120);
    expect(await go(other.limiter, key)).toBeLessThan(300);
    const place = await other.limiter.ask(key, undefined, FOR_EVER);
    if (!place.go) other.limiter.leave(key, place);
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
    await redis.command('FLUSHALL');
    expect(await one.limiter.ask(used, stated, FOR_EVER)).toMatchObject({ go: false });
    // One who has never used it learns within two seconds that the store began anew.
    await until(() => other.store.bornAt > 0);
    expect(await go(other.limiter, unused, stated)).toBeGreaterThan(0);
    await redis.command('FLUSHALL');
    await sleep(10);
    for (const store of opened.splice(0)) await store.close();
    await redis.command('FLUSHALL');
    const fresh = await open();
    expect(await fresh.limiter.ask(newKey(), stated, FOR_EVER)).toEqual({ go: true });
  }, 30_000);

  it('a key that holds something else is a limit of one process, and no harm to the others', async () => {
    const { limiter, store } = await open();
    const key = newKey();
    const stated = { requestsPerSecond: 100, burst: 10 };
    await go(limiter, key, stated);
    const name = await nameOf(key);
    await redis.command('DEL', name);
    await redis.command('LPUSH', name, 'something else');
    expect(await go(limiter, key, stated)).toBeLessThan(1_000);
    expect(store.isHere).toBe(true);
    await go(limiter, newKey(), stated);
    expect(told).toEqual([]);
  });

  it('is a Cluster of three, on which the keys of a seller lie together', async () => {
    const nodes = await Promise.all([1, 2, 3].map(() => startRedis('--cluster-enabled', 'yes')));
    const [first] = nodes;
    if (first === undefined) throw new Error('no node');
    for (const [n, node] of nodes.entries()) {
      const [from, to] = [Math.ceil((n * 16_384) / 3), Math.ceil(((n + 1) * 16_384) / 3) - 1];
      await node.command('CLUSTER', 'ADDSLOTSRANGE', String(from), String(to));
      await node.command('CLUSTER', 'MEET', '127.0.0.1', String(first.port));
    }
    for (const node of nodes)
      for (let state = ''; !state.includes('cluster_state:ok'); await sleep(50))
        state = await node.command('CLUSTER', 'INFO');
    const { limiter, store } = await open(`redis+cluster://127.0.0.1:${first.port}`);
    expect(store.isHere).toBe(true);
    const stated = { requestsPerSecond: 10, burst: 1 };
    for (const seller of ['a', 'b', 'c', 'd']) {
      const key = { ...newKey(), seller };
      await go(limiter, key, stated);
      expect(await go(limiter, key, stated)).toBeGreaterThan(0);
    }
    expect(told).toEqual([]);
  }, 60_000);

  it('is behind a Sentinel, which names another master when the first one dies', async () => {
    const [first, other, sentinel] = await Promise.all([
      startRedis(),
      startRedis(),
      startRedis('--sentinel'),
    ]);
    await other.command('REPLICAOF', '127.0.0.1', String(first.port));
    await sentinel.command('SENTINEL', 'MONITOR', 'sellers', '127.0.0.1', String(first.port), '1');
    await sentinel.command('SENTINEL', 'SET', 'sellers', 'down-after-milliseconds', '500');
    const { limiter, store } = await open(`redis+sentinel://127.0.0.1:${sentinel.port}/sellers`);
    expect(store.isHere).toBe(true);
    const key = newKey();
    const stated = { requestsPerSecond: 10, burst: 2 };
    await go(limiter, key, stated);
    for (let known = ''; !known.includes(String(other.port)); await sleep(100))
      known = await sentinel.command('SENTINEL', 'REPLICAS', 'sellers');
    await first.stop();
    expect(await go(limiter, key, stated)).toBeLessThan(3_000);
    for (let n = 0; n < 3; n++) expect(await go(limiter, key, stated)).toBeLessThan(1_000);
    await until(() => told.at(-1) === 'The store that replicas share is back.' && store.isHere, 40_000);
    const before = await lastPlace(key, other);
    await go(limiter, key, stated);
    expect(await lastPlace(key, other)).toBeGreaterThan(before);
  }, 90_000);

  it('one that alone is cut off from the store takes its part, which the others leave it: together never more than the limit', async () => {
    const own = await startRedis();
    const line = await startLine(own.port);
    const all = [
      await open(`redis://127.0.0.1:${line.port}`),
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
  }, 60_000);

  it('nobody leaves anything to one that has ended', async () => {
    const own = await startRedis();
    const [one, other] = [await open(own.address), await open(own.address)];
    await until(() => one.store.replicas.count === 2);
    await other.store.close();
    await until(() => one.store.replicas.count === 1 && one.store.share === 1);
    await own.stop();
  }, 30_000);

  describe('a store that is away is no outage', () => {
    const stated = { requestsPerSecond: 10, burst: 5 };

    it.each([
      ['frozen', /no answer in 250 ms/, (own: Redis) => own.freeze(), (own: Redis) => own.thaw()],
      // A connection that ends while something is on its way is reset, as the system has it.
      ['stopped', /the connection ended|ECONNRESET/, (own: Redis) => own.stop(), (own: Redis) => own.start()],
      [
        'full',
        /OOM/,
        (own: Redis) => own.command('CONFIG', 'SET', 'maxmemory', '1'),
        (own: Redis) => own.command('CONFIG', 'SET', 'maxmemory', '0'),
      ],
      [
        'read-only',
        /READONLY/,
        (own: Redis) => own.command('REPLICAOF', '127.0.0.1', '1'),
        (own: Redis) => own.command('REPLICAOF', 'NO', 'ONE'),
      ],
      [
        'slower than a quarter of a second',
        /no answer in 250 ms/,
        (own: Redis) => own.command('CLIENT', 'PAUSE', '2000', 'ALL'),
        () => undefined,
      ],
    ] as const)(
      '%s',
      async (_name, words, lose, recover) => {
        const own = await startRedis();
        const [one, other] = await Promise.all([open(own.address), open(own.address)]);
        await until(() => one.store.replicas.count === 2);
        const key = newKey();
        await go(one.limiter, key, stated);
        await lose(own);
        // The others have to notice first that it takes its part: it cannot know whether they reach the store.
        expect(await go(one.limiter, key, stated)).toBeLessThan(3_000);
        for (let n = 0; n < 3; n++) expect(await go(one.limiter, key, stated)).toBeLessThan(1_000);
        expect(one.store.isHere).toBe(false);
        expect(told[0]).toMatch(words);
        expect(told[0]).toContain('takes one part in 2 of each limit');
        await recover(own);
        await until(() => one.store.isHere && other.store.isHere, 20_000);
        expect(told.at(-1)).toBe('The store that replicas share is back.');
        // What went meanwhile nobody has counted: it begins empty.
        const turn = await other.limiter.ask(key, stated, FOR_EVER);
        expect(turn.go ? 0 : turn.waitMs).toBeLessThan(1_000);
        await go(one.limiter, key, stated);
        await own.stop();
      },
      60_000,
    );

    it('a wrong password, and nobody at the address', async () => {
      const own = await startRedis('--requirepass', 'right');
      const wrong = await open(own.address, 'wrong');
      expect(told.at(-1)).toMatch(/is away \((WRONGPASS|NOAUTH|ERR)/);
      expect(await go(wrong.limiter, newKey(), stated)).toBe(0);
      expect((await open(own.address, 'right')).store.isHere).toBe(true);
      await own.stop();
      const nobody = await open('redis://127.0.0.1:1');
      expect(told.at(-1)).toContain('ECONNREFUSED');
      expect(await go(nobody.limiter, newKey(), stated)).toBe(0);
      expect(await go(nobody.limiter, newKey())).toBe(0);
    }, 30_000);
  });
});
