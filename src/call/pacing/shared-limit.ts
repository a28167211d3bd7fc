/** One limit that replicas share: a place under it, a place given back, and what an answer says of it, by the clock of the store. */

import * as z from 'zod';
import { CLOCK_SET_US, type Moment } from '../../replicas/shared-step.ts';
import { execute, put, type StoreStep, select, sql } from '../../store/statement.ts';
import { ASSUMED_BURST, type StatedRate } from './limiter.ts';
import { believed, SLOWEST_BELIEVED, SLOWEST_GUESS } from './token-bucket.ts';

/** The state of a limit is dropped after a day without use. */
const KEPT_US = 86_400_000_000;

/**
 * The first calls of a process can be late by any time: their connections are made first, and processes that start
 * together share a machine. A bucket that is full stays so until they arrive, so nobody gets a place that has to be
 * waited for before the first of them is answered; after this it is given up.
 */
const HELD_US = 3_000_000;
const ASK_AGAIN_US = 100_000;
const PROBE_US = 10_000_000;
/** Refusals that come together count once. */
const LOWER_AFTER_US = 1_000_000;
const RAISE_AFTER_US = 10_000_000;

/** All times are microseconds of the store's clock. */
const limitRow = z.object({
  /** It was last seen so long before that: each step that keeps it says so anew. */
  expires: z.number(),
  /** `probe`: one call is out to learn it, since `changed`; `open`: none is stated. */
  mode: z.enum(['probe', 'open', 'stated', 'learned']),
  /** Requests per second. */
  rate: z.number(),
  burst: z.number(),
  /** 1 until a refusal, where nobody stated the burst. */
  assumed: z.int(),
  /** When the bucket is full again: the theoretical arrival time of the generic cell rate algorithm. */
  tat: z.number(),
  /** When it was last asked for. */
  used: z.number(),
  changed: z.number(),
  /** Since when a first call of a process is out; 0 where none is. */
  cold: z.number(),
  /** The part of the limit for the replicas that reach the store: others may take the rest. */
  share: z.number(),
});

type Limit = z.output<typeof limitRow>;

const NEW: Limit = {
  expires: 0,
  mode: 'probe',
  rate: 0,
  burst: 1,
  assumed: 0,
  tat: 0,
  used: 0,
  changed: 0,
  cold: 0,
  share: 1,
};

/**
 * The time between two calls, and how far the bucket may be ahead. The service counts a call when it arrives, which is not
 * when it was sent: with one call less at once and 2 ms more between two, no call comes too early. Where the burst is one,
 * nothing is left but more time between two.
 */
function measure({ rate, burst, share }: Limit): { each: number; slack: number } {
  const exact = 1_000_000 / Math.max(rate, SLOWEST_BELIEVED) / share;
  if (burst <= 1) return { each: exact + Math.min(100_000, exact * 0.05), slack: 0 };
  const each = exact + Math.min(2_000, exact * 0.02);
  return { each, slack: (burst - 2) * each };
}

/** The limit as it is seen now. Its times move where the clock was set back: waits are differences, and nothing stands still until the clock has caught up. */
function rebase(limit: Limit, now: number): Limit {
  const expires = now + KEPT_US;
  const ahead = limit.expires - expires;
  if (ahead <= CLOCK_SET_US) return { ...limit, expires };
  const { each, slack } = measure(limit);
  const tat = Math.max(limit.tat - ahead, now + slack + each);
  return { ...limit, expires, used: limit.used - ahead, changed: limit.changed - ahead, cold: 0, tat };
}

function arrived(limit: Limit, now: number): void {
  if (limit.cold > 0) limit.tat += Math.max(0, Math.min(now - limit.cold, HELD_US));
  limit.cold = 0;
}

export interface Reserving {
  /** The rate that the caller knows. */
  stated: StatedRate | undefined;
  /** The longest wait that is of use. */
  most: number;
  /** A limit that was last used before that counts as empty. */
  emptyBefore: number;
  /** A limit that the store does not hold was empty then; 0 for never. */
  emptyAt: number;
  /** After that the answer is of no use. */
  latest: number;
  /** `cold`: this process has no answer under this limit yet. `lost`: it had a place and did not use it. */
  caller: 'warm' | 'cold' | 'lost';
  share: number;
}

export interface KnownLimit {
  mode: Limit['mode'];
  /** Undefined where none is stated, and none learned. */
  requestsPerSecond: number | undefined;
  burst: number;
}

export interface Reserved {
  /** `place`: to be waited for. `late`: it would come too late. `unknown`: nobody has one now. `stale`: the clock was set meanwhile. */
  how: 'go' | 'place' | 'late' | 'unknown' | 'stale';
  /** Microseconds. */
  wait: number;
  now: number;
  /** The time between two calls. */
  each: number;
  /** When the bucket is full again, with this place and without it. */
  tat: number;
  before: number;
  known: KnownLimit;
}

