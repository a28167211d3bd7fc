import { expect, it } from 'vitest';
import { pauseMs } from '../../../src/client/tokens/token-cache.ts';
import { CredentialError, NetworkError } from '../../../src/errors.ts';

const pauses = (error: unknown) =>
  [1, 2, 3, 4, 5, 6, 10, 12, 1000].map((failures) => pauseMs(failures, error));

it('refused credentials: none at first, then doubling up to five minutes', () => {
  expect(pauses(new CredentialError('refused', 'no'))).toEqual([
    0, 1000, 2000, 4000, 8000, 16_000, 256_000, 300_000, 300_000,
  ]);
});

it('an outage: at most ten seconds, so that nobody waits long after it', () => {
  expect(pauses(new NetworkError('ECONNRESET', 'not-sent', 'reset'))).toEqual([
    0, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000, 10_000,
  ]);
});
