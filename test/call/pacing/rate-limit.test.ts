import { describe, expect, it } from 'vitest';
import { RateLimitError } from '../../../src/base/errors.ts';
import type { ApiRequest, ApiResponse, Progress } from '../../../src/call/api-request.ts';
import { createLocalLimiter } from '../../../src/call/pacing/limiter.ts';
import { MAX_WAITING, rateLimit } from '../../../src/call/pacing/rate-limit.ts';
import { apiRequest, apiResponse } from '../../helpers/api-request.ts';
import { type FakeClock, fakeClock, settled } from '../../helpers/fake-clock.ts';
import { failureOf, operation } from '../../helpers/test-client.ts';

type Answer = (request: ApiRequest, at: number) => ApiResponse;

/** The layer above a service that answers after 10 ms, on a clock that the test moves. */
function pacedService(answer: Answer = () => apiResponse(200)) {
  const clock = fakeClock();
  const start = clock.now();
  const sent: { name: string; at: number }[] = [];
  const layer = rateLimit({
    clock,
    limiter: createLocalLimiter({ clock }),
    closing: new AbortController().signal,
  });
  const send = layer(async (request) => {
    sent.push({ name: request.headers.name ?? '', at: clock.now() - start });
    const response = answer(request, clock.now() - start);
    await clock.sleep(10);
    return response;
  });
  return { clock, send, sent, times: () => sent.map(({ at }) => at) };
}

/** A token bucket on the side of the service, counting in its own way; answers 429 where it is empty. */
function enforcing(perSecond: number, burst: number, headers: Record<string, string> = {}): Answer {
  let tokens = burst;
  let last = 0;
  return (_request, at) => {
    tokens = Math.min(burst, tokens + ((at - last) / 1000) * perSecond);
    last = at;
    if (tokens < 1) return apiResponse(429);
    tokens -= 1;
    return apiResponse(200, headers);
  };
}

const rated = (requestsPerSecond: number, burst?: number) =>
  operation({ rate: { requestsPerSecond, ...(burst === undefined ? {} : { burst }) } });

/** Keeps `width` calls in flight for `ms`; a refused call asks again when told. */
async function demand(
  setup: { clock: FakeClock; send: (request: ApiRequest) => Promise<ApiResponse> },
  fields: Partial<ApiRequest>,
  ms: number,
  width = 20,
) {
  const { clock, send } = setup;
  const end = clock.now() + ms;
  const answers: { status: number; at: number }[] = [];
  const worker = async () => {
    while (clock.now() < end) {
      try {
        const { status } = await send(apiRequest({ ...fields, deadline: clock.now() + 50_000 }));
        answers.push({ status, at: clock.now() });
      } catch (error) {
        if (!(error instanceof RateLimitError)) throw error;
        await clock.sleep(Math.min(error.retryAfterMs, 1000));
      }
    }
  };
  const workers = Promise.all(Array.from({ length: width }, worker));
  await clock.advance(ms + 60_000);
  await workers;
  const inTime = answers.filter(({ at }) => at <= end);
  return {
    accepted: inTime.filter(({ status }) => status === 200).length,
    refused: inTime.filter(({ status }) => status === 429),
  };
}

describe('a known limit', () => {
  it('lets the burst go at once: the second getOrders does not wait a minute', async () => {
    const { clock, send, times } = pacedService();
    const calls = Array.from({ length: 20 }, () => send(apiRequest({ operation: rated(0.0167, 20) })));
    await settled();
    expect(times()).toEqual(new Array(20).fill(0));
    await clock.advance(100);
    await Promise.all(calls);
  });

  it.each([
    [5, 10],
    [0.5, 1],
  ])(
    'at %d/s burst %d with the burst known: no 429, at least 95%% of what is allowed',
    async (perSecond, burst) => {
      const setup = pacedService(enforcing(perSecond, burst));
      const { accepted, refused } = await demand(setup, { operation: rated(perSecond, burst) }, 60_000);
      expect(refused).toHaveLength(0);
      expect(accepted).toBeGreaterThanOrEqual(0.95 * Math.floor(burst + perSecond * 60));
    },
  );

  it.each([
    [5, 10],
    [0.5, 1],
  ])(
    'at %d/s burst %d with only the header known: at most 5 429s, early, and 95%%',
    async (perSecond, burst) => {
      const setup = pacedService(enforcing(perSecond, burst, { 'x-svc-ratelimit-limit': String(perSecond) }));
      const began = setup.clock.now();
      const { accepted, refused } = await demand(setup, {}, 60_000);
      expect(refused.length).toBeLessThanOrEqual(5);
      expect(refused.every(({ at }) => at - began <= 10_000)).toBe(true);
      expect(accepted).toBeGreaterThanOrEqual(0.95 * Math.floor(burst + perSecond * 60));
    },
  );

  it('is kept per service, application, seller and operation, whatever the account is called here', async () => {
    const { clock, send, times } = pacedService();
    const one = rated(0.01, 1);
    const other = { ...one, id: 'Test/other' };
    const requests = [
      apiRequest({ operation: one }),
      apiRequest({ operation: other }),
      ...(['service', 'application', 'seller'] as const).map((part) =>
        apiRequest({ operation: one, quota: { ...apiRequest().quota, [part]: 'another' } }),
      ),
    ];
    const calls = requests.map((request) => send(request));
    await clock.advance(50);
    await Promise.all(calls);
    expect(times()).toEqual([0, 0, 0, 0, 0]);
    const again = send(apiRequest({ operation: one, account: 'b', deadline: clock.now() + 1000 }));
    expect(await failureOf(again)).toBeInstanceOf(RateLimitError);
  });
});

