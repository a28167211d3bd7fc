/** How long a call waits for the page. */

import { expect, it } from 'vitest';
import { type CredentialsPageOutcome, waitForCredentials } from '../../../src/accounts/page/open-page.ts';
import { CancelledError } from '../../../src/base/errors.ts';

const never = new Promise<CredentialsPageOutcome>(() => {});

it.each(['saved', 'expired', 'cancelled'] as const)('answers with the end: %s', async (end) => {
  expect(await waitForCredentials(Promise.resolve(end))).toBe(end);
});

it('answers that the page is still open when the time is over', async () => {
  expect(await waitForCredentials(never, 10)).toBe('waiting');
});

it('ends with the call, also one that was cancelled before', async () => {
  const call = new AbortController();
  const waiting = waitForCredentials(never, 10_000, call.signal);
  call.abort();
  await expect(waiting).rejects.toThrow(CancelledError);
  await expect(waitForCredentials(never, 10_000, call.signal)).rejects.toThrow(CancelledError);
});
