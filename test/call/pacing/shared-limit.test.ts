/** One limit that replicas share, in worlds whose store has its clock set: by an hour, and by little, forward and back. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { learnIn, type Reserving, reserveIn } from '../../../src/call/pacing/shared-limit.ts';

const SECOND = 1_000_000;
const HOUR = 3_600 * SECOND;
const START = 1_700_000_000 * SECOND;
/** A first call keeps a full bucket full for so long. */
const HELD = 3 * SECOND;
/** A clock that goes back by less is not told from one that is slow. */
const UNNOTICED = 2 * SECOND;
const ASK_AGAIN = 0.1 * SECOND;

type Caller = Reserving['caller'];
type Act = { ask: Caller } | { isRefused: boolean; isFirst: boolean; pause: number };

const asks = fc.constantFrom<Caller>('warm', 'warm', 'cold', 'lost').map((ask): Act => ({ ask }));
const answers = fc.record({
  isRefused: fc.boolean(),
  isFirst: fc.boolean(),
  pause: fc.constantFrom(0, SECOND, 60 * SECOND),
});
const event = fc.record({
  after: fc.constantFrom(0, 0, 0.001, 0.05, 1, 30, 4_000).map((seconds) => seconds * SECOND),
  jump: fc.constantFrom(0, 0, 0, 0, 0, 1.5 * SECOND, -1.5 * SECOND, HOUR, -HOUR, 10 * HOUR, -10 * HOUR),
  act: fc.oneof<fc.Arbitrary<Act>[]>(asks, asks, asks, answers),
});
const world = fc.record({
  stated: fc.record({
    requestsPerSecond: fc.constantFrom(0.2, 5, 100),
    burst: fc.integer({ min: 1, max: 8 }),
  }),
  events: fc.array(event, { minLength: 5, maxLength: 60 }),
});

const asking = (stated: Reserving['stated'], caller: Caller): Reserving => ({
  ...{ stated, caller, share: 1, emptyBefore: 0, emptyAt: 0 },
  ...{ most: Number.POSITIVE_INFINITY, latest: Number.POSITIVE_INFINITY },
});

interface Call {
  /** Real time, which no clock shows: that of the service. */
  at: number;
  /** The calls beyond the limit that a clock set forward had allowed when its place was given. */
  extra: number;
}

/** Lives through a world, and holds each wait against what an empty bucket asks for. @returns its calls */
function live({ stated, events }: typeof world extends fc.Arbitrary<infer World> ? World : never): Call[] {
  const each = (1.05 * SECOND) / stated.requestsPerSecond;
  const calls: Call[] = [];
  let limit: ReturnType<typeof learnIn>;
  let [real, clock, extra] = [0, START, 0];
  /** The limit was last seen then, and its clock set by so much since. */
  let [seenAt, set] = [0, 0];
  /** The end of the last slot and pause; later by the time that a clock set back has hidden. */
  let free = 0;
  let held = 0;
  const ask = (caller: Caller) => {
    const answer = reserveIn(limit, asking(stated, caller), clock);
    const { how, wait } = answer.reserved;
    limit = answer.limit;
    expect(wait).toBeLessThanOrEqual(Math.max(0, free - real) + Math.max(each, ASK_AGAIN) + held + 10);
    if (how !== 'go' && how !== 'place') return wait;
    calls.push({ at: real + wait, extra });
    free = Math.max(free, real + wait);
    if (caller !== 'warm') held = HELD;
    return undefined;
  };
  for (const { after, jump, act } of events) {
    [real, clock, set] = [real + after, clock + after + jump, set + jump];
    // The time of all places that are out seems to be over, and the bucket full.
    if (jump > 0) extra += stated.burst + calls.filter(({ at }) => at > real).length;
    if (!('ask' in act) && limit === undefined) continue;
    if (set < 0) free = Math.max(free, seenAt) + Math.min(-set, real - seenAt + UNNOTICED);
    [seenAt, set] = [real, 0];
    if ('ask' in act) ask(act.ask);
    else {
      limit = learnIn(limit, { ...act, stated: stated.requestsPerSecond, guess: 1 }, clock);
      if (act.isRefused) free = Math.max(free, real + act.pause);
    }
  }
  const until = Math.max(free, real) + held + 2 * Math.max(each, ASK_AGAIN);
  for (let wait = ask('warm'); wait !== undefined; wait = ask('warm')) {
    [real, clock] = [real + wait, clock + wait];
    expect(real).toBeLessThanOrEqual(until);
  }
  return calls.sort((one, other) => one.at - other.at);
}

it('in any time there are no more calls than its burst and its rate, and for each time that the clock was set forward a burst and the places that were out; nothing stands still when it was set back', () => {
  fc.assert(
    fc.property(world, (one) => {
      const calls = live(one);
      const { requestsPerSecond, burst } = one.stated;
      calls.forEach((from, n) => {
        let [first, last] = [from.extra, from.extra];
        calls.slice(n).forEach(({ at, extra }, more) => {
          [first, last] = [Math.min(first, extra), Math.max(last, extra)];
          const most = burst + last - first + ((at - from.at) / SECOND) * requestsPerSecond;
          expect(more + 1).toBeLessThanOrEqual(most + 1e-3);
        });
      });
    }),
    { numRuns: 1_000 },
  );
});

it.each([-HOUR, HOUR])(
  'a call that is out to learn a limit is given up in ten seconds, whatever the clock (%i)',
  (jump) => {
    const probe = reserveIn(undefined, asking(undefined, 'cold'), START);
    const soon = reserveIn(probe.limit, asking(undefined, 'cold'), START + SECOND + Math.min(0, jump));
    const later = reserveIn(soon.limit, asking(undefined, 'cold'), START + 12 * SECOND + jump);
    expect([probe, soon, later].map(({ reserved }) => reserved.how)).toEqual(['go', 'unknown', 'go']);
  },
);
