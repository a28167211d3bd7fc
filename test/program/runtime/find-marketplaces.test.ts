/** The service is asked where an account sells: in time, with its own credentials, and never at their expense. */

import { afterEach, expect, it } from 'vitest';
import { startSandbox } from '../../../sandbox/start-sandbox.ts';
import { createMemoryStore } from '../../../src/accounts/memory-store.ts';
import { buildConfig } from '../../../src/base/config.ts';
import { findMarketplaces, offerRegion } from '../../../src/program/runtime/find-marketplaces.ts';
import { type Handler, type HttpService, startHttpService } from '../../helpers/http-service.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const secrets = { clientId: 'id', clientSecret: 'canary-secret', refreshToken: 'canary-first' };

async function serve(handler: Handler): Promise<HttpService> {
  const service = await startHttpService(handler);
  closers.push(service.close);
  return service;
}

function ask(store: ReturnType<typeof createMemoryStore>, timeoutMs?: number) {
  // The environment's settings of the account "default" do not matter here.
  const config = buildConfig(
    {},
    { SELLER_CLIENT_ID: 'e', SELLER_CLIENT_SECRET: 'e', SELLER_REFRESH_TOKEN: 'e' },
  );
  const { signal } = new AbortController();
  return findMarketplaces('default', {
    config,
    store,
    signal,
    learn: () => {},
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}

it('the sandbox names its marketplaces', async () => {
  const sandbox = await startSandbox({});
  closers.push(() => sandbox.close());
  const { baseUrl, authUrl, credentials } = sandbox;
  const store = createMemoryStore({ default: { ...credentials, baseUrl, authUrl } });
  const offer = await ask(store);
  expect(offer).toMatchObject({ isOwn: true, marketplaces: { length: 4 } });
  expect(offer.marketplaces[0]).toEqual({ id: 'ATVPDKIKX0DER', country: 'United States' });
});

it('a refresh token that is rotated meanwhile reaches the store', async () => {
  const service = await serve(({ path, headers }) => {
    if (path === '/auth/o2/token')
      return { body: { access_token: 'second', refresh_token: 'canary-second', token_type: 'bearer' } };
    const isNew = headers['x-amz-access-token'] === 'second';
    return isNew ? { body: { payload: [{ marketplace: { id: 'A1PA6795UKMFR9' } }] } } : { status: 401 };
  });
  const account = { ...secrets, baseUrl: service.url, authUrl: service.url };
  const store = createMemoryStore({ default: account });
  expect(await ask(store)).toMatchObject({ isOwn: true });
  expect((await store.read('default'))?.refreshToken).toBe('canary-second');
});

it.each([
  ['refuses', () => ({ status: 403, body: { errors: [{ code: 'Unauthorized', message: 'no role' }] } })],
  ['answers something else', () => ({ body: { payload: 'x' } })],
  ['names none', () => ({ body: { payload: [] } })],
  ['says nothing in time', () => undefined],
] as const satisfies readonly (readonly [string, Handler])[])(
  'where the service %s, none is offered as the account’s own',
  async (_how, handler) => {
    const service = await serve((request) =>
      request.path === '/auth/o2/token' ? { body: { access_token: 'a', token_type: 'bearer' } } : handler(),
    );
    const store = createMemoryStore({ default: { ...secrets, baseUrl: service.url, authUrl: service.url } });
    const offer = await ask(store, 1500);
    expect(offer).toEqual({ marketplaces: [], isOwn: false, failure: expect.stringMatching(/./) });
    expect(await store.read('default')).toMatchObject(secrets);
  },
);

it('the marketplaces of a region are known without asking', async () => {
  const store = createMemoryStore({ default: { ...secrets, region: 'fe' } });
  expect(await offerRegion('default', store)).toEqual({
    isOwn: false,
    marketplaces: [
      { id: 'A1VC38T7YXB528', country: 'Japan' },
      { id: 'A39IBJ37TRP1C6', country: 'Australia' },
      { id: 'A19VAU5U5O7RUS', country: 'Singapore' },
    ],
  });
});
