/** A stream that somebody listens to, by the clock of its own timers. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSubscriptions } from '../../src/http/subscriptions.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const caller = (subject: string, seconds = 3_600) => ({
  issuer: 'https://issuer.example',
  subject,
  groups: [],
  scopes: [],
  expiresAt: Date.now() / 1000 + seconds,
});

it.each<[string, () => Promise<boolean>, boolean]>([
  ['that is there still', async () => true, false],
  ['that was taken away', async () => false, true],
  ['that cannot be looked up', () => Promise.reject(new Error('no file')), true],
])('with access %s, it goes on or ends at the next look', async (_name, hasAccess, isOver) => {
  const subscriptions = createSubscriptions({ hasAccess, lookAgainMs: 1_000 });
  const ended = subscriptions.open(caller('anna'), new AbortController().signal);
  await vi.advanceTimersByTimeAsync(999);
  expect([ended?.aborted, subscriptions.count()]).toEqual([false, 1]);
  await vi.advanceTimersByTimeAsync(1);
  expect([ended?.aborted, subscriptions.count()]).toEqual([isOver, isOver ? 0 : 1]);
  subscriptions.end();
});
