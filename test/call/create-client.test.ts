import { afterEach, describe, expect, it } from 'vitest';
import type { Account, AccountSource } from '../../src/accounts/account.ts';
import {
  AccountChangedError,
  ApiError,
  CancelledError,
  CredentialError,
  InputError,
  RateLimitError,
  TimeoutError,
} from '../../src/base/errors.ts';
import type { Layer } from '../../src/call/api-request.ts';
import { createClient } from '../../src/call/create-client.ts';
import { standardLayers } from '../../src/call/layers.ts';
import { createLocalLimiter } from '../../src/call/pacing/limiter.ts';
import { createTransport } from '../../src/call/transport/transport.ts';
import { fakeClock } from '../helpers/fake-clock.ts';
import type { Handler } from '../helpers/http-service.ts';
import { memoryAccounts, testAccount } from '../helpers/memory-accounts.ts';
import {
  aloneClient,
  failureOf,
  operation,
  type SetupOptions,
  settings,
  setUp,
  type TestSetup,
  writeOperation,
} from '../helpers/test-client.ts';
import { words } from '../helpers/words.ts';

let setup: TestSetup;
const start = async (handler: Handler, options?: SetupOptions) => {
  setup = await setUp(handler, options);
  return setup;
};
afterEach(() => setup.close());

const getItem = operation({
  id: 'Catalog v0/getCatalogItem',
  name: 'getCatalogItem',
  path: '/catalog/v0/items/{asin}',
  parameters: [
    { name: 'asin', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'MarketplaceId', in: 'query', required: true, schema: { type: 'string' } },
  ],
});
const item = {
  operation: getItem,
  parameters: { asin: 'B00 1/2', MarketplaceId: 'A&B' },
  account: 'default',
};

describe('a call', () => {
  it('sends exactly what the operation says, with the token and the program named', async () => {
    const { client, calls } = await start(() => ({
      body: { payload: { sku: 's' } },
      headers: { 'x-svc-RateLimit-Limit': '2.5', 'x-svc-RequestId': 'r-1' },
    }));
    const result = await client.call(item);
    const [request] = calls();
    expect(request).toMatchObject({
      method: 'GET',
      path: '/catalog/v0/items/B00%201%2F2?MarketplaceId=A%26B',
      body: '',
    });
    expect(request?.headers).toMatchObject({
      'x-amz-access-token': 'token-1',
      'user-agent': `seller-commerce-mcp/9.9.9 (Language=TypeScript; Platform=Node/${process.versions.node}; Agent=automated)`,
      accept: 'application/json',
      'accept-encoding': 'gzip, br, deflate',
    });
    expect(result).toMatchObject({
      status: 200,
      body: { payload: { sku: 's' } },
      rateLimit: words('2.5'),
      requestId: words('r-1'),
    });
  });

  it('sends the body of a write as JSON and takes any 2xx without a body as success', async () => {
    const { client, calls } = await start(() => ({ status: 204 }));
    const body = { alias: 'x' };
    const result = await client.call({
      operation: writeOperation(),
      parameters: {},
      body,
      account: 'default',
    });
    expect(calls()[0]).toMatchObject({ method: 'PUT', json: body });
    expect(calls()[0]?.headers['content-type']).toBe('application/json');
    expect(result.body).toBeUndefined();
  });

  it('refuses wrong arguments before anything is sent', async () => {
    const { client, service } = await start(() => ({ body: {} }));
    const error = await failureOf(client.call({ ...item, parameters: { asin: '../x' } }));
    expect(error).toBeInstanceOf(InputError);
    expect(service.requests).toHaveLength(0);
  });

  it('tells section 7 errors with status, label, codes, request id and a next step', async () => {
    const errors = [{ code: 'NOT_FOUND', message: 'no such item', details: 'asin' }];
    const { client } = await start(() => ({
      status: 404,
      body: { errors },
      headers: { 'x-svc-RequestId': 'r-9' },
    }));
    const error = await failureOf(client.call(item));
    expect(error).toMatchObject({
      status: 404,
      requestId: words('r-9'),
      message: 'getCatalogItem: 404 Record Not Found: «NOT_FOUND: no such item (asin)»',
    });
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toHaveProperty('hint', expect.stringContaining('Check the identifier'));
  });

  it('records what was refused (403), by operation and account, until a call of it is answered', async () => {
    const statuses = [403, 500, 200, 403];
    const { client, accounts } = await start(() => ({ status: statuses.shift() ?? 200, body: {} }));
    const owner = await accounts.profile('default');
    const after: unknown[] = [];
    for (let i = 0; i < 3; i += 1) {
      await client.call(item).catch(() => undefined);
      after.push(client.refusalOf?.(getItem.id, owner)?.answeredBefore);
    }
    expect(after).toEqual([0, undefined, undefined]);
    expect(client.refusalOf?.('Catalog v0/other', owner)).toBeUndefined();
    expect(await client.refusals?.()).toMatchObject([
      { operation: getItem.id, account: 'default', about: ['A&B'], answeredBefore: 1 },
    ]);
    // Another seller's account of the same name may be allowed.
    accounts.set({ ...(await accounts.get('default')), refreshToken: 'of-another-login' });
    expect(client.refusalOf?.(getItem.id, await accounts.profile('default'))).toBeUndefined();
    expect(await client.refusals?.()).toEqual([]);
  });
});

