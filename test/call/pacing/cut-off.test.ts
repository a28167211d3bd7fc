/**
 * A replica that does not reach the store, whether or not others do, takes its part of a limit, and only for
 * as long as they leave it.
 */

import { expect, it } from 'vitest';
import { createSharedLimiter } from '../../../src/call/pacing/shared-limiter.ts';
import { StoreUnavailable } from '../../../src/replicas/shared-step.ts';
import { CUT_OFF_US, NOTICED_US, type SharedStore } from '../../../src/replicas/shared-store.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';

const SECOND_US = 1_000_000;
const LOST_AT = 1_700_000_000 * SECOND_US;
const stated = { requestsPerSecond: 1, burst: 1 };
const key = { service: 'https://x', application: 'a', seller: 's', operation: 'g/op' };

/** Creates a limiter that has lost the store. @param count number of replicas, as last seen */
function cutOff(count: number) {
  const clock = fakeClock();
  const from = clock.now();
  const store: SharedStore = {
    isHere: false,
    isLost: true,
    share: 1,
    bornAt: 0,
    lostAt: LOST_AT,
    generation: 'one',
    replicas: { count, own: 0 },
    now: () => LOST_AT + (clock.now() - from) * 1000,
    run: () => Promise.reject(new StoreUnavailable('cut')),
    look: () => Promise.reject(new StoreUnavailable('cut')),
    close: async () => undefined,
  };
  const limiter = createSharedLimiter(store, { clock });
  /** Counts the calls that are sent in so many seconds. */
  const callsIn = async (seconds: number) => {
    const until = clock.now() + seconds * 1000;
    let went = 0;
    while (clock.now() < until) {
      const turn = await limiter.ask(key, stated, { latest: Number.POSITIVE_INFINITY });
      if (turn.go) went += 1;
      else await clock.advance(Math.min(Math.max(1, Math.ceil(turn.waitMs)), until - clock.now()));
    }
    return went;
  };
  return { clock, callsIn };
}

it.each([
  [1, 2],
  [2, 2],
  [4, 4],
])('of %i replicas that it knew of, it takes one part in %i', async (count, parts) => {
  const { callsIn } = cutOff(count);
  const went = await callsIn(600);
  expect(went).toBeLessThanOrEqual(600 / parts);
  expect(went).toBeGreaterThan((600 / parts) * 0.9);
});

it('nothing goes before the others have noticed, nor after an hour', async () => {
  const { clock, callsIn } = cutOff(2);
  expect(await callsIn(NOTICED_US / SECOND_US)).toBe(0);
  expect(await callsIn(60)).toBeGreaterThan(20);
  await clock.advance(CUT_OFF_US / 1000);
  expect(await callsIn(600)).toBe(0);
});
