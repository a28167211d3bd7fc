import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ApiError,
  CancelledError,
  CredentialError,
  mayHaveBeenApplied,
  NetworkError,
  RateLimitError,
  TimeoutError,
} from '../../../src/base/errors.ts';
import type { ApiRequest, ApiResponse, Progress } from '../../../src/call/api-request.ts';
import { backoffMs, CAP_MS, planRetry } from '../../../src/call/pacing/backoff.ts';
import { retry } from '../../../src/call/pacing/retry.ts';
import { apiRequest, apiResponse } from '../../helpers/api-request.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { expectOnlyIn } from '../../helpers/only-in.ts';
import { failureOf, writeOperation } from '../../helpers/test-client.ts';
import { words } from '../../helpers/words.ts';

const write = { operation: writeOperation(), method: 'PUT', repeatable: false } as const;
const refusedConnection = new NetworkError('ECONNREFUSED', 'not-sent', 'refused');
const reset = new NetworkError('ECONNRESET', 'unknown', 'reset');

/** Plays the steps in order (the last one for ever) and moves the clock whenever the layer sleeps. */
function play(steps: readonly (ApiResponse | Error)[], random = 1) {
  const clock = fakeClock();
  let attempts = 0;
  const send = retry({ clock: { ...clock, after }, random: () => random })(async () => {
    const step = steps[Math.min(attempts++, steps.length - 1)];
    if (attempts > 100) throw new Error('it never gives up');
    if (step === undefined || step instanceof Error) throw step;
    return step;
  });
  function after(ms: number, run: () => void) {
    const cancel = clock.after(ms, run);
    void clock.advance(ms);
    return cancel;
  }
  const deadline = clock.now() + 50_000;
  return { send, clock, deadline, attempts: () => attempts };
}

describe('what is tried again', () => {
  it.each([500, 502, 503, 504])('a read after %i', async (status) => {
    const { send, attempts, deadline } = play([apiResponse(status), apiResponse(200)]);
    expect((await send(apiRequest({ deadline }))).status).toBe(200);
    expect(attempts()).toBe(2);
  });

  it.each([500, 502, 503, 504])('no write after %i', async (status) => {
    const { send, attempts, deadline } = play([apiResponse(status)]);
    expect((await send(apiRequest({ ...write, deadline }))).status).toBe(status);
    expect(attempts()).toBe(1);
  });

  it.each([apiResponse(429), apiResponse(500)])(
    'nothing once the call has ended: its last answer stands (%#)',
    async (last) => {
      const waits: Progress[] = [];
      const ended = {
        signal: AbortSignal.abort(),
        onProgress: (progress: Progress) => void waits.push(progress),
      };
      const { send, attempts, deadline } = play([last]);
      expect(await send(apiRequest({ deadline, ...ended }))).toBe(last);
      expect([attempts(), waits]).toEqual([1, []]);
      const failing = play([refusedConnection]);
      expect(await failureOf(failing.send(apiRequest({ deadline, ...ended })))).toBe(refusedConnection);
    },
  );

  it.each([400, 401, 403, 404, 409, 301, 501, 505])('nothing after %i', async (status) => {
    const { send, attempts, deadline } = play([apiResponse(status)]);
    await send(apiRequest({ deadline }));
    expect(attempts()).toBe(1);
  });

  it('a write after 429 and after a refused connection, which it certainly did not reach', async () => {
    const { send, attempts, deadline } = play([apiResponse(429), refusedConnection, apiResponse(200)]);
    expect((await send(apiRequest({ ...write, deadline }))).status).toBe(200);
    expect(attempts()).toBe(3);
  });

  it('a reset read, but no reset write, whose fate is unknown', async () => {
    const read = play([reset, apiResponse(200)]);
    expect((await read.send(apiRequest({ deadline: read.deadline }))).status).toBe(200);
    const writing = play([reset]);
    expect(await failureOf(writing.send(apiRequest({ ...write, deadline: writing.deadline })))).toBe(reset);
  });

  it('a reset write that carries an idempotency key', async () => {
    const { send, deadline } = play([reset, apiResponse(200)]);
    expect((await send(apiRequest({ ...write, repeatable: true, deadline }))).status).toBe(200);
  });

  it('a connect timeout, but nothing that cannot pass by itself', async () => {
    const { send, deadline } = play([new TimeoutError(10_000, 'not-sent', 'slow'), apiResponse(200)]);
    expect((await send(apiRequest({ ...write, deadline }))).status).toBe(200);
    for (const code of ['CERT_HAS_EXPIRED', 'ENOTFOUND', 'BODY_TOO_LARGE', 'NOT_JSON', 'TOO_DEEP']) {
      const lasting = play([new NetworkError(code, 'not-sent', code)]);
      await failureOf(lasting.send(apiRequest({ deadline: lasting.deadline })));
      expect(lasting.attempts()).toBe(1);
    }
  });

  it('nothing once the call is cancelled', async () => {
    const { send, attempts, deadline } = play([reset]);
    await failureOf(send(apiRequest({ deadline, signal: AbortSignal.abort() })));
    expect(attempts()).toBe(1);
  });
});