describe('prepare', () => {
  it('shows the request, sends nothing, and holds no secret', async () => {
    const { client, service } = await start(() => ({}), { account: { marketplaceId: 'M1' } });
    const prepared = await client.prepare({ ...item, parameters: { asin: 'B1' } });
    expect(prepared).toEqual({
      method: 'GET',
      url: `${service.url}/catalog/v0/items/B1?MarketplaceId=M1`,
      headers: {},
      parameters: { asin: 'B1' },
      filledIn: { MarketplaceId: 'M1' },
      marketplaces: [expect.objectContaining({ given: 'M1', id: 'M1' })],
      owner: expect.objectContaining({ name: 'default', baseUrl: service.url }),
    });
    expect(service.requests).toHaveLength(0);
  });
});

describe('without an account', () => {
  const missing = new CredentialError('missing', 'There are no credentials.');
  const noAccount = {
    ...memoryAccounts(testAccount({ baseUrl: 'http://127.0.0.1:9' })),
    get: async () => Promise.reject(missing),
  };
  const accounts = {
    ...noAccount,
    profile: async () => ({ name: 'default', baseUrl: 'http://127.0.0.1:9', authUrl: 'http://127.0.0.1:9' }),
  };

  it('the credentials are missing, not the ids that come with them', async () => {
    const { client } = await start(() => ({}), { client: { accounts } });
    const call = { ...item, parameters: { asin: 'B1' } };
    expect(await failureOf(client.call(call))).toBe(missing);
    expect(await failureOf(client.prepare(call))).toBe(missing);
  });

  it('a request that lacks nothing of an account is still shown, and a wrong one is told', async () => {
    const { client } = await start(() => ({}), { client: { accounts } });
    expect(await client.prepare(item)).toMatchObject({ method: 'GET' });
    expect(await failureOf(client.prepare({ ...item, parameters: { MarketplaceId: 'M' } }))).toBeInstanceOf(
      InputError,
    );
  });
});

describe('a call that was confirmed for one owner', () => {
  it('goes to the marketplace that was shown, although the account has another by now', async () => {
    const { client, calls, accounts } = await start(() => ({ status: 204 }), {
      account: { marketplaceId: 'MARKET-A', sellerId: 'A1SELLER' },
    });
    const list = { type: 'array', items: { type: 'string' } } as const;
    const remove = writeOperation({
      method: 'DELETE',
      path: '/things/v1/things/{sellerId}',
      effect: 'delete',
      parameters: [
        { name: 'sellerId', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'marketplaceIds', in: 'query', required: true, schema: list },
      ],
    });
    const { body: _, ...operation } = remove;
    const call = { operation, parameters: {}, account: 'default' };
    const { owner, filledIn } = await client.prepare(call);
    accounts.set({ ...(await accounts.get('default')), marketplaceId: 'MARKET-B' });
    expect(await client.call({ ...call, owner })).toMatchObject({ status: 204, filledIn });
    await client.call(call);
    expect(calls().map(({ path }) => path)).toEqual([
      '/things/v1/things/A1SELLER?marketplaceIds=MARKET-A',
      '/things/v1/things/A1SELLER?marketplaceIds=MARKET-B',
    ]);
  });

  const body = { errors: [] };
  it('is not sent when the account has become another', async () => {
    const { client, service } = await start(() => ({ body: {} }));
    const { owner } = await client.prepare({ ...item, parameters: { asin: 'B1', MarketplaceId: 'M' } });
    const other = { ...owner, login: { clientId: 'other', grant: 'g' } };
    const call = { ...item, parameters: { asin: 'B1', MarketplaceId: 'M' } };
    await expect(client.call({ ...call, owner: other })).rejects.toMatchObject({ name: 'WriteRefusedError' });
    expect(service.requests).toEqual([]);
    expect(await client.call({ ...call, owner })).toMatchObject({ status: 200 });
  });

  it('is not repeated with the token of another, after its own was refused', async () => {
    const started = await start(() => {
      started.accounts.set(testAccount({ baseUrl: started.service.url, sellerId: 'A2OTHER' }));
      return { status: 401, body };
    });
    const { client, service } = started;
    const call = { ...item, parameters: { asin: 'B1', MarketplaceId: 'M' } };
    const { owner } = await client.prepare(call);
    await expect(client.call({ ...call, owner })).rejects.toMatchObject({ name: 'WriteRefusedError' });
    expect(service.requests.filter(({ path }) => path.startsWith('/catalog'))).toHaveLength(1);
  });
});

