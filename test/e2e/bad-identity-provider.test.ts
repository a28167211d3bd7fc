/** An identity provider that fails or refuses: told apart from the service, and no secret with it. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { connect } from '../helpers/sessions.ts';

let outside: Outside;
beforeAll(async () => {
  outside = await startOutside({ rotate: false });
});
afterAll(() => outside.close());

describe('the identity provider', () => {
  it.each([
    ['HTML', { status: 200, body: '<html>' }, /without a usable access token|not JSON/],
    ['a reset', { reset: true }, /No access token could be fetched for account default.*reset/],
    ['500', { status: 500 }, /token exchange with the identity provider: 500 Server Error/],
    ['no token', { status: 200, body: { token_type: 'bearer' } }, /without a usable access token/],
    [
      'an error',
      { status: 400, body: { error: 'invalid_grant', error_description: 'revoked' } },
      /invalid_grant: revoked/,
    ],
  ] as const)('answers with %s', { timeout: 15_000 }, async (_case, fault, words) => {
    // A process of its own for each: after a failure the next exchange waits a little.
    const own = await connect({ args: outside.args, env: outside.env });
    outside.sandbox.faults.next({ operation: 'exchangeToken', times: 9, ...fault });
    try {
      const { isError, text } = await own.call('get_catalog_item', { asin: 'B0SBX00001' });
      expect({ isError, text }).toMatchObject({ isError: true, text: expect.stringMatching(words) });
      outside.sandbox.faults.clear();
      await vi.waitFor(async () => expect((await own.call('exchange_token')).isError).toBe(false), {
        timeout: 8_000,
        interval: 200,
      });
    } finally {
      outside.sandbox.faults.clear();
      await own.close();
    }
  });
});

it('a wrong secret: the code, what to do, and the secret nowhere', async () => {
  const wrong = 'canary-wrong-secret-0123456789';
  const env = { ...outside.env, SELLER_CLIENT_SECRET: wrong };
  const other = await connect({ args: [...outside.args, '--log-level=debug'], env });
  try {
    for (const name of ['exchange_token', 'get_catalog_item']) {
      const { isError, text } = await other.call(
        name,
        name === 'exchange_token' ? {} : { asin: 'B0SBX00001' },
      );
      expect(isError).toBe(true);
      expect(text).toContain('invalid_client');
      expect(text).toMatch(/Client id and client secret do not belong together.*log in again/);
      expect(text + other.stderr()).not.toContain(wrong);
    }
  } finally {
    await other.close();
  }
});