describe('an unknown limit', () => {
  it('sends the first call alone, then paces by the header', async () => {
    const { clock, send, times } = pacedService(() => apiResponse(200, { 'x-amzn-ratelimit-limit': '2' }));
    const calls = Array.from({ length: 7 }, () => send(apiRequest()));
    await settled();
    expect(times()).toEqual([0]);
    await clock.advance(2000);
    await Promise.all(calls);
    expect(times().filter((at) => at <= 10)).toHaveLength(5);
    expect(
      times()
        .slice(5)
        .map((at) => Math.round(at / 100) * 100),
    ).toEqual([500, 1000]);
  });

  it('lets the next go first when the lone first call got no answer', async () => {
    const clock = fakeClock();
    const layer = rateLimit({
      clock,
      limiter: createLocalLimiter({ clock }),
      closing: new AbortController().signal,
    });
    let calls = 0;
    const send = layer(async () => {
      if (++calls === 1) throw new Error('lost');
      return apiResponse(200);
    });
    const results = await Promise.allSettled([send(apiRequest()), send(apiRequest()), send(apiRequest())]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  });
});

describe('after a 429', () => {
  it('all waiting calls wait for Retry-After together and then go at the rate, not in a burst', async () => {
    let refusals = 0;
    const { clock, send, times } = pacedService((_request, at) =>
      at === 0 && refusals++ === 0 ? apiResponse(429, { 'retry-after': '5' }) : apiResponse(200),
    );
    const operations = { operation: rated(2, 1) };
    const calls = Array.from({ length: 4 }, () => send(apiRequest(operations)));
    await clock.advance(10_000);
    await Promise.all(calls);
    expect(times()[0]).toBe(0);
    expect(times()[1]).toBeGreaterThanOrEqual(5000);
    const gaps = times()
      .slice(2)
      .map((at, index) => at - (times()[index + 1] ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(500);
  });
});

describe('a limit that cannot be meant', () => {
  it.each(['99999999', '1700000000'])(
    'after a 429 with Retry-After %s the operation is open again in an hour',
    async (value) => {
      let refusals = 0;
      const { clock, send } = pacedService(() =>
        refusals++ === 0 ? apiResponse(429, { 'retry-after': value }) : apiResponse(200),
      );
      const go = () => send(apiRequest({ operation: rated(1, 1), deadline: clock.now() + 50_000 }));
      const first = go();
      await clock.advance(20);
      expect((await first).status).toBe(429);
      expect(await failureOf(go())).toMatchObject({
        hint: expect.stringMatching(/^Call again in 6[01] min\.$/),
      });
      await clock.advance(3_600_000);
      const later = go();
      await clock.advance(2000);
      expect((await later).status).toBe(200);
    },
  );

  it.each(['0.000000001', '1e-300'])('a rate header of %s leaves one call an hour', async (rate) => {
    const { clock, send } = pacedService(() => apiResponse(200, { 'x-amzn-ratelimit-limit': rate }));
    const fields = { operation: rated(1, 1) };
    const first = send(apiRequest(fields));
    await clock.advance(20);
    await first;
    const error = await failureOf(send(apiRequest({ ...fields, deadline: clock.now() + 50_000 })));
    expect(error).toMatchObject({ retryAfterMs: expect.closeTo(3_600_000, -4) });
    expect(error).toHaveProperty('message', expect.stringContaining('(0.000278 requests per second)'));
  });

  it('a rate header of 1e300 leaves a thousand a second', async () => {
    const limiter = createLocalLimiter({ clock: fakeClock() });
    const key = { ...apiRequest().quota, operation: 'x' };
    const stated = { requestsPerSecond: 1e300, burst: 1 };
    const asking = { latest: Number.POSITIVE_INFINITY };
    expect(await limiter.ask(key, stated, asking)).toEqual({ go: true });
    expect(await limiter.ask(key, stated, asking)).toMatchObject({ go: false, requestsPerSecond: 1000 });
  });
});

describe('the queue', () => {
  it('is fair: order of arrival, and a repeated call keeps its place', async () => {
    const { clock, send, sent } = pacedService();
    const fields = { operation: rated(1, 1) };
    const named = (name: string, deadline: number) =>
      send(apiRequest({ ...fields, headers: { name }, deadline }));
    const calls = [named('a', 50_000), named('c', 50_002), named('d', 50_003), named('b', 50_001)];
    await clock.advance(6000);
    await Promise.all(calls);
    expect(sent.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('lets a waiting call leave without disturbing the others', async () => {
    const { clock, send, sent } = pacedService();
    const leaving = new AbortController();
    const fields = { operation: rated(1, 1) };
    const first = send(apiRequest(fields));
    const left = failureOf(send(apiRequest({ ...fields, signal: leaving.signal })));
    const stays = send(apiRequest(fields));
    leaving.abort('gone');
    expect(await left).toBe('gone');
    await clock.advance(1100);
    await Promise.all([first, stays]);
    expect(sent).toHaveLength(2);
  });

  it('a turn that comes when whoever asked for it has left is given back: the next does not wait for its answer', async () => {
    const clock = fakeClock();
    const local = createLocalLimiter({ clock });
    let askMs = 0;
    const limiter: typeof local = {
      ...local,
      async ask(...asked) {
        if (askMs > 0) await clock.sleep(askMs);
        return local.ask(...asked);
      },
    };
    let calls = 0;
    const send = rateLimit({ clock, limiter, closing: new AbortController().signal })(async () => {
      calls += 1;
      await clock.sleep(10);
      if (calls === 1) throw new Error('lost');
      return apiResponse(200);
    });
    const leaving = new AbortController();
    const lost = failureOf(send(apiRequest()));
    const left = failureOf(send(apiRequest({ signal: leaving.signal })));
    await clock.advance(5);
    askMs = 50;
    await clock.advance(10);
    leaving.abort('gone');
    await clock.advance(100);
    expect([String(await lost), await left]).toEqual(['Error: lost', 'gone']);
    const next = send(apiRequest());
    await clock.advance(1_000);
    expect(calls).toBe(2);
    expect(await next).toMatchObject({ status: 200 });
  });

  it('refuses at once what cannot be in time, and says how long to wait', async () => {
    const { clock, send } = pacedService();
    const fields = { operation: rated(0.01, 1) };
    const first = send(apiRequest(fields));
    await clock.advance(20);
    await first;
    const error = await failureOf(send(apiRequest({ ...fields, deadline: clock.now() + 50_000 })));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfterMs: expect.closeTo(100_000, -2), hint: 'Call again in 100 s.' });
  });

  it('is bounded', async () => {
    const { clock, send } = pacedService();
    const fields = { operation: rated(1, 1) };
    const calls = Array.from({ length: MAX_WAITING + 1 }, () => send(apiRequest(fields)));
    await settled();
    expect(await failureOf(send(apiRequest(fields)))).toMatchObject({
      retryAfterMs: expect.closeTo(MAX_WAITING * 1000, -4),
      message: expect.stringContaining(`${MAX_WAITING} calls`),
    });
    await clock.advance((MAX_WAITING + 1) * 1100);
    await Promise.all(calls);
  });

  it('tells the waits', async () => {
    const { clock, send } = pacedService();
    const waits: Progress[] = [];
    const fields = { operation: rated(1, 1), onProgress: (wait: Progress) => void waits.push(wait) };
    const calls = [send(apiRequest(fields)), send(apiRequest(fields)), send(apiRequest(fields))];
    await clock.advance(5000);
    await Promise.all(calls);
    expect(waits.map(({ reason }) => reason)).toEqual(['rate limit', 'queue']);
    expect(waits[1]?.ms).toBeGreaterThan(waits[0]?.ms ?? 0);
  });
});