describe('a call that nobody confirmed, whose account becomes another before the token is added', () => {
  /** Becomes the next of the owners each time after it was read, as long as there are some. */
  const changing = (...owners: Account[]): AccountSource => {
    const [first, ...rest] = owners;
    const accounts = memoryAccounts(...(first === undefined ? [] : [first]));
    const profile = async (name: string) => {
      const found = await accounts.profile(name);
      const next = rest.shift();
      if (next !== undefined) accounts.set(next);
      return found;
    };
    return { ...accounts, profile };
  };
  const former = () => testAccount({ baseUrl: setup.service.url, sellerId: 'A1SELLER' });
  const thing = operation({
    path: '/things/v1/things/{sellerId}',
    parameters: [{ name: 'sellerId', in: 'path', required: true, schema: { type: 'string' } }],
  });
  const call = { operation: thing, parameters: {}, account: 'default' };
  const pathsOf = ({ calls }: TestSetup) => calls().map(({ path }) => path);

  it.each([
    ['read', {}],
    ['read that needs a token of its own', { auth: { kind: 'restricted' } }],
    ['read without a seller', { auth: { kind: 'grantless', scope: 'scope-1' } }],
  ] as const)('a %s is built anew: no token goes to the address of the former', async (_what, fields) => {
    const restrictedDataToken = { body: { restrictedDataToken: 'rdt-1', expiresIn: 3600 } };
    await start(() => restrictedDataToken);
    const other = await setUp(() => restrictedDataToken);
    const another = testAccount({
      baseUrl: other.service.url,
      refreshToken: 'refresh-canary-2',
      sellerId: 'A2SELLER',
    });
    const client = aloneClient({ accounts: changing(former(), another) });
    await client.call({ ...call, operation: { ...thing, ...fields } });
    expect(setup.service.requests).toEqual([]);
    expect(pathsOf(other).at(-1)).toBe('/things/v1/things/A2SELLER');
    await client.close();
    await other.close();
  });

  it.each(['read', 'write'] as const)(
    'a %s fails when that happens again; nothing is sent',
    async (effect) => {
      await start(() => ({ body: {} }));
      const [first, second] = [former(), { ...former(), sellerId: 'A2SELLER' }];
      // Each attempt looks twice: as it is built, and when it has its token.
      const client = aloneClient({ accounts: changing(first, second, second, first) });
      const failed = await failureOf(client.call({ ...call, operation: { ...thing, effect } }));
      expect(failed).toBeInstanceOf(AccountChangedError);
      expect(failed).toHaveProperty('message', expect.stringContaining('nothing was sent'));
      expect(setup.calls()).toEqual([]);
      await client.close();
    },
  );

  it('is not repeated with the token of another where its own was refused, but built anew', async () => {
    const started = await start(
      ({ path }) => {
        if (path.endsWith('A2SELLER')) return { body: {} };
        started.accounts.set({ ...former(), refreshToken: 'refresh-canary-2', sellerId: 'A2SELLER' });
        return { status: 401, body: { errors: [] } };
      },
      { account: { sellerId: 'A1SELLER' } },
    );
    expect(await started.client.call(call)).toMatchObject({ owner: { sellerId: 'A2SELLER' } });
    expect(started.calls().map(({ path, headers }) => [path, headers['x-amz-access-token']])).toEqual([
      ['/things/v1/things/A1SELLER', 'token-1'],
      ['/things/v1/things/A2SELLER', 'token-2'],
    ]);
  });
});

