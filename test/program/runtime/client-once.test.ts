/** One exchange for a command: what came of it is stored before the command can end, also when it was cancelled. */

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CredentialStore } from '../../../src/accounts/account.ts';
import { createAccountSource } from '../../../src/accounts/account-source.ts';
import { createMemoryStore } from '../../../src/accounts/memory-store.ts';
import { buildConfig } from '../../../src/base/config.ts';
import { CancelledError } from '../../../src/base/errors.ts';
import { exchangeOnce } from '../../../src/program/runtime/client-once.ts';
import { type HttpService, startHttpService } from '../../helpers/http-service.ts';

let service: HttpService;
let answered: Promise<void>;
let answer = () => {};

beforeEach(async () => {
  ({ promise: answered, resolve: answer } = Promise.withResolvers<void>());
  service = await startHttpService(async () => {
    await answered;
    const body = { access_token: 'A1', refresh_token: 'T1', token_type: 'bearer', expires_in: 3600 };
    return { body };
  });
});
afterEach(() => service.close());

/** A keychain that takes many turns of the event loop for each write. */
function slowStore(): CredentialStore {
  const inner = createMemoryStore({
    default: {
      clientId: 'i',
      clientSecret: 's',
      refreshToken: 'T0',
      baseUrl: service.url,
      authUrl: service.url,
    },
  });
  const slowly = async () => {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    ...inner,
    write: (name, value) => slowly().then(() => inner.write(name, value)),
    writeToken: (name, token) => slowly().then(() => inner.writeToken(name, token)),
  };
}

function exchange(store: CredentialStore, signal: AbortSignal) {
  const config = buildConfig({}, {});
  const accounts = createAccountSource({ config, store });
  return exchangeOnce('default', accounts, { config, signal, learn: () => undefined });
}

it('is over when the rotated token and the access token are stored', async () => {
  const store = slowStore();
  answer();
  expect(await exchange(store, new AbortController().signal)).toMatchObject({ rotated: true });
  expect(await store.read('default')).toMatchObject({ refreshToken: 'T1', previousRefreshToken: 'T0' });
  expect(await store.readToken('default')).toMatchObject({ accessToken: 'A1' });
});

it('stores what came back although the command was cancelled in the middle', async () => {
  const store = slowStore();
  const stop = new AbortController();
  const cancelled = expect(exchange(store, stop.signal)).rejects.toThrow(CancelledError);
  await expect.poll(() => service.requests.length).toBe(1);
  stop.abort();
  answer();
  await cancelled;
  expect(await store.read('default')).toMatchObject({ refreshToken: 'T1' });
});
