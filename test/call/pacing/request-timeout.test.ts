import { expect, it } from 'vitest';
import { onAbort } from '../../../src/base/cancel-signal.ts';
import { CancelledError, TimeoutError } from '../../../src/base/errors.ts';
import type { Send } from '../../../src/call/api-request.ts';
import { requestTimeout } from '../../../src/call/pacing/request-timeout.ts';
import { apiRequest, apiResponse } from '../../helpers/api-request.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';

/** Answers never; ends with what the signal says. */
const silent: Send = ({ signal }) =>
  new Promise((_resolve, reject) => onAbort(signal, () => reject(signal.reason)));

it('a request of a patient call ends after the timeout of the client', async () => {
  const clock = fakeClock();
  const sent = requestTimeout({ clock, timeoutMs: 50 })(silent)(
    apiRequest({ deadline: clock.now() + 3_600_000 }),
  );
  const ended = expect(sent).rejects.toBeInstanceOf(TimeoutError);
  await clock.advance(50);
  await ended;
  expect(clock.sleeping()).toBe(0);
});

it('ends with the call when that is cancelled, and lets everything else through', async () => {
  const clock = fakeClock();
  const call = new AbortController();
  const layer = requestTimeout({ clock, timeoutMs: 50 });
  const sent = layer(silent)(apiRequest({ deadline: clock.now() + 3_600_000, signal: call.signal }));
  const ended = expect(sent).rejects.toBeInstanceOf(CancelledError);
  call.abort(new CancelledError('stop'));
  await ended;
  const short = apiRequest({ deadline: clock.now() + 50 });
  const seen: unknown[] = [];
  await layer(async (request) => {
    seen.push(request);
    return apiResponse(200);
  })(short);
  expect(seen).toEqual([short]);
  expect(clock.sleeping()).toBe(0);
});
