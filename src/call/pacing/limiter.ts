/** The limits of the service as a port: may this call go now, or how long must it wait? And the limiter of one process. */

import { type Clock, systemClock } from '../../base/clock.ts';
import type { Operation } from '../../service/facts/operation.ts';
import type { Quota } from '../api-request.ts';
import {
  answered,
  type Bucket,
  emptied,
  fullBucket,
  guessRate,
  lowerRate,
  MARGIN_MS,
  raiseRate,
  take,
  waitMs,
  withCapacity,
  withRate,
} from './token-bucket.ts';

/** The key of a limit: an operation, for one seller and one application. It never holds a secret. */
export interface LimitKey extends Quota {
  /** Id of the operation. */
  operation: string;
}

/** The same text for the same limit. */
export function nameOf({ operation, seller, application, service }: LimitKey): string {
  return `${operation}\n${seller}\n${application}\n${service}`;
}

/** A limit that is stated for an operation. */
export type StatedRate = NonNullable<Operation['rate']>;

/** It goes now; or it has a place in the order of those who wait, and says how long it takes. */
export type Turn = { go: true } | QueueSlot;

/** The slot of a caller that waits for a limit: asking with it again keeps its position. */
export interface QueueSlot {
  go: false;
  /** When to ask again. */
  waitMs: number;
  /** Missing while nobody knows the limit and a first call is out to learn it. */
  requestsPerSecond?: number | undefined;
}

export interface Asking {
  /** The slot of the last answer; a caller without one is last. */
  place?: QueueSlot | undefined;
  /** Milliseconds of the clock: a place that comes later is of no use. */
  latest: number;
  /** Called when it is worth asking again sooner than was told. */
  wake?: (() => void) | undefined;
}

/** The end of one call; `status` is undefined if no answer came. */
export interface CallEnd {
  status: number | undefined;
  /** The rate header, if the answer had one. */
  requestsPerSecond?: number | undefined;
  retryAfterMs?: number | undefined;
}

/**
 * Belongs to the process, or to several machines: the clients of all sessions ask the same one, each for one call at a
 * time, so that who has a thousand calls waits behind who has one. It keeps nobody waiting; who is told to wait asks
 * again when the time has passed. No method rejects.
 */
export interface Limiter {
  /**
   * May one more call go now? "Go" counts it as sent. What is known in this process is told at once.
   * @param stated the operation's limit, where one is known.
   */
  ask(key: LimitKey, stated: StatedRate | undefined, asking: Asking): Turn | Promise<Turn>;
  /** Gives up the slot. */
  leave(key: LimitKey, place: QueueSlot): void;
  /** How a call that went ended. */
  ended(key: LimitKey, end: CallEnd): Promise<void>;
  close(): Promise<void>;
}

const GO: Turn = { go: true };
/** When to ask again while the first call is out: its answer may come to another session. */
export const ASK_AGAIN_MS = 100;

export function createLocalLimiter({ clock = systemClock }: { clock?: Clock } = {}): Limiter {
  const paces = new Map<string, Pace>();
  /** A caller that waits for a limit asks with the same key each time. */
  let known = new WeakMap<LimitKey, Pace>();
  const paceOf = (key: LimitKey, stated?: StatedRate): Pace => {
    const same = known.get(key);
    if (same !== undefined) return same;
    const name = nameOf(key);
    const pace = paces.get(name) ?? new Pace(stated, clock.now());
    paces.set(name, pace);
    known.set(key, pace);
    return pace;
  };
  return {
    ask(key, stated, { place, wake }) {
      const pace = paceOf(key, stated);
      const now = clock.now();
      const ms = pace.waitMs(now);
      if (place === undefined && ms <= 0 && pace.order.isEmpty(now)) {
        pace.sent(now);
        return GO;
      }
      const { requestsPerSecond } = pace;
      const waiting = pace.order.stand(place, { firstMs: ms, requestsPerSecond, now, wake });
      if (ms > 0 || !pace.order.isFirst(waiting)) return waiting;
      pace.sent(now);
      pace.order.leave(waiting);
      return GO;
    },
    leave(key, place) {
      paceOf(key).order.leave(place);
    },
    async ended(key, end) {
      const pace = paceOf(key);
      pace.answered(end, clock.now());
      pace.order.wakeFirst();
    },
    async close() {
      paces.clear();
      known = new WeakMap();
    },
  };
}

/** A caller that is this late after its time has left. */
const GRACE_MS = 1_000;

interface Standing {
  /** Until when it is waited for, in milliseconds of the clock. */
  until: number;
  wake: (() => void) | undefined;
}

/** The callers that wait for one limit, in the order in which their calls go. */
export class Order {
  readonly #standing = new Map<QueueSlot, Standing>();

