import { describe, expect, it } from 'vitest';
import {
  ASSUMED_BURST,
  createLocalLimiter,
  Order,
  type StatedRate,
} from '../../../src/call/pacing/limiter.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';

const key = { service: 'https://a.test', application: 'app', seller: 's', operation: 'g/op' };

/** A limiter for one operation, on a clock that the test moves. */
function limiterOf(stated?: StatedRate) {
  const clock = fakeClock();
  const limiter = createLocalLimiter({ clock });
  /** Asks without waiting: a caller that is told to wait leaves. */
  const ask = async () => {
    const turn = await limiter.ask(key, stated, { latest: Number.POSITIVE_INFINITY });
    if (!turn.go) limiter.leave(key, turn);
    return turn;
  };
  const accepted = (fields = {}) => limiter.ended(key, { status: 200, ...fields });
  const refused = (retryAfterMs?: number) => limiter.ended(key, { status: 429, retryAfterMs });
  /** Asks until it is told to wait; counts those that may go. */
  const askAll = async (most = 50) => {
    for (let gone = 0; gone < most; gone++) if (!(await ask()).go) return gone;
    return most;
  };
  const goAndBeAccepted = async (times: number) => {
    for (let n = 0; n < times; n++) {
      expect(await ask()).toEqual({ go: true });
      await accepted();
    }
  };
  return { clock, limiter, ask, askAll, accepted, refused, goAndBeAccepted };
}

describe('a limit that nobody states', () => {
  it('is learned by one call alone: the others ask again soon', async () => {
    const { ask, askAll, accepted } = limiterOf();
    expect(await ask()).toEqual({ go: true });
    expect(await ask()).toEqual({ go: false, waitMs: 100 });
    await accepted();
    expect(await askAll(100)).toBe(100);
  });

  it('is asked for again by the next call when the first got no answer', async () => {
    const { ask, limiter } = limiterOf();
    await ask();
    await limiter.ended(key, { status: undefined });
    expect(await ask()).toEqual({ go: true });
    expect(await ask()).toMatchObject({ go: false });
  });

  it('is guessed from the first refusal, one call at a time, and empty until then', async () => {
    const { clock, askAll, ask, accepted, refused } = limiterOf();
    await ask();
    await accepted();
    await askAll(39);
    for (let n = 0; n < 39; n++) await accepted();
    await ask();
    await clock.advance(10_000);
    await refused(3000);
    const turn = await ask();
    expect(turn).toMatchObject({ go: false, requestsPerSecond: 2 });
    expect(turn).toHaveProperty('waitMs', expect.closeTo(3500, 0));
    await clock.advance(60_000);
    expect(await askAll()).toBe(1);
  });

  it('is halved by a later refusal, not by one of the same moment, and rises after ten quiet seconds', async () => {
    const { clock, ask, accepted, refused } = limiterOf();
    const rate = async () => {
      const turn = await ask();
      return turn.go ? undefined : turn.requestsPerSecond;
    };
    await ask();
    await clock.advance(1000);
    await refused();
    expect(await rate()).toBe(0.5);
    await refused();
    expect(await rate()).toBe(0.5);
    await clock.advance(1000);
    await refused();
    expect(await rate()).toBe(0.25);
    await clock.advance(9999);
    await accepted();
    expect(await ask()).toEqual({ go: true });
    expect(await rate()).toBe(0.25);
    await clock.advance(1);
    await accepted();
    expect(await rate()).toBe(0.3125);
    await accepted();
    expect(await rate()).toBe(0.3125);
  });

  it('is replaced by one that a header states, with a burst to be found', async () => {
    const { clock, ask, askAll, refused, accepted } = limiterOf();
    await ask();
    await refused();
    await clock.advance(2000);
    expect(await ask()).toEqual({ go: true });
    await accepted({ requestsPerSecond: 3 });
    expect(await askAll()).toBe(ASSUMED_BURST - 1);
    expect(await ask()).toMatchObject({ go: false, requestsPerSecond: 3 });
    // A limit that is stated no longer follows single answers.
    await clock.advance(20_000);
    await accepted();
    await askAll();
    expect(await ask()).toMatchObject({ requestsPerSecond: 3 });
  });
});

describe('a rate that a first answer states', () => {
  it('leaves of the assumed burst what the calls still out have not taken', async () => {
    const alone = limiterOf();
    await alone.ask();
    await alone.accepted({ requestsPerSecond: 2 });
    expect(await alone.askAll()).toBe(4);
    const turn = await alone.ask();
    expect(turn).toHaveProperty('waitMs', expect.closeTo(505, 0));
    const busy = limiterOf();
    await busy.ask();
    await busy.accepted();
    await busy.askAll(4);
    await busy.accepted({ requestsPerSecond: 2 });
    expect(await busy.askAll()).toBe(1);
    const full = limiterOf();
    await full.ask();
    await full.accepted();
    await full.askAll(20);
    await full.accepted({ requestsPerSecond: 2 });
    expect(await full.askAll()).toBe(0);
  });

  it('changes when a later answer states another, and not what was used of the burst', async () => {
    const { ask, askAll, accepted } = limiterOf({ requestsPerSecond: 1, burst: 3 });
    await ask();
    await accepted({ requestsPerSecond: 4 });
    expect(await askAll()).toBe(2);
    expect(await ask()).toMatchObject({ go: false, requestsPerSecond: 4 });
  });
});

