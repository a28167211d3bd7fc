import { expect, it } from 'vitest';
import { createLocalLimiter } from '../../../src/call/pacing/limiter.ts';
import { rateLimit } from '../../../src/call/pacing/rate-limit.ts';
import { apiRequest, apiResponse } from '../../helpers/api-request.ts';
import { fakeClock, settled } from '../../helpers/fake-clock.ts';
import { operation } from '../../helpers/test-client.ts';

it('what is only checked goes once a second, and takes nothing from the limit of the write', async () => {
  const clock = fakeClock();
  const sent: string[] = [];
  const send = rateLimit({
    clock,
    limiter: createLocalLimiter({ clock }),
    closing: new AbortController().signal,
  })(async ({ url }) => {
    const isCheck = url.includes('mode=VALIDATION_PREVIEW');
    sent.push(isCheck ? 'checked' : 'written');
    return apiResponse(200, { 'x-amzn-ratelimit-limit': isCheck ? '1.0' : '5.0' });
  });
  const write = operation({
    previewMode: { parameter: 'mode', value: 'VALIDATION_PREVIEW' },
    rate: { requestsPerSecond: 5, burst: 5 },
  });
  const call = (query: string) =>
    send(
      apiRequest({
        operation: write,
        url: `https://service.example/items/1?${query}`,
        deadline: clock.now() + 50_000,
      }),
    );
  const all = [1, 2, 3].map(() => call('mode=VALIDATION_PREVIEW'));
  await settled();
  expect(sent).toEqual(['checked']);
  const writes = [1, 2, 3, 4].map(() => call('mode=OTHER'));
  await settled();
  expect(sent).toEqual(['checked', 'written', 'written', 'written', 'written']);
  await clock.advance(1_100);
  expect(sent.filter((what) => what === 'checked')).toHaveLength(2);
  await clock.advance(1_100);
  await Promise.all([...all, ...writes]);
  expect(sent.filter((what) => what === 'checked')).toHaveLength(3);
});