const purchase = {
  operation: writeOperation({
    name: 'purchaseShipment',
    method: 'POST',
    idempotencyKey: { in: 'header', name: 'x-key' },
  }),
  method: 'POST',
  repeatable: true,
  idempotencyKey: 'key-1',
} as const;

describe('the fate of a write whose attempts end differently', () => {
  const fails = async (steps: readonly (ApiResponse | Error)[], fields: Partial<ApiRequest> = {}) => {
    const played = play(steps);
    const error = await failureOf(
      played.send(apiRequest({ ...purchase, deadline: played.deadline, ...fields })),
    );
    if (!(error instanceof Error)) throw new Error('not an error');
    return { error, ...played };
  };

  it.each<[string, readonly (ApiResponse | Error)[], new (...args: never[]) => Error, string]>([
    ['reset, then 429 to the end', [reset, apiResponse(429)], RateLimitError, 'ECONNRESET'],
    [
      'reset, then no place under the limit',
      [reset, new RateLimitError(9, 'no place')],
      RateLimitError,
      'ECONNRESET',
    ],
    ['500, then a refused connection', [apiResponse(500), refusedConnection], NetworkError, 'status 500'],
    ['502, then 400', [apiResponse(502), apiResponse(400)], ApiError, 'status 502'],
    ['429, reset, then 409', [apiResponse(429), reset, apiResponse(409)], ApiError, 'ECONNRESET'],
    [
      '500, then an untrusted certificate',
      [apiResponse(500), new NetworkError('CERT', 'not-sent', 'x')],
      NetworkError,
      'status 500',
    ],
    [
      '500, then a connect timeout',
      [apiResponse(500), new TimeoutError(9, 'not-sent', 'slow')],
      TimeoutError,
      'status 500',
    ],
    ['500, then cancelled', [apiResponse(500), new CancelledError('gone')], CancelledError, 'status 500'],
    [
      '500, then no token',
      [apiResponse(500), new CredentialError('refused', 'no')],
      NetworkError,
      'status 500',
    ],
  ])('%s: the worst of them', async (_name, steps, kind, earlier) => {
    const { error } = await fails(steps);
    expect(error).toBeInstanceOf(kind);
    expect(mayHaveBeenApplied(error)).toBe(true);
    expect(error).toHaveProperty('hint', expect.stringContaining(`by an earlier attempt (${earlier})`));
    expect(error).toHaveProperty(
      'hint',
      expect.stringContaining('list or read what is under /things/v1/things'),
    );
  });

  it('is told with what the repeat failed of', async () => {
    const { error } = await fails([apiResponse(500), new CredentialError('refused', 'no token', 'Log in.')]);
    expect(error).toMatchObject({ code: 'REPEAT_FAILED', message: 'The repeat failed: no token' });
    expect(error).toHaveProperty('hint', expect.stringMatching(/look for the change\. Log in\.$/));
    expect(await fails([reset, new RateLimitError(9, 'no place')])).toMatchObject({
      error: { retryAfterMs: 9 },
    });
    expect(await fails([reset, new TimeoutError(7, 'not-sent', 'x')])).toMatchObject({
      error: { timeoutMs: 7 },
    });
    const lasting = await fails([apiResponse(500), refusedConnection]);
    expect(lasting.error).toMatchObject({
      code: 'ECONNREFUSED',
      message: 'The repeat failed: refused (tried 5 times)',
      cause: { message: 'refused (tried 5 times)' },
    });
  });

  it('is the worst too when the call ends while it waits for the repeat', async () => {
    const clock = fakeClock();
    const ending = new AbortController();
    const send = retry({ clock, random: () => 1 })(async () => apiResponse(500));
    const failed = failureOf(send(apiRequest({ ...purchase, signal: ending.signal })));
    await clock.advance(100);
    ending.abort(new TimeoutError(50_000, 'not-sent', 'The call did not end.'));
    expect(await failed).toMatchObject({ fate: 'unknown', timeoutMs: 50_000, cause: ending.signal.reason });
  });

  it('is the last one where it is no better, and nothing is said twice', async () => {
    const { error } = await fails([apiResponse(500), reset]);
    expect(error).toMatchObject({ code: 'ECONNRESET', fate: 'unknown', message: 'reset (tried 5 times)' });
    const again = await fails([reset, apiResponse(500)]);
    expect(again.error).toMatchObject({ status: 500, mayHaveBeenApplied: true });
    const worse = await fails([apiResponse(500), refusedConnection]);
    expectOnlyIn('by an earlier attempt', Object(worse.error).hint, Object(again.error).hint);
  });

  it('is good when an attempt succeeds', async () => {
    const { send, deadline } = play([reset, apiResponse(500), apiResponse(200)]);
    expect((await send(apiRequest({ ...purchase, deadline }))).status).toBe(200);
  });

  it('stays "not applied" where every attempt was refused or never left, and for reads', async () => {
    const refused = await fails([apiResponse(429), refusedConnection, apiResponse(400)]).catch(
      () => undefined,
    );
    expect(refused).toBeUndefined();
    expect(mayHaveBeenApplied((await fails([apiResponse(429)])).error)).toBe(false);
    expect(mayHaveBeenApplied((await fails([apiResponse(429), refusedConnection])).error)).toBe(false);
    const { send, deadline } = play([apiResponse(500), reset, refusedConnection]);
    expect(await failureOf(send(apiRequest({ deadline })))).toMatchObject({ fate: 'not-sent' });
  });

  it('leaves what is no failure of ours as it is', async () => {
    const broken = new TypeError('a mistake');
    expect((await fails([apiResponse(500), broken])).error).toBe(broken);
  });
});

