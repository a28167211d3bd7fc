/** What is known of one operation's limit, and how each answer changes it. */

import { guessRate, lowerRate, raiseRate } from './learned-rate.ts';
import {
  answered,
  type Bucket,
  emptied,
  fullBucket,
  MARGIN_MS,
  take,
  waitMs,
  withCapacity,
  withRate,
} from './token-bucket.ts';

/** Burst assumed where only the rate is known. */
export const ASSUMED_BURST = 5;

/** What came back of one call; `status` is undefined when nothing did. */
export interface Outcome {
  status: number | undefined;
  /** From the rate header, where the answer had one. */
  requestsPerSecond?: number | undefined;
  retryAfterMs?: number | undefined;
}

export class Pace {
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

  constructor(known: { requestsPerSecond: number; burst?: number } | undefined, now: number) {
    this.#since = now;
    if (known === undefined) return;
    this.#mode = 'stated';
    this.#burst = known.burst === undefined ? 'assumed' : 'known';
    this.#bucket = fullBucket(known.requestsPerSecond, known.burst ?? ASSUMED_BURST, now);
  }

  get requestsPerSecond(): number | undefined {
    return this.#bucket?.requestsPerSecond;
  }

  /** Milliseconds until the call at `position` of those waiting may go; Infinity while a lone first call is out. */
  waitMs(now: number, position = 1): number {
    if (this.#bucket !== undefined) return waitMs(this.#bucket, now, position);
    return this.#mode === 'probe' && this.#inFlight + position > 1 ? Number.POSITIVE_INFINITY : 0;
  }

  /** A call goes out now. */
  sent(now: number): void {
    this.#inFlight++;
    if (this.#bucket === undefined) return;
    this.#bucket = take(this.#bucket, now);
    if (this.#bucket.held && this.#burst === 'assumed') this.#accepted = 0;
  }

  answered(outcome: Outcome, now: number): void {
    this.#inFlight--;
    if (this.#bucket !== undefined) this.#bucket = answered(this.#bucket, now);
    if (outcome.requestsPerSecond !== undefined) this.#stated(outcome.requestsPerSecond, now);
    if (outcome.status === 429) this.#refused(outcome, now);
    else if (outcome.status !== undefined) this.#acceptedOne(now);
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

  #refused(outcome: Outcome, now: number): void {
    if (this.#bucket === undefined) {
      this.#mode = 'learned';
      this.#burst = 'known';
      this.#bucket = fullBucket(guessRate(this.#accepted, now - this.#since), 1, now);
      this.#changedAt = now;
    } else if (this.#mode === 'learned') {
      this.#change(lowerRate(this.#bucket.requestsPerSecond, now - this.#changedAt), now);
    } else this.#lowerBurst(this.#bucket);
    this.#bucket = emptied(this.#bucket, now + (outcome.retryAfterMs ?? 0));
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
