/** The calls that wait for one operation's limit: in order of arrival, bounded, each free to leave. */

import { RateLimitError } from '../../errors.ts';
import { inWords } from '../../text/duration.ts';
import type { ApiRequest, Clock } from '../types.ts';
import { type Outcome, Pace } from './pace.ts';

/** More than this many waiting calls are refused at once. */
export const MAX_WAITING = 500;

interface Waiter {
  request: ApiRequest;
  go(): void;
  refuse(error: RateLimitError): void;
}

export class CallQueue {
  readonly #clock: Clock;
  readonly #pace: Pace;
  /** Sorted by deadline, which is the order of arrival; a repeated call takes its old place. */
  readonly #waiting: Waiter[] = [];
  #alarm = new AbortController();

  constructor(
    known: { requestsPerSecond: number; burst?: number } | undefined,
    clock: Clock,
    closing: AbortSignal,
  ) {
    this.#clock = clock;
    this.#pace = new Pace(known, clock.now());
    closing.addEventListener('abort', () => this.#alarm.abort('off'), { once: true });
  }

  /** Resolves when the call may go. @throws RateLimitError when its turn would come too late or the queue is full. */
  async enter(request: ApiRequest): Promise<void> {
    if (this.#waiting.length === 0 && this.#pace.waitMs(this.#clock.now()) === 0) {
      return this.#pace.sent(this.#clock.now());
    }
    if (this.#waiting.length >= MAX_WAITING) throw this.#full(request);
    await this.#waitTurn(request);
  }

  /** Every call that entered tells how it ended. */
  leave(outcome: Outcome): void {
    this.#pace.answered(outcome, this.#clock.now());
    this.#advance();
  }

  #waitTurn(request: ApiRequest): Promise<void> {
    const { signal } = request;
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        signal.removeEventListener('abort', cancel);
        this.#remove(waiter);
        finish();
      };
      const cancel = () => settle(() => reject(signal.reason));
      const waiter: Waiter = {
        request,
        go: () => settle(resolve),
        refuse: (error) => settle(() => reject(error)),
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', cancel, { once: true });
      this.#insert(waiter);
      this.#advance();
      this.#tell(waiter);
    });
  }

  #insert(waiter: Waiter): void {
    const later = this.#waiting.findIndex((other) => other.request.deadline > waiter.request.deadline);
    this.#waiting.splice(later === -1 ? this.#waiting.length : later, 0, waiter);
  }

  #remove(waiter: Waiter): void {
    const index = this.#waiting.indexOf(waiter);
    if (index !== -1) this.#waiting.splice(index, 1);
  }

  #tell(waiter: Waiter): void {
    const position = this.#waiting.indexOf(waiter) + 1;
    const ms = this.#pace.waitMs(this.#clock.now(), position);
    if (position === 0 || ms === 0 || !Number.isFinite(ms)) return;
    waiter.request.onWait?.({ ms: Math.ceil(ms), reason: position > 1 ? 'queue' : 'rate limit' });
  }

  /** Lets go what may go, refuses what can no longer be in time, and sets the alarm for the next. */
  #advance(): void {
    if (this.#waiting.length === 0) return;
    this.#alarm.abort('off');
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      if (this.#pace.waitMs(this.#clock.now()) > 0) break;
      this.#pace.sent(this.#clock.now());
      first.go();
    }
    this.#refuseLate();
    if (this.#waiting.length > 0) this.#setAlarm();
  }

  #refuseLate(): void {
    const now = this.#clock.now();
    const late = this.#waiting.flatMap((waiter, index) => {
      const ms = this.#pace.waitMs(now, index + 1);
      return Number.isFinite(ms) && now + ms >= waiter.request.deadline ? [{ waiter, ms }] : [];
    });
    for (const { waiter, ms } of late) waiter.refuse(this.#tooLate(waiter.request, ms));
  }

  #setAlarm(): void {
    const ms = this.#pace.waitMs(this.#clock.now());
    if (!Number.isFinite(ms)) return;
    this.#alarm = new AbortController();
    this.#clock.sleep(Math.ceil(ms), this.#alarm.signal).then(
      () => this.#advance(),
      () => undefined,
    );
  }

  #tooLate(request: ApiRequest, ms: number): RateLimitError {
    const rate = this.#pace.requestsPerSecond;
    const limit = rate === undefined ? '' : ` (${Number(rate.toPrecision(3))} requests per second)`;
    return new RateLimitError(
      Math.ceil(ms),
      `The rate limit of ${request.operation.name}${limit} has no place before this call's deadline; it was not sent.`,
      `Call again in ${inWords(ms)}.`,
    );
  }

  #full(request: ApiRequest): RateLimitError {
    const ms = this.#pace.waitMs(this.#clock.now(), this.#waiting.length + 1);
    const wait = Number.isFinite(ms) ? ms : 1000;
    return new RateLimitError(
      Math.ceil(wait),
      `${this.#waiting.length} calls of ${request.operation.name} wait already; this one was not sent.`,
      `Call again in ${inWords(wait)}.`,
    );
  }
}