  isEmpty(now: number): boolean {
    if (this.#standing.size > 0) this.#forgetGone(now);
    return this.#standing.size === 0;
  }

  isFirst(place: QueueSlot): boolean {
    return this.#standing.keys().next().value === place;
  }

  /** The place that one has, or the last; with the wait that it has now. @param firstMs of whoever is first */
  stand(
    place: QueueSlot | undefined,
    asked: Pick<Asking, 'wake'> & { firstMs: number; requestsPerSecond: number | undefined; now: number },
  ): QueueSlot {
    const { firstMs, requestsPerSecond, now, wake } = asked;
    this.#forgetGone(now, place);
    const own: QueueSlot = place ?? { go: false, waitMs: 0 };
    const before = this.#standing.has(own) ? [...this.#standing.keys()].indexOf(own) : this.#standing.size;
    own.waitMs =
      requestsPerSecond === undefined ? ASK_AGAIN_MS : firstMs + (before * 1000) / requestsPerSecond;
    this.#standing.set(own, { until: now + own.waitMs + GRACE_MS, wake });
    // Each of several callers gets its share of the rate, so that its further calls wait longer.
    own.requestsPerSecond = requestsPerSecond && requestsPerSecond / this.#standing.size;
    return own;
  }

  /** Removes the slot, and wakes the caller that is first now. */
  leave(place: QueueSlot): void {
    const wasFirst = this.isFirst(place);
    this.#standing.delete(place);
    if (wasFirst) this.wakeFirst();
  }

  wakeFirst(): void {
    this.#standing.values().next().value?.wake?.();
  }

  #forgetGone(now: number, asking?: QueueSlot): void {
    for (const [place, { until }] of this.#standing)
      if (until < now && place !== asking) this.#standing.delete(place);
  }
}

/** Burst assumed where only the rate is known. */
export const ASSUMED_BURST = 5;

/** The state of one limit, which each answer changes. */
class Pace {
  readonly order = new Order();
  #bucket: Bucket | undefined;
  /** `probe`: nothing known, calls go alone; `open`: no limit stated; `stated` and `learned`: paced by the bucket. */
  #mode: 'probe' | 'open' | 'stated' | 'learned' = 'probe';
  /** `assumed` until the first refusal; while `settling`, calls sent before that refusal may still be accepted. */
  #burst: 'known' | 'assumed' | 'settling' = 'assumed';
  #settling = 0;
  #accepted = 0;
  #inFlight = 0;
  #since = 0;
  #changedAt = 0;

  constructor(stated: StatedRate | undefined, now: number) {
    this.#since = now;
    if (stated === undefined) return;
    this.#mode = 'stated';
    this.#burst = stated.burst === undefined ? 'assumed' : 'known';
    this.#bucket = fullBucket(stated.requestsPerSecond, stated.burst ?? ASSUMED_BURST, now);
  }

  get requestsPerSecond(): number | undefined {
    return this.#bucket?.requestsPerSecond;
  }

  /** Milliseconds until the next call may go; Infinity while a lone first call is out. */
  waitMs(now: number): number {
    if (this.#bucket !== undefined) return waitMs(this.#bucket, now);
    return this.#mode === 'probe' && this.#inFlight > 0 ? Number.POSITIVE_INFINITY : 0;
  }

  /** A call goes out now. */
  sent(now: number): void {
    this.#inFlight++;
    if (this.#bucket === undefined) return;
    this.#bucket = take(this.#bucket, now);
    if (this.#bucket.held && this.#burst === 'assumed') this.#accepted = 0;
  }

  answered(end: CallEnd, now: number): void {
    this.#inFlight--;
    if (this.#bucket !== undefined) this.#bucket = answered(this.#bucket, now);
    if (end.requestsPerSecond !== undefined) this.#stated(end.requestsPerSecond, now);
    if (end.status === 429) this.#refused(end, now);
    else if (end.status !== undefined) this.#acceptedOne(now);
  }

  #stated(requestsPerSecond: number, now: number): void {
    if (this.#bucket === undefined || this.#mode === 'learned') {
      const bucket = fullBucket(requestsPerSecond, ASSUMED_BURST, now + MARGIN_MS);
      this.#bucket = { ...bucket, tokens: Math.max(0, ASSUMED_BURST - this.#inFlight - 1) };
      this.#burst = 'assumed';
    } else if (this.#bucket.requestsPerSecond !== requestsPerSecond) {
      this.#bucket = withRate(this.#bucket, requestsPerSecond, now);
    }
    this.#mode = 'stated';
  }

  #refused(end: CallEnd, now: number): void {
    if (this.#bucket === undefined) {
      this.#mode = 'learned';
      this.#burst = 'known';
      this.#bucket = fullBucket(guessRate(this.#accepted, now - this.#since), 1, now);
      this.#changedAt = now;
    } else if (this.#mode === 'learned') {
      this.#change(lowerRate(this.#bucket.requestsPerSecond, now - this.#changedAt), now);
    } else this.#lowerBurst(this.#bucket);
    this.#bucket = emptied(this.#bucket, now + (end.retryAfterMs ?? 0));
  }

  /** The burst is what was accepted since the bucket was last full, calls still out included. */
  #lowerBurst(bucket: Bucket): void {
    if (this.#burst === 'assumed') {
      this.#burst = 'settling';
      this.#settling = this.#inFlight;
      this.#bucket = withCapacity(bucket, Math.max(1, Math.min(ASSUMED_BURST, this.#accepted)));
    } else this.#settle();
  }

  #acceptedOne(now: number): void {
    if (this.#mode === 'probe') this.#mode = 'open';
    this.#accepted++;
    if (this.#bucket === undefined) return;
    if (this.#burst === 'settling') {
      const burst = Math.max(this.#bucket.capacity, Math.min(ASSUMED_BURST, this.#accepted));
      this.#bucket = withCapacity(this.#bucket, burst);
      this.#settle();
    }
    if (this.#mode === 'learned') {
      this.#change(raiseRate(this.#bucket.requestsPerSecond, now - this.#changedAt), now);
    }
  }

  #settle(): void {
    if (this.#burst === 'settling' && --this.#settling <= 0) this.#burst = 'known';
  }

  #change(requestsPerSecond: number, now: number): void {
    if (this.#bucket === undefined || this.#bucket.requestsPerSecond === requestsPerSecond) return;
    this.#bucket = withRate(this.#bucket, requestsPerSecond, now);
    this.#changedAt = now;
  }
}