describe('a burst that is only assumed', () => {
  const stated = { requestsPerSecond: 2 };

  it('becomes what was accepted since the rest, when a call is refused', async () => {
    const { clock, askAll, accepted, refused } = limiterOf(stated);
    expect(await askAll()).toBe(ASSUMED_BURST);
    for (let n = 0; n < 3; n++) await accepted();
    await refused();
    await refused();
    await clock.advance(60_000);
    expect(await askAll()).toBe(3);
  });

  it('counts anew after each rest: what was accepted before it says nothing', async () => {
    const { clock, askAll, accepted, refused } = limiterOf(stated);
    await askAll();
    for (let n = 0; n < ASSUMED_BURST; n++) await accepted();
    await clock.advance(60_000);
    await askAll();
    for (let n = 0; n < 2; n++) await accepted();
    for (let n = 0; n < 3; n++) await refused();
    await clock.advance(60_000);
    expect(await askAll()).toBe(2);
  });

  it('counts the calls that were still out at the refusal, and no later ones', async () => {
    const { clock, askAll, accepted, refused } = limiterOf(stated);
    await askAll();
    await accepted();
    await refused();
    await accepted();
    await accepted();
    await refused();
    await clock.advance(60_000);
    expect(await askAll()).toBe(3);
    for (let n = 0; n < 3; n++) await accepted();
    await clock.advance(60_000);
    expect(await askAll()).toBe(3);
  });

  it('is known once those are back: a later refusal does not lower it again', async () => {
    const { clock, askAll, accepted, refused } = limiterOf(stated);
    await askAll();
    for (let n = 0; n < 4; n++) await accepted();
    await refused();
    await clock.advance(60_000);
    expect(await askAll()).toBe(4);
    for (let n = 0; n < 4; n++) await refused();
    await clock.advance(60_000);
    expect(await askAll()).toBe(4);
  });

  it('is at least one, and never more than assumed', async () => {
    const none = limiterOf(stated);
    await none.askAll();
    for (let n = 0; n < ASSUMED_BURST; n++) await none.refused();
    await none.clock.advance(60_000);
    expect(await none.askAll()).toBe(1);
    const many = limiterOf(stated);
    await many.goAndBeAccepted(ASSUMED_BURST);
    for (let n = 0; n < 20; n++) {
      await many.clock.advance(510);
      await many.goAndBeAccepted(1);
    }
    await many.clock.advance(510);
    await many.ask();
    await many.refused();
    await many.clock.advance(60_000);
    expect(await many.askAll()).toBe(ASSUMED_BURST);
  });

  it('is none where the burst is stated: a refusal empties it and changes nothing', async () => {
    const { clock, askAll, ask, accepted, refused } = limiterOf({ requestsPerSecond: 2, burst: 4 });
    expect(await askAll()).toBe(4);
    await accepted();
    await refused(10_000);
    expect(await ask()).toHaveProperty('waitMs', expect.closeTo(10_500, 0));
    await clock.advance(60_000);
    expect(await askAll()).toBe(4);
  });
});

it('a limiter that is closed has forgotten what it knew', async () => {
  const { limiter, ask } = limiterOf({ requestsPerSecond: 1, burst: 1 });
  await ask();
  expect(await ask()).toMatchObject({ go: false });
  await limiter.close();
  expect(await ask()).toEqual({ go: true });
});

describe('an order of places', () => {
  const standing = (order: Order, at: number, wake: () => void) =>
    order.stand(undefined, { firstMs: 100, requestsPerSecond: 1, now: at, wake });

  it('wakes who is first once the one before has left, and nobody when somebody behind leaves', () => {
    const order = new Order();
    const woken: string[] = [];
    const [a, b, c] = ['a', 'b', 'c'].map((name) => standing(order, 0, () => void woken.push(name)));
    if (a === undefined || b === undefined || c === undefined) throw new Error('three');
    expect([a, b, c].map((place) => [order.isFirst(place), place.waitMs])).toEqual([
      [true, 100],
      [false, 1_100],
      [false, 2_100],
    ]);
    order.leave(b);
    expect(woken).toEqual([]);
    order.leave(a);
    expect(woken).toEqual(['c']);
    expect(order.isFirst(c)).toBe(true);
  });

  it('waits a second for who does not come when they were told, and no longer', () => {
    const order = new Order();
    const gone = standing(order, 0, () => undefined);
    expect(order.isEmpty(1_100)).toBe(false);
    const next = standing(order, 1_100, () => undefined);
    expect(order.isFirst(gone)).toBe(true);
    expect(order.isEmpty(1_101)).toBe(false);
    expect(order.isFirst(next)).toBe(true);
    expect(next.waitMs).toBe(1_100);
  });
});
