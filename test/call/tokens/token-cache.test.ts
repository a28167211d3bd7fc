import { describe, expect, it } from 'vitest';
import { CancelledError, CredentialError, NetworkError } from '../../../src/base/errors.ts';
import { pauseMs, TokenCache, TokenCaches } from '../../../src/call/tokens/token-cache.ts';
import {
  endingEarly,
  lifetime,
  lifetimeSeconds,
  MAX_TOKEN_SECONDS,
} from '../../../src/call/tokens/token-lifetime.ts';
import { fakeClock, settled } from '../../helpers/fake-clock.ts';
import { failureOf } from '../../helpers/test-client.ts';

const pauses = (error: unknown) =>
  [1, 2, 3, 4, 5, 6, 10, 12, 1000].map((failures) => pauseMs(failures, error));

it('refused credentials: none at first, then doubling up to five minutes', () => {
  expect(pauses(new CredentialError('refused', 'no'))).toEqual([
    0, 1000, 2000, 4000, 8000, 16_000, 256_000, 300_000, 300_000,
  ]);
});

it('an outage: at most ten seconds, so that nobody waits long after it', () => {
  expect(pauses(new NetworkError('ECONNRESET', 'not-sent', 'reset'))).toEqual([
    0, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000, 10_000,
  ]);
});

/** A cache whose tokens are `t1`, `t2`, ... and last for an hour; `fail` makes the next purchases fail. */
function cacheOf() {
  const clock = fakeClock();
  const wanted: (string | undefined)[] = [];
  const failures: Error[] = [];
  const cache = new TokenCache(clock, async (unwanted) => {
    wanted.push(unwanted);
    await Promise.resolve();
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return { value: `t${wanted.length}`, life: lifetime(3_600_000, clock) };
  });
  return { clock, cache, wanted, failures, get: async () => (await cache.get()).value };
}

describe('a cached token', () => {
  it('is dropped when it is rejected itself, and by no other rejection', async () => {
    const { cache, get, wanted } = cacheOf();
    expect(await get()).toBe('t1');
    cache.reject('of another account');
    expect(await get()).toBe('t1');
    cache.reject('t1');
    expect(await get()).toBe('t2');
    cache.reject('t1');
    expect(await get()).toBe('t2');
    expect(wanted).toEqual([undefined, 't1']);
  });

  it('is bought once however many ask, and anew a minute before its end by either clock', async () => {
    const { clock, get, wanted } = cacheOf();
    expect(await Promise.all([get(), get(), get()])).toEqual(['t1', 't1', 't1']);
    await clock.advance(3_539_999);
    expect(await get()).toBe('t1');
    await clock.advance(1);
    expect(await get()).toBe('t2');
    clock.jump(3_540_000);
    expect(await get()).toBe('t3');
    clock.jump(-10_000_000);
    expect(await get()).toBe('t3');
    await clock.advance(3_540_000);
    expect(await get()).toBe('t4');
    expect(wanted).toEqual([undefined, 't1', 't2', 't3']);
  });

  it('is renewed on demand while it is still good, with whoever is buying already', async () => {
    const { cache, get, wanted } = cacheOf();
    await get();
    const [one, other] = await Promise.all([cache.renew(), cache.renew()]);
    expect([one.value, other.value]).toEqual(['t2', 't2']);
    const bought = await cache.renew(async () => ({ ...one, value: 'mine' }));
    expect([bought.value, await get()]).toEqual(['mine', 'mine']);
    expect(wanted).toEqual([undefined, 't1']);
  });

  it('after failures is asked for again once the pause is over, and a success ends the pauses', async () => {
    const { clock, get, wanted, failures } = cacheOf();
    const no = () => new CredentialError('refused', 'no', 'Hint.');
    failures.push(no(), no(), no());
    expect(await failureOf(get())).toMatchObject({ hint: 'Hint.' });
    expect(await failureOf(get())).toMatchObject({
      hint: 'Hint. The next attempt is made in 1 s at the earliest.',
    });
    await clock.advance(500);
    expect(await failureOf(get())).toMatchObject({
      hint: 'Hint. The next attempt is made in 500 ms at the earliest.',
    });
    expect(wanted).toHaveLength(2);
    await clock.advance(500);
    expect(await failureOf(get())).toMatchObject({
      hint: 'Hint. The next attempt is made in 2 s at the earliest.',
    });
    await clock.advance(2000);
    expect(await get()).toBe('t4');
    failures.push(no());
    await clock.advance(3_600_000);
    expect(await failureOf(get())).toMatchObject({ hint: 'Hint.' });
  });

  it('that was not bought because the client closed counts as no failure', async () => {
    const { get, failures } = cacheOf();
    const cancelled = new CancelledError('closing');
    failures.push(cancelled, cancelled);
    expect(await failureOf(get())).toBe(cancelled);
    expect(await failureOf(get())).toBe(cancelled);
    expect(await get()).toBe('t3');
  });

  it('keeps a cache busy, and so does a purchase and a pause', async () => {
    const { clock, cache, get, failures } = cacheOf();
    expect(cache.busy).toBe(false);
    const buying = get();
    expect(cache.busy).toBe(true);
    await buying;
    await settled();
    expect(cache.busy).toBe(true);
    await clock.advance(3_600_000);
    expect(cache.busy).toBe(false);
    failures.push(new Error('x'), new Error('x'));
    await failureOf(get());
    await failureOf(get());
    await settled();
    expect(cache.busy).toBe(true);
    await clock.advance(1000);
    expect(cache.busy).toBe(false);
  });
});

