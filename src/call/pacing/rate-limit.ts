/** Layer: every call waits for its place under its limit, in order of arrival; who would wait too long is refused. */

import { onAbort } from '../../base/cancel-signal.ts';
import type { Clock } from '../../base/clock.ts';
import { RateLimitError } from '../../base/errors.ts';
import { formatDuration } from '../../base/text/duration.ts';
import type { ApiRequest, ApiResponse, Layer } from '../api-request.ts';
import { requestsPerSecondOf, retryAfterMsOf } from '../transport/response-headers.ts';
import {
  type CallEnd,
  type Limiter,
  type LimitKey,
  nameOf,
  type QueueSlot,
  type StatedRate,
  type Turn,
} from './limiter.ts';

export interface RateLimitOptions {
  limiter: Limiter;
  clock: Clock;
  /** Aborts when the client closes, so that no timer outlives it. */
  closing: AbortSignal;
}

export function rateLimit(options: RateLimitOptions): Layer {
  const lines = new Map<string, WaitingLine>();
  return (next) => async (request) => {
    const line = lineOf(lines, request, options);
    const turn = line.enter(request);
    if (turn !== undefined) await turn;
    let end: CallEnd = { status: undefined };
    try {
      const response = await next(request);
      end = endOf(response, options.clock.wallClock());
      return response;
    } finally {
      line.leave(end);
    }
  };
}

function lineOf(
  lines: Map<string, WaitingLine>,
  request: ApiRequest,
  options: RateLimitOptions,
): WaitingLine {
  const { operation, rate } = limitOf(request);
  const { service, application, seller } = request.quota;
  const key = { service, application, seller, operation };
  const name = nameOf(key);
  const line = lines.get(name) ?? new WaitingLine(key, rate, options);
  lines.set(name, line);
  return line;
}

/** The rate of writes that are only validated; it is documented nowhere, and was measured by users. */
const PREVIEW_RATE: StatedRate = { requestsPerSecond: 1, burst: 1 };

/** Returns the limit of a call: a write that is only validated has a limit of its own. */
function limitOf({ operation, url }: ApiRequest): { operation: string; rate: StatedRate | undefined } {
  const { id, rate, previewMode } = operation;
  const isPreview =
    previewMode !== undefined && new URL(url).searchParams.get(previewMode.parameter) === previewMode.value;
  return isPreview
    ? { operation: `${id} ${previewMode.value}`, rate: PREVIEW_RATE }
    : { operation: id, rate };
}

function endOf({ status, headers }: ApiResponse, wallClock: number): CallEnd {
  return {
    status,
    requestsPerSecond: requestsPerSecondOf(headers),
    retryAfterMs: retryAfterMsOf(headers, wallClock),
  };
}

/** More than this many waiting calls are refused at once. */
export const MAX_WAITING = 500;

interface Waiter {
  request: ApiRequest;
  /** Ends the listening to its signal; set once it is known that there is a wait. */
  leave: (() => void) | undefined;
  resolve(): void;
  reject(error: unknown): void;
}

/** The calls of one session that wait for one limit; only the first of them asks for a turn. */
class WaitingLine {
  readonly #key: LimitKey;
  readonly #stated: StatedRate | undefined;
  readonly #limiter: Limiter;
  readonly #clock: Clock;
  /** Sorted by deadline, which is the order of arrival; a repeated call takes its old place. */
  readonly #waiting: Waiter[] = [];
  #isAsking = false;
  /** Something happened since the question went out: its answer may be out of date. */
  #askAgain = false;
  /** The slot of the first caller, and when it may go. */
  #place: QueueSlot | undefined;
  #readyAt = 0;
  #stopAlarm: () => void = () => undefined;

  constructor(key: LimitKey, stated: StatedRate | undefined, { limiter, clock, closing }: RateLimitOptions) {
    this.#key = key;
    this.#stated = stated;
    this.#limiter = limiter;
    this.#clock = clock;
    // Waiting callers leave by their own signals, which abort with it.
    closing.addEventListener('abort', () => this.#stopAlarm());
  }

  /**
   * Resolves when the call may go; undefined where it may at once, as nearly always.
   * @throws RateLimitError when its turn would come too late or too many wait.
   */
  enter(request: ApiRequest): Promise<void> | undefined {
    const isFirst = this.#waiting.length === 0 && !this.#isAsking;
    const turn = isFirst ? this.#ask(request) : undefined;
    if (turn !== undefined && 'go' in turn && turn.go) return undefined;
    return new Promise((resolve, reject) => {
      this.#insert({ request, leave: undefined, resolve, reject });
      if (turn === undefined && this.#readyAt > this.#clock.now()) this.#keepWaiting();
      else void this.#advance(turn);
    });
  }

  /** Every call that entered tells how it ended. */
  leave(end: CallEnd): void {
    void this.#limiter.ended(this.#key, end);
  }

  #ask({ deadline: latest }: ApiRequest): Turn | Promise<Turn> {
    return this.#limiter.ask(this.#key, this.#stated, { place: this.#place, latest, wake: this.#wake });
  }

  readonly #wake = () => {
    if (this.#waiting.length > 0 && !this.#isAsking) void this.#advance();
  };

  #leavePlace(): void {
    if (this.#place !== undefined) this.#limiter.leave(this.#key, this.#place);
    this.#place = undefined;
  }

  #insert(waiter: Waiter): void {
    const later = this.#waiting.findIndex((other) => other.request.deadline > waiter.request.deadline);
    this.#waiting.splice(later === -1 ? this.#waiting.length : later, 0, waiter);
  }