describe('how long and how often', () => {
  it('at most five attempts, backing off in between, told to whoever listens', async () => {
    const { send, attempts, deadline, clock } = play([reset]);
    const waits: Progress[] = [];
    const error = await failureOf(send(apiRequest({ deadline, onProgress: (wait) => waits.push(wait) })));
    expect(attempts()).toBe(5);
    expect(clock.sleeps).toEqual([500, 1000, 2000, 4000]);
    expect(waits).toEqual(clock.sleeps.map((ms) => ({ kind: 'wait', ms, reason: 'retry' })));
    expect(error).toMatchObject({ code: 'ECONNRESET', message: 'reset (tried 5 times)' });
  });

  it('waits as long as Retry-After says when that is longer', async () => {
    const { send, deadline, clock } = play([apiResponse(503, { 'retry-after': '20' }), apiResponse(200)]);
    await send(apiRequest({ deadline }));
    expect(clock.sleeps).toEqual([20_000]);
  });

  it('ends at once when the wait would pass the deadline, and says how long to wait', async () => {
    const { send, deadline, clock } = play([apiResponse(429, { 'retry-after': '120' })]);
    const error = await failureOf(send(apiRequest({ deadline })));
    expect(clock.sleeps).toEqual([]);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({
      retryAfterMs: 120_000,
      hint: expect.stringContaining('Call again in 120 s'),
    });
  });

  it.each(['99999999', '1700000000'])(
    'believes no Retry-After of %s: an hour at most, and says so',
    async (value) => {
      const { send, deadline } = play([apiResponse(429, { 'retry-after': value })]);
      expect(await failureOf(send(apiRequest({ deadline })))).toMatchObject({
        retryAfterMs: 3_600_000,
        hint: expect.stringContaining('Call again in 60 min. No longer wait than an hour is believed.'),
      });
    },
  );

  it('tells the last answer when attempts run out', async () => {
    const body = { errors: [{ code: 'Down', message: 'later' }] };
    const { send, deadline } = play([apiResponse(503, { 'x-svc-requestid': 'r' }, body)]);
    const error = await failureOf(send(apiRequest({ deadline })));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 503,
      requestId: words('r'),
      hint: expect.stringContaining('Tried 5 times.'),
    });
  });
});

const attempt = fc.integer({ min: 1, max: 1000 });
const random = fc.double({ min: 0, max: 1, noNaN: true });
const ms = fc.double({ min: 0, max: 1e7, noNaN: true });

describe('backoff', () => {
  it('is never negative and never over the cap', () => {
    fc.assert(
      fc.property(attempt, random, (n, r) => {
        const delay = backoffMs(n, r);
        expect(delay).toBeGreaterThanOrEqual(0);
        expect(delay).toBeLessThanOrEqual(CAP_MS);
      }),
    );
  });

  it('never shrinks from one attempt to the next for the same draw', () => {
    fc.assert(fc.property(attempt, random, (n, r) => backoffMs(n + 1, r) >= backoffMs(n, r)));
  });

  it('uses the whole range: nothing at 0, the doubled base at 1', () => {
    expect([1, 2, 3, 4, 5, 6].map((n) => backoffMs(n, 1))).toEqual([500, 1000, 2000, 4000, 8000, 10_000]);
    expect(backoffMs(4, 0)).toBe(0);
  });
});

describe('a plan', () => {
  it('waits at least as long as the service asks, and only inside the deadline', () => {
    fc.assert(
      fc.property(
        attempt,
        random,
        fc.option(ms, { nil: undefined }),
        ms,
        (n, r, retryAfterMs, remainingMs) => {
          const plan = planRetry({ attempt: n, maxAttempts: 5, random: r, retryAfterMs, remainingMs });
          expect(plan.ms).toBeGreaterThanOrEqual(retryAfterMs ?? 0);
          if (plan.kind === 'wait') expect(plan.ms).toBeLessThan(remainingMs);
          if (n >= 5) expect(plan.kind).toBe('give up');
        },
      ),
    );
  });

  it('keeps the total of all waits under the deadline', () => {
    const draws = fc.array(fc.tuple(random, fc.option(ms, { nil: undefined })), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(draws, ms, (steps, deadline) => {
        let waited = 0;
        for (const [index, [r, retryAfterMs]] of steps.entries()) {
          const remainingMs = deadline - waited;
          const plan = planRetry({
            attempt: index + 1,
            maxAttempts: 5,
            random: r,
            retryAfterMs,
            remainingMs,
          });
          if (plan.kind === 'give up') break;
          waited += plan.ms;
        }
        expect(waited).toBeLessThanOrEqual(deadline);
      }),
    );
  });
});