describe('the caches of many things', () => {
  const MANY = 1000;

  /** Caches whose purchases are counted, and fail for the things that are told to. */
  function cachesOf() {
    const clock = fakeClock();
    const caches = new TokenCaches(clock);
    const bought: string[] = [];
    const failing = new Set<string>();
    const get = (key: string, lengthMs = 3_600_000) =>
      caches.get(key, async () => {
        bought.push(key);
        if (failing.has(key)) throw new CredentialError('refused', 'no');
        return { value: `token of ${key}`, life: lifetime(lengthMs, clock) };
      });
    const fillUp = async (count: number) => {
      for (let i = 0; i < count; i++) await get(`other ${i}`, 0);
    };
    /** The pause after this failure of `shaky`; none where its failures have been forgotten. */
    const pauseOf = async () => {
      const error = await failureOf(get('shaky'));
      return error instanceof CredentialError ? error.hint : error;
    };
    return { clock, caches, bought, failing, get, fillUp, pauseOf };
  }

  it('keep one token for each, until it is rejected', async () => {
    const { caches, bought, get } = cachesOf();
    expect(await Promise.all([get('a'), get('b'), get('a')])).toEqual([
      'token of a',
      'token of b',
      'token of a',
    ]);
    caches.reject('token of a');
    await get('a');
    await get('b');
    expect(bought).toEqual(['a', 'b', 'a']);
  });

  it('remember failures among a thousand, and forget the idle ones when one more comes', async () => {
    const { clock, failing, fillUp, pauseOf } = cachesOf();
    failing.add('shaky');
    await fillUp(MANY - 2);
    expect(await pauseOf()).toBe('');
    expect(await pauseOf()).toContain('in 1 s');
    await clock.advance(1000);
    await fillUp(MANY - 1);
    expect(await pauseOf()).toContain('in 2 s');
    await clock.advance(2000);
    await fillUp(MANY);
    expect(await pauseOf()).toBe('');
  });

  it('never forget one that holds a token, buys one or waits, however many come', async () => {
    const { clock, caches, bought, failing, get, fillUp, pauseOf } = cachesOf();
    failing.add('shaky');
    await get('held');
    const { promise: selling, resolve: sell } = Promise.withResolvers<string>();
    const buying = caches.get('slow', async () => ({
      value: await selling,
      life: lifetime(3_600_000, clock),
    }));
    await pauseOf();
    expect(await pauseOf()).toContain('in 1 s');
    await fillUp(MANY + 5);
    sell('slowly');
    expect(await Promise.all([buying, get('slow'), get('held')])).toEqual([
      'slowly',
      'slowly',
      'token of held',
    ]);
    expect(bought.filter((key) => key === 'held' || key === 'slow')).toEqual(['held']);
    expect(await pauseOf()).toContain('in 1 s');
  });
});

describe('the life of a token', () => {
  it.each([
    [60, 60],
    ['90', 90],
    [0.5, 0.5],
    [1e9, MAX_TOKEN_SECONDS],
    [undefined, 3600],
    ['', 3600],
    [' ', 3600],
    ['soon', 3600],
    [0, 3600],
    [-1, 3600],
    [Number.NaN, 3600],
    [Number.POSITIVE_INFINITY, 3600],
    [{}, 3600],
  ])('of expires_in %j is %j seconds', (sent, seconds) => expect(lifetimeSeconds(sent)).toBe(seconds));

  it('is used up a minute early, but never more than half of a short one', () => {
    const clock = { now: () => 1000, wallClock: () => 5_000_000 };
    expect(lifetime(3_600_000, clock)).toEqual({
      usableUntil: 1000 + 3_540_000,
      usableUntilWall: 5_000_000 + 3_540_000,
      expiresAt: 5_000_000 + 3_600_000,
    });
    expect(lifetime(80_000, clock)).toMatchObject({ usableUntil: 41_000, expiresAt: 5_080_000 });
    expect(endingEarly(80_000, clock)).toMatchObject({ usableUntil: 21_000, expiresAt: 5_080_000 });
  });
});
