/** Replicas without their store: together they take what one alone might, and each its part. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AwayPace } from '../../../src/call/pacing/away-pace.ts';
import { NOTICED_US } from '../../../src/replicas/shared-store.ts';

const SECOND = 1_000_000;

interface World {
  rate: number;
  burst: number;
  replicas: number;
  /** Which of them have calls, and how late each notices that the store is away, in microseconds. */
  busy: boolean[];
  lateBy: number[];
}

const worlds: fc.Arbitrary<World> = fc.record({
  rate: fc.constantFrom(0.2, 0.5, 1, 2, 5, 10),
  burst: fc.integer({ min: 1, max: 20 }),
  replicas: fc.integer({ min: 1, max: 6 }),
  busy: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
  lateBy: fc.array(fc.integer({ min: 0, max: 2 * SECOND }), { minLength: 6, maxLength: 6 }),
});

/** Asks as often as it is told to for so many seconds. @returns when calls went, by replica */
function play({ rate, burst, replicas, busy, lateBy }: World, seconds: number): number[][] {
  const start = 1_700_000_000 * SECOND;
  return Array.from({ length: replicas }, (_, own) => {
    if (busy[own] !== true) return [];
    const pace = new AwayPace({
      requestsPerSecond: rate,
      burst,
      replicas: { count: replicas, own },
      lostAt: start,
      lastPlace: start,
    });
    const went: number[] = [];
    for (let now = start + (lateBy[own] ?? 0); now < start + seconds * SECOND; ) {
      const wait = pace.take(now);
      if (wait === 0) went.push(now - start);
      now += wait === 0 ? 1 : Math.ceil(wait);
    }
    return went;
  });
}

it('a service that has nothing left for them refuses none', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const went = play(world, 60)
        .flat()
        .sort((a, b) => a - b);
      // The store never gives the last of several out.
      let tokens = world.burst > 1 ? 1 : 0;
      let last = 0;
      for (const at of went) {
        tokens = Math.min(Math.max(1, world.burst), tokens + ((at - last) / SECOND) * world.rate);
        last = at;
        expect(tokens).toBeGreaterThanOrEqual(1 - 1e-6);
        tokens -= 1;
      }
    }),
  );
});

it('each of those who are busy has its part of the limit, to the slot', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const seconds = 120;
      const slots = (seconds * world.rate) / 1.05;
      for (const [own, went] of play(world, seconds).entries()) {
        if (world.busy[own] !== true) continue;
        // A replica that knows of no other leaves room for one, and sends nothing until the others have
        // noticed.
        const sharers = Math.max(2, world.replicas);
        const late = world.rate * (2 + NOTICED_US / SECOND) + sharers + 2;
        expect(went.length).toBeGreaterThanOrEqual(Math.floor((slots - late) / sharers) - 1);
        expect(went.length).toBeLessThanOrEqual(Math.ceil(slots / sharers) + 1);
      }
    }),
  );
});

it('after a refusal nothing goes before it may', () => {
  const pace = new AwayPace({
    requestsPerSecond: 1,
    burst: 10,
    replicas: { count: 2, own: 0 },
    lostAt: 0,
    lastPlace: 0,
  });
  pace.refused(10, 30 * SECOND);
  expect(pace.take(20)).toBeGreaterThanOrEqual(30 * SECOND);
});

it('nothing goes before the others have noticed', () => {
  const share = {
    requestsPerSecond: 1,
    burst: 10,
    replicas: { count: 2, own: 0 },
    lostAt: SECOND,
    lastPlace: 0,
  };
  expect(new AwayPace(share).take(SECOND)).toBeGreaterThanOrEqual(NOTICED_US);
});
