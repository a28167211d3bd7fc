/** A cold server under many calls at once: one token exchange, and every call answered. */

import { afterEach, expect, it } from 'vitest';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { connect, type Session } from '../helpers/sessions.ts';

let outside: Outside;
let session: Session;
afterEach(async () => {
  await session.close();
  await outside.close();
});

it('50 calls at once make exactly one token exchange', async () => {
  outside = await startOutside({ latencyMs: 20 });
  session = await connect({ args: outside.args, env: outside.env });
  const calls = Array.from({ length: 50 }, (_, at) =>
    at % 2 === 0
      ? session.call('get_catalog_item', { asin: 'B0SBX00001' })
      : session.call('read_operation', { operation: 'getSupplySources' }),
  );
  const outcomes = await Promise.all(calls);
  expect(outcomes.filter(({ isError }) => isError)).toEqual([]);
  expect(outside.sandbox.stats()).toMatchObject({
    exchanges: 1,
    failedExchanges: 0,
    calls: 50,
    rejectedTokens: 0,
  });
});

it('50 calls at once after every token expired make exactly one more', async () => {
  outside = await startOutside({ latencyMs: 20 });
  session = await connect({ args: outside.args, env: outside.env });
  await session.call('read_operation', { operation: 'getSupplySources' });
  outside.sandbox.expireTokens();
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () => session.call('read_operation', { operation: 'getSupplySources' })),
  );
  expect(outcomes.filter(({ isError }) => isError)).toEqual([]);
  expect(outside.sandbox.stats()).toMatchObject({ exchanges: 2, failedExchanges: 0 });
});

it('a failed exchange is told to all and not kept: the next call makes a new one', async () => {
  outside = await startOutside();
  outside.sandbox.faults.next({ operation: 'exchangeToken', status: 401, body: { error: 'invalid_client' } });
  session = await connect({ args: outside.args, env: outside.env });
  const call = () => session.call('read_operation', { operation: 'getSupplySources' });
  const first = await Promise.all(Array.from({ length: 10 }, call));
  expect(first.every(({ text }) => text.includes('invalid_client'))).toBe(true);
  expect(outside.sandbox.stats()).toMatchObject({ exchanges: 0, failedExchanges: 1 });
  await expect.poll(async () => (await call()).isError, { timeout: 8_000, interval: 250 }).toBe(false);
  expect(outside.sandbox.stats()).toMatchObject({ exchanges: 1 });
});
