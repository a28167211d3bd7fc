/** Tokens that the sessions of a process share: they end once what was bought is kept, and no session waits for another's. */

import { expect, it, onTestFinished } from 'vitest';
import { onAbort } from '../../../src/base/cancel-signal.ts';
import { CredentialError } from '../../../src/base/errors.ts';
import type { ApiResponse } from '../../../src/call/api-request.ts';
import { createAccountTokens } from '../../../src/call/tokens/account-tokens.ts';
import { apiResponse } from '../../helpers/api-request.ts';
import { fakeClock, settled } from '../../helpers/fake-clock.ts';
import { memoryAccounts, testAccount } from '../../helpers/memory-accounts.ts';
import { operation, setUp } from '../../helpers/test-client.ts';

/** An exchange is under way, and `answer` ends it with a new refresh token. */
async function exchanging() {
  const clock = fakeClock();
  const accounts = memoryAccounts(testAccount({ baseUrl: 'http://127.0.0.1:1' }));
  let answer: (response: ApiResponse) => void = () => undefined;
  const shared = createAccountTokens({
    accounts,
    send: ({ signal }) =>
      new Promise((resolve, reject) => {
        answer = resolve;
        onAbort(signal, () => reject(signal.reason));
      }),
    timeoutMs: 60_000,
    clock,
    onSecret: () => undefined,
    warn: () => undefined,
  });
  const token = shared.seller.get('default').catch((error: unknown) => error);
  await settled();
  const body = { access_token: 'a', token_type: 'bearer', expires_in: 3600, refresh_token: 'refresh-2' };
  return { clock, accounts, shared, token, answer: () => answer(apiResponse(200, {}, body)) };
}

/** Whether it has ended by now. */
function watch(work: Promise<void>) {
  const watched = { hasEnded: false, work };
  void work.then(() => {
    watched.hasEnded = true;
  });
  return watched;
}

it('end once a new refresh token that is on its way is kept', async () => {
  const { accounts, shared, token, answer, clock } = await exchanging();
  const closing = watch(shared.close());
  await settled();
  expect(closing.hasEnded).toBe(false);
  answer();
  await closing.work;
  expect(await token).toBe('a');
  expect(accounts.rotations).toMatchObject([{ to: 'refresh-2' }]);
  expect(clock.sleeping()).toBe(0);
});

it('wait for it two seconds and no longer', async () => {
  const { shared, token, clock } = await exchanging();
  const closing = watch(shared.close());
  await clock.advance(1_990);
  expect(closing.hasEnded).toBe(false);
  await clock.advance(20);
  expect(closing.hasEnded).toBe(true);
  expect(await token).toBeInstanceOf(Error);
});

it('are waited for by no session that ends', async () => {
  const { shared } = await exchanging();
  const own = { tokens: shared, clock: fakeClock() };
  const { client, close } = await setUp(() => ({ body: {} }), { client: own });
  onTestFinished(close);
  const closing = watch(client.close());
  await settled();
  expect(closing.hasEnded).toBe(true);
});

it('are exchanged for none whose own accounts have it no more', async () => {
  const { shared, answer } = await exchanging();
  answer();
  const { client, close, accounts } = await setUp(() => ({ body: {} }), { client: { tokens: shared } });
  onTestFinished(close);
  accounts.get = async () => {
    throw new CredentialError('missing', 'It was taken away.');
  };
  await expect(client.exchangeToken('default')).rejects.toThrow('It was taken away.');
  await expect(client.call({ operation: operation(), parameters: {}, account: 'default' })).rejects.toThrow(
    'It was taken away.',
  );
});
