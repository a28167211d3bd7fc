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

/** What has a limit of its own: an operation, for one seller and one application. Never holds a secret. */
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

/** `requestsPerSecond` is missing while nobody knows the limit and a first call is out to learn it. */
export type Turn = { go: true } | { go: false; waitMs: number; requestsPerSecond?: number };

/** What came back of one call; `status` is undefined when nothing did. */
export interface CallEnd {
  status: number | undefined;
  /** From the rate header, where the answer had one. */
  requestsPerSecond?: number | undefined;
  retryAfterMs?: number | undefined;
}

/**
 * Belongs to the process, or to several machines: the clients of all sessions ask the same one. It keeps nobody
 * waiting; who is told to wait asks again when the time has passed. No method rejects.
 */
export interface Limiter {
  /**
   * May one more call go now? "Go" counts it as sent. What is known in this process is told at once.
   * @param stated the operation's limit, where one is known.
   */
  ask(key: LimitKey, stated: StatedRate | undefined): Turn | Promise<Turn>;
  /** How a call that went ended. */
  ended(key: LimitKey, end: CallEnd): Promise<void>;
  close(): Promise<void>;
}

const GO: Turn = { go: true };
/** When to ask again while the first call is out: its answer may come to another session. */
const ASK_AGAIN_MS = 100;

export function createLocalLimiter({ clock = systemClock }: { clock?: Clock } = {}): Limiter {
  const paces = new Map<string, Pace>();
  /** Who waits for a limit asks with the same key each time. */
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
    ask(key, stated) {
      const pace = paceOf(key, stated);
      const now = clock.now();
      const { requestsPerSecond } = pace;
      const ms = pace.waitMs(now);
      if (ms > 0)
        return requestsPerSecond === undefined ? UNKNOWN : { go: false, waitMs: ms, requestsPerSecond };
      pace.sent(now);
      return GO;
    },
    async ended(key, end) {
      paceOf(key).answered(end, clock.now());
    },
    async close() {
      paces.clear();
      known = new WeakMap();
    },
  };
}

const UNKNOWN: Turn = { go: false, waitMs: ASK_AGAIN_MS };

/** Burst assumed where only the rate is known. */
export const ASSUMED_BURST = 5;

/** What is known of one limit, and how each answer changes it. */
class Pace {
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