describe('ending early', () => {
  it('lets a cancellation reach the socket', async () => {
    const { promise: socketClosed, resolve: closed } = Promise.withResolvers<void>();
    const cancel = new AbortController();
    const { client } = await start((_request, response) => {
      response.on('close', () => closed());
      cancel.abort();
      return undefined;
    });
    expect(await failureOf(client.call(item, { signal: cancel.signal }))).toBeInstanceOf(CancelledError);
    await socketClosed;
  });

  it('ends at the deadline, saying so, and warns that a write may have been applied', async () => {
    const clock = fakeClock();
    const { client, calls } = await start(() => undefined, {
      settings: { callTimeoutMs: 250 },
      client: { clock },
    });
    const input = { operation: writeOperation(), parameters: {}, body: {}, account: 'default' };
    const failure = failureOf(client.call(input));
    await expect.poll(() => calls().length).toBe(1);
    await clock.advance(250);
    const error = await failure;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ timeoutMs: 250, fate: 'unknown' });
    expect(error).toHaveProperty('hint', expect.stringContaining('may have been applied'));
  });

  it('ends every call when the client closes, and refuses later ones', async () => {
    const { client, service } = await start(() => undefined);
    const waiting = failureOf(client.call(item));
    while (service.requests.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    await client.close();
    expect(await waiting).toBeInstanceOf(CancelledError);
    expect(await failureOf(client.call(item))).toBeInstanceOf(CancelledError);
  });
});

describe('two clients of one process', () => {
  it('share the connections and the limits; closing one leaves the other alone', async () => {
    const transport = createTransport(settings);
    const limiter = createLocalLimiter();
    const rated = operation({ rate: { requestsPerSecond: 0.001, burst: 1 } });
    const { accounts } = await start(() => ({ body: {} }));
    const one = aloneClient({ accounts, transport, limiter });
    const other = createClient({ accounts, settings, transport, limiter });
    const call = { operation: rated, parameters: {}, account: 'default' };
    expect((await one.call(call)).status).toBe(200);
    expect(await failureOf(other.call(call))).toBeInstanceOf(RateLimitError);
    await other.close();
    expect(await failureOf(other.call(item))).toBeInstanceOf(CancelledError);
    expect((await one.call(item)).status).toBe(200);
    await one.close();
    await limiter.close();
  });
});

describe('layers', () => {
  it('may be given as a list, outermost first', async () => {
    const seen: string[] = [];
    const named =
      (name: string): Layer =>
      (next) =>
      (request) => {
        seen.push(name);
        return next(request);
      };
    const { client } = await start(() => ({ body: {} }), {
      client: { layers: (parts) => [named('out'), ...standardLayers(parts), named('in')] },
    });
    await client.call(item);
    expect(seen).toEqual(['out', 'in']);
  });
});

describe('closing in the middle of a token exchange', () => {
  const rotating =
    (answer: Promise<void>): Handler =>
    async (_request, response) => {
      await answer;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ access_token: 'a', refresh_token: 'refresh-canary-2' }));
      return undefined;
    };

  it('waits until the new refresh token is kept', async () => {
    let go: (() => void) | undefined;
    const { client, accounts, service } = await start(() => ({ body: {} }), {
      token: rotating(
        new Promise((resolve) => {
          go = resolve;
        }),
      ),
    });
    const call = failureOf(client.call(item));
    while (service.requests.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    const closed = client.close();
    expect(await call).toBeInstanceOf(CancelledError);
    go?.();
    await closed;
    expect(accounts.rotations).toMatchObject([{ to: 'refresh-canary-2' }]);
  });
});

describe('a caller that writes down what leaves', () => {
  const write = { operation: writeOperation(), parameters: {}, body: {}, account: 'default' };

  it('is told just before each attempt, and when one was refused for its limit', async () => {
    const messages: string[] = [];
    let arrived = 0;
    const { client } = await start(() => {
      messages.push('arrived');
      return arrived++ === 0 ? { status: 429, headers: { 'retry-after': '0' } } : { status: 204 };
    });
    const dispatchHooks = {
      beforeDispatch: async () => void messages.push('leaves'),
      onNotApplied: async () => void messages.push('refused'),
    };
    await client.call(write, { dispatchHooks });
    expect(messages).toEqual(['leaves', 'arrived', 'refused', 'leaves', 'arrived']);
  });

  it('sends nothing where it was ended while that was written down', async () => {
    const { client, service } = await start(() => ({ status: 204 }));
    const ending = new AbortController();
    const dispatchHooks = { beforeDispatch: async () => ending.abort(), onNotApplied: async () => undefined };
    const error = await failureOf(client.call(write, { dispatchHooks, signal: ending.signal }));
    expect(error).toBeInstanceOf(Error);
    expect(service.requests.filter(({ method }) => method === 'PUT')).toHaveLength(0);
  });

  it('sends nothing where it says no', async () => {
    const { client, service } = await start(() => ({ status: 204 }));
    const beforeDispatch = () => Promise.reject(new InputError('The disk is full.'));
    const error = await failureOf(
      client.call(write, { dispatchHooks: { beforeDispatch, onNotApplied: beforeDispatch } }),
    );
    expect(String(error)).toContain('The disk is full.');
    expect(service.requests.filter(({ method }) => method === 'PUT')).toHaveLength(0);
  });
});
