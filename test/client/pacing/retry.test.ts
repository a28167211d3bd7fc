import { describe, expect, it } from 'vitest';
import { retry } from '../../../src/client/pacing/retry.ts';
import type { ApiResponse, Progress } from '../../../src/client/types.ts';
import { ApiError, NetworkError, RateLimitError, TimeoutError } from '../../../src/errors.ts';
import { apiRequest, apiResponse } from '../../helpers/api-request.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { failureOf, writeOperation } from '../../helpers/test-client.ts';

const write = { operation: writeOperation(), method: 'PUT', repeatable: false } as const;
const refusedConnection = new NetworkError('ECONNREFUSED', 'not-sent', 'refused');
const reset = new NetworkError('ECONNRESET', 'unknown', 'reset');

/** Plays the steps in order (the last one for ever) and moves the clock whenever the layer sleeps. */
function play(steps: readonly (ApiResponse | Error)[], random = 1) {
  const clock = fakeClock();
  let attempts = 0;
  const send = retry({ clock: { ...clock, sleep }, random: () => random })(async () => {
    const step = steps[Math.min(attempts++, steps.length - 1)];
    if (step === undefined || step instanceof Error) throw step;
    return step;
  });
  async function sleep(ms: number) {
    clock.sleeps.push(ms);
    await clock.advance(ms);
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

  it.each([400, 401, 403, 404, 409, 301])('nothing after %i', async (status) => {
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

  it('tells the last answer when attempts run out', async () => {
    const body = { errors: [{ code: 'Down', message: 'later' }] };
    const { send, deadline } = play([apiResponse(503, { 'x-svc-requestid': 'r' }, body)]);
    const error = await failureOf(send(apiRequest({ deadline })));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 503,
      requestId: 'r',
      hint: expect.stringContaining('Tried 5 times.'),
    });
  });
});