  #remove(waiter: Waiter): void {
    const index = this.#waiting.indexOf(waiter);
    if (index !== -1) this.#waiting.splice(index, 1);
    waiter.leave?.();
    // While a question is out, its answer says what becomes of the place.
    if (this.#waiting.length === 0 && !this.#isAsking) this.#leavePlace();
  }

  #refuse(waiter: Waiter, error: unknown): void {
    this.#remove(waiter);
    waiter.reject(error);
  }

  /** Lets go whoever may go; one question at a time, so that nobody overtakes. @param asked the first, where it is out already */
  async #advance(asked?: Turn | Promise<Turn>): Promise<void> {
    this.#askAgain = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#stopAlarm();
    let next = asked;
    for (let [first] = this.#waiting; this.#askAgain && first !== undefined; [first] = this.#waiting) {
      this.#askAgain = false;
      const turn = await (next ?? this.#ask(first.request));
      next = undefined;
      this.#place = turn.go ? undefined : turn;
      this.#readyAt = turn.go ? 0 : this.#clock.now() + turn.waitMs;
      if (turn.go) this.#letGo();
    }
    this.#isAsking = false;
    if (this.#waiting.length > 0) this.#keepWaiting();
    if (this.#waiting.length === 0) this.#leavePlace();
    this.#setAlarm();
  }

  #letGo(): void {
    this.#askAgain = true;
    const first = this.#waiting[0];
    // All have left while the question was out.
    if (first === undefined) return void this.#limiter.ended(this.#key, { status: undefined });
    this.#remove(first);
    first.resolve();
  }

  /** Removes the callers that would wait too long, and reports to the others how long they wait. */
  #keepWaiting(): void {
    const now = this.#clock.now();
    for (const [index, waiter] of [...this.#waiting].entries()) {
      const ms = this.#waitMs(now, index + 1);
      const { signal, deadline } = waiter.request;
      if (signal.aborted) this.#refuse(waiter, signal.reason);
      else if (index >= MAX_WAITING) this.#refuse(waiter, this.#full(waiter.request, ms));
      else if (ms !== undefined && now + ms >= deadline)
        this.#refuse(waiter, this.#tooLate(waiter.request, ms));
      else if (waiter.leave === undefined) this.#settleIn(waiter, ms, index > 0);
    }
  }

  #settleIn(waiter: Waiter, ms: number | undefined, isBehindOthers: boolean): void {
    const { request } = waiter;
    waiter.leave = onAbort(request.signal, () => this.#refuse(waiter, request.signal.reason));
    if (ms === undefined) return;
    request.onProgress?.({
      kind: 'wait',
      ms: Math.ceil(ms),
      reason: isBehindOthers ? 'queue' : 'rate limit',
    });
  }

  /** Returns the wait of the call at `position` (from 1); undefined while the limit is unknown. */
  #waitMs(now: number, position: number): number | undefined {
    const rate = this.#place?.requestsPerSecond;
    if (rate === undefined) return undefined;
    return Math.max(0, this.#readyAt - now) + ((position - 1) / rate) * 1000;
  }

  #setAlarm(): void {
    if (this.#waiting.length === 0) {
      // The next caller has to ask, because no alarm is set.
      this.#readyAt = 0;
      return;
    }
    const ms = Math.max(0, Math.ceil(this.#readyAt - this.#clock.now()));
    this.#stopAlarm = this.#clock.after(ms, () => void this.#advance());
  }

  #tooLate(request: ApiRequest, ms: number): RateLimitError {
    const rate = this.#place?.requestsPerSecond;
    const limit = rate === undefined ? '' : ` (${Number(rate.toPrecision(3))} requests per second)`;
    return new RateLimitError(
      Math.ceil(ms),
      `The rate limit of ${request.operation.name}${limit} has no place before this call's deadline; it was not sent.`,
      `Call again in ${formatDuration(ms)}.`,
    );
  }

  #full(request: ApiRequest, ms = 1000): RateLimitError {
    return new RateLimitError(
      Math.ceil(ms),
      `${MAX_WAITING} calls of ${request.operation.name} wait already; this one was not sent.`,
      `Call again in ${formatDuration(ms)}.`,
    );
  }
}
