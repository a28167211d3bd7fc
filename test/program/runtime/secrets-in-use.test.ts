/** Tests that redaction never forgets the secrets that a session uses, whatever else it learns. */

import { expect, it } from 'vitest';
import { readOperation } from '../../../tools/read-operation.ts';
import { startToolRunner } from '../../helpers/tool-runner.ts';

/** More than the redaction remembers of what is not in use. */
const MORE = 1_100;
const SECRETS = { SELLER_CLIENT_SECRET: 'client-secret-plain', SELLER_REFRESH_TOKEN: 'refresh-token-plain' };

it('the access token, the client secret and the refresh token, after a thousand restricted tokens', async () => {
  const runner = await startToolRunner(() => ({ body: {} }), SECRETS);
  try {
    await runner.run(readOperation, { operation: 'getSupplySources' });
    const client = await runner.session.client();
    const owner = await (await runner.session.accounts()).profile('default');
    for (let i = 0; i < MORE; i += 1) {
      const path = `/orders/v0/orders/${i}/address`;
      client.rememberRestrictedToken(owner, [{ method: 'GET', path }], `restricted-token-${i}`, 3600);
    }
    const { redact } = runner.session.redactor;
    // The token is found by its value; its look alone would leave its kind.
    expect(redact('Atza|token-1')).toBe('[redacted]');
    expect(redact(Object.values(SECRETS).join(' '))).toBe('[redacted] [redacted]');
    expect(redact(`restricted-token-${MORE - 1}`)).toBe('[redacted]');
  } finally {
    await runner.close();
  }
});

it('a token that is used again is among the last to be forgotten', async () => {
  const runner = await startToolRunner(() => ({ body: {} }), SECRETS);
  try {
    const client = await runner.session.client();
    const owner = await (await runner.session.accounts()).profile('default');
    const { add, redact } = runner.session.redactor;
    const order = { method: 'GET', path: '/orders/v0/orders/1/address' };
    client.rememberRestrictedToken(owner, [order], 'restricted-token-used', 3600);
    for (let i = 0; i < 900; i += 1) add(`another-token-${i}`);
    await runner.run(readOperation, { operation: 'getOrderAddress', parameters: { orderId: '1' } });
    expect(runner.calls()[0]?.headers['x-amz-access-token']).toBe('restricted-token-used');
    for (let i = 900; i < 1_500; i += 1) add(`another-token-${i}`);
    expect(redact('restricted-token-used another-token-0')).toBe('[redacted] another-token-0');
  } finally {
    await runner.close();
  }
});