/** Exported for its tests. @param kept undefined for a limit that the store does not hold */
export function reserveIn(
  kept: Limit | undefined,
  asked: Reserving,
  now: number,
): { limit: Limit | undefined; reserved: Reserved } {
  const limit = rebase(kept ?? newLimit(asked, now), now);
  const { most, emptyBefore, emptyAt, caller, share } = asked;
  if (share !== limit.share && limit.tat > now) limit.tat = now + ((limit.tat - now) * limit.share) / share;
  limit.share = share;
  const { each, slack } = measure(limit);
  const answer = (how: Reserved['how'], wait: number, before = 0) => ({
    limit: how === 'stale' ? undefined : limit,
    reserved: { how, wait, now, each, tat: limit.tat, before, known: knownOf(limit) },
  });
  if (now > asked.latest) return answer('stale', 0);
  if (limit.mode === 'probe' && kept !== undefined && now - limit.changed <= PROBE_US)
    return answer('unknown', ASK_AGAIN_US);
  limit.used = now;
  if (limit.mode === 'probe') {
    limit.changed = now;
    return answer('go', 0);
  }
  if (limit.mode === 'open') return answer('go', 0);
  if (kept === undefined && emptyAt > 0) limit.tat = emptyAt + slack + each;
  if (kept !== undefined && kept.used < emptyBefore) {
    limit.tat = Math.max(limit.tat, now + slack + each);
    limit.cold = 0;
  }
  if (caller === 'lost') limit.cold = 0;
  if (now - limit.cold > HELD_US) arrived(limit, now);
  const wait = Math.max(0, limit.tat - slack - now);
  if (wait > most) return answer('late', wait);
  if (limit.cold > 0 && wait > 0) return answer('unknown', Math.max(wait, limit.cold - now + ASK_AGAIN_US));
  const before = limit.tat;
  limit.tat = Math.max(limit.tat, now) + each;
  if (limit.cold === 0 && caller !== 'warm') limit.cold = now + wait;
  return answer(wait === 0 ? 'go' : 'place', wait, before);
}

function newLimit({ stated }: Reserving, now: number): Limit {
  if (stated === undefined) return { ...NEW, used: now, changed: now };
  const { requestsPerSecond, burst } = stated;
  const assumed = burst === undefined ? 1 : 0;
  return {
    ...NEW,
    mode: 'stated',
    rate: believed(requestsPerSecond),
    burst: Math.max(1, burst ?? ASSUMED_BURST),
    assumed,
    used: now,
  };
}

const knownOf = ({ mode, rate, burst }: Limit): KnownLimit => ({
  mode,
  requestsPerSecond: mode === 'stated' || mode === 'learned' ? rate : undefined,
  burst,
});

export interface Learning {
  isRefused: boolean;
  /** The rate that the answer states. */
  stated: number | undefined;
  /** Microseconds to leave it alone. */
  pause: number;
  /** The rate that is guessed where none is known. */
  guess: number;
  /** The first answer of its process. */
  isFirst: boolean;
}

/** Exported for its tests. Undefined where the store has lost the limit meanwhile, and the answer says nothing of it. */
export function learnIn(kept: Limit | undefined, learned: Learning, now: number): Limit | undefined {
  const { isRefused, stated, pause, guess, isFirst } = learned;
  if (kept === undefined && !isRefused && stated === undefined) return undefined;
  const limit = rebase(kept ?? { ...NEW, used: now, changed: now }, now);
  if (isFirst) arrived(limit, now);
  if (stated !== undefined) {
    if (limit.mode !== 'stated') {
      Object.assign(limit, { mode: 'stated', rate: stated, burst: ASSUMED_BURST, assumed: 1 });
      limit.tat = now + measure(limit).each;
    }
    limit.rate = stated;
  }
  const sinceChange = now - limit.changed;
  if (isRefused) {
    const isLater = sinceChange >= LOWER_AFTER_US;
    if (limit.mode === 'probe' || limit.mode === 'open')
      Object.assign(limit, { mode: 'learned', rate: guess, burst: 1, changed: now });
    else if (limit.mode === 'learned' && isLater)
      Object.assign(limit, { rate: Math.max(SLOWEST_GUESS, limit.rate / 2), changed: now });
    else if (limit.assumed === 1 && isLater)
      Object.assign(limit, { burst: Math.max(1, Math.floor(limit.burst / 2)), changed: now });
    const { each, slack } = measure(limit);
    limit.tat = Math.max(limit.tat, now + pause + slack + each);
    limit.cold = 0;
  } else if (limit.mode === 'probe') Object.assign(limit, { mode: 'open', changed: now });
  else if (limit.mode === 'learned' && sinceChange >= RAISE_AFTER_US)
    Object.assign(limit, { rate: limit.rate * 1.25, changed: now });
  return limit;
}

// These steps of the store read a limit, change it, and keep it.

export function* reserve(name: string, asked: Reserving, { now }: Moment): StoreStep<Reserved> {
  const { limit, reserved } = reserveIn(yield* readLimit(name), asked, now);
  if (limit !== undefined) yield put('limits', 'name', { name, ...limit });
  return reserved;
}

export function* learn(name: string, learned: Learning, { now }: Moment): StoreStep<KnownLimit | undefined> {
  const limit = learnIn(yield* readLimit(name), learned, now);
  if (limit === undefined) return undefined;
  yield put('limits', 'name', { name, ...limit });
  return knownOf(limit);
}

/** Gives the last place back that was taken, whose call nobody waits for. */
export const giveBack = (name: string, { tat, before }: Pick<Reserved, 'tat' | 'before'>): StoreStep<void> =>
  execute(sql`UPDATE limits SET tat = ${before}, cold = 0 WHERE name = ${name} AND tat = ${tat}`);

function* readLimit(name: string): StoreStep<Limit | undefined> {
  const [row] = yield* select(sql`SELECT * FROM limits WHERE name = ${name}`, limitRow);
  return row;
}
