import { afterEach, describe, expect, it } from 'vitest';
import type { Account } from '../../../src/accounts/account.ts';
import { WriteRefusedError } from '../../../src/base/errors.ts';
import type { RestrictedResource } from '../../../src/call/client-types.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import type { Handler } from '../../helpers/http-service.ts';
import { failureOf, operation, setUp, type TestSetup, writeOperation } from '../../helpers/test-client.ts';

let setup: TestSetup;
afterEach(() => setup.close());

const PURCHASE = '/tokens/2021-03-01/restrictedDataToken';
const address = operation({
  id: 'orders/getOrderAddress',
  name: 'getOrderAddress',
  path: '/orders/v0/orders/{orderId}/address',
  parameters: [{ name: 'orderId', in: 'path', required: true, schema: { type: 'string' } }],
  auth: { kind: 'restricted' },
});
const call = (orderId: string, of = address) =>
  setup.client.call({ operation: of, parameters: { orderId }, account: 'default' });
const remember = async (resources: RestrictedResource[], value: string, expiresIn: number) =>
  setup.client.rememberRestrictedToken(await setup.accounts.profile('default'), resources, value, expiresIn);
const token = (request?: { headers: Record<string, unknown> }) => request?.headers['x-amz-access-token'];
const purchases = () => setup.calls().filter(({ path }) => path === PURCHASE);
const orders = () => setup.calls().filter(({ path }) => path !== PURCHASE);

/** Sells restricted tokens `rdt-1`, `rdt-2`, ... and answers orders to them. */
function selling(order: Handler = () => ({ body: {} })): Handler {
  let sold = 0;
  return (request, response) =>
    request.path === PURCHASE
      ? { body: { restrictedDataToken: `rdt-${++sold}`, expiresIn: 3600 } }
      : order(request, response);
}

describe('a restricted operation', () => {
  it('buys a token for its method and path with the seller token, once, however many ask', async () => {
    setup = await setUp(selling());
    await Promise.all(Array.from({ length: 5 }, () => call('1')));
    await call('2');
    expect(purchases().map(({ json }) => json)).toEqual(
      ['1', '2'].map((id) => ({
        restrictedResources: [{ method: 'GET', path: `/orders/v0/orders/${id}/address` }],
      })),
    );
    expect(purchases().map(token)).toEqual(['token-1', 'token-1']);
    expect(orders().map(token)).toEqual([...new Array(5).fill('rdt-1'), 'rdt-2']);
    expect(setup.exchanges()).toHaveLength(1);
  });

  it('keeps the path of the base address out of the resource', async () => {
    setup = await setUp(() => ({ body: { restrictedDataToken: 'rdt', expiresIn: 60 } }));
    const account = await setup.accounts.get('default');
    setup.accounts.set({ ...account, baseUrl: `${account.baseUrl}/gateway/x` });
    await call('1');
    expect(setup.calls()[0]).toMatchObject({
      path: `/gateway/x${PURCHASE}`,
      json: { restrictedResources: [{ method: 'GET', path: '/orders/v0/orders/1/address' }] },
    });
  });

  it('renews a rejected token once', async () => {
    setup = await setUp(selling((request) => (token(request) === 'rdt-1' ? { status: 401 } : { body: {} })));
    expect((await call('1')).status).toBe(200);
    expect(purchases()).toHaveLength(2);
  });

  it('leaves no timer behind by its purchase', async () => {
    const clock = fakeClock();
    setup = await setUp(selling(), { client: { clock } });
    await call('1');
    expect(clock.sleeping()).toBe(0);
    expect(clock.sleeps.length).toBeGreaterThan(1);
  });

  it.each([
    [200, { restrictedDataToken: '' }],
    [200, { restrictedDataToken: 7 }],
    [200, {}],
    [200, ['rdt']],
    [204, undefined],
  ])('has no token where the service answers %i with %j', async (status, body) => {
    setup = await setUp(() => ({ status, body }));
    expect(await failureOf(call('1'))).toMatchObject({
      name: 'CredentialError',
      message: expect.stringContaining('The service answered without a restricted data token.'),
      hint: expect.stringContaining('role'),
    });
    expect(orders()).toHaveLength(0);
  });

  it.each([300, 400, 404])('tells what the service answered, %i, as it is', async (status) => {
    setup = await setUp(() => ({ status, body: { restrictedDataToken: 'rdt' } }));
    const error = await failureOf(call('1'));
    expect(error).toMatchObject({ name: 'ApiError', status });
    expect(orders()).toHaveLength(0);
  });

  it('has one with any success', async () => {
    setup = await setUp(() => ({ status: 201, body: { restrictedDataToken: 'rdt', expiresIn: 60 } }));
    await call('1');
    expect(orders().map(token)).toEqual(['rdt']);
  });

  it('says what is missing when the service gives no token', async () => {
    setup = await setUp(() => ({
      status: 403,
      body: { errors: [{ code: 'Unauthorized', message: 'no role' }] },
    }));
    const error = await failureOf(call('1'));
    expect(error).toMatchObject({
      status: 403,
      message: expect.stringContaining('No restricted data token was given'),
      hint: expect.stringContaining('role'),
    });
    expect(orders()).toHaveLength(0);
  });
});

describe('a token that the caller bought', () => {
  it('serves the calls that it covers, those included that only return more with it, and no others', async () => {
    setup = await setUp(selling());
    const resources = [
      { method: 'GET', path: '/orders/v0/orders/{orderId}/address' },
      { method: 'get', path: '/orders/v0/orders/7' },
    ];
    await remember(resources, 'bought', 3600);
    const order = operation({
      ...address,
      id: 'Test/getOrder',
      path: '/orders/v0/orders/{orderId}',
      auth: { kind: 'seller' },
    });
    await call('1');
    await call('7', order);
    await call('8', order);
    await call('1', { ...address, id: 'x', path: '/orders/v0/orders/{orderId}/address/more' });
    expect(orders().map(token)).toEqual(['bought', 'bought', 'token-1', 'rdt-1']);
  });

  it('is dropped when the service rejects it', async () => {
    setup = await setUp(selling((request) => (token(request) === 'bought' ? { status: 401 } : { body: {} })));
    await remember([{ method: 'GET', path: address.path }], 'bought', 3600);
    await call('1');
    expect(orders().map(token)).toEqual(['bought', 'rdt-1']);
  });

  it("never serves another account's calls", async () => {
    setup = await setUp(selling());
    setup.accounts.set({
      ...(await setup.accounts.get('default')),
      name: 'other',
      refreshToken: 'refresh-2',
    });
    const resources = [{ method: 'GET', path: '/orders/v0/orders/{orderId}/address' }];
    await remember(resources, 'bought', 3600);
    await setup.client.call({ operation: address, parameters: { orderId: '1' }, account: 'other' });
    await call('1');
    expect(orders().map(token)).toEqual(['rdt-1', 'bought']);
  });

  it('serves its own method only, and a path that is taken literally', async () => {
    setup = await setUp(selling());
    const resources = [
      { method: 'POST', path: '/orders/v0/orders/{orderId}/address' },
      { method: 'GET', path: '/orders/v0/orders/./address' },
    ];
    await remember(resources, 'bought', 3600);
    await call('1');
    expect(orders().map(token)).toEqual(['rdt-1']);
  });

  it('is forgotten when it has expired or is rejected, and another is bought', async () => {
    const clock = fakeClock();
    setup = await setUp(
      selling((request) => (token(request) === 'rejected' ? { status: 401 } : { body: {} })),
      { client: { clock } },
    );
    const resources = [{ method: 'GET', path: '/orders/v0/orders/{orderId}/address' }];
    await remember(resources, 'short', 120);
    await call('1');
    await clock.advance(61_000);
    await call('1');
    await remember(resources, 'rejected', 3600);
    await call('2');
    await call('3');
    expect(orders().map(token)).toEqual(['short', 'rdt-1', 'rejected', 'rdt-2', 'rdt-3']);
  });

  it('is not forgotten for others, bought later or rejected', async () => {
    setup = await setUp(selling((request) => (token(request) === 'bad' ? { status: 401 } : { body: {} })));
    await remember([{ method: 'GET', path: '/orders/v0/orders/1/address' }], 'one', 3600);
    await remember([{ method: 'GET', path: '/orders/v0/orders/2/address' }], 'bad', 3600);
    await call('2');
    await call('1');
    expect(orders().map(token)).toEqual(['bad', 'rdt-1', 'one']);
  });

  it('bought later comes first', async () => {
    setup = await setUp(selling());
    const resources = [{ method: 'GET', path: '/orders/v0/orders/{orderId}/address' }];
    await remember(resources, 'older', 3600);
    await remember(resources, 'newer', 3600);
    await call('1');
    expect(orders().map(token)).toEqual(['newer']);
  });
});

describe('a token that the caller bought and the service denies', () => {
  const thing = operation();
  const denied = { status: 403, body: { errors: [{ code: 'Unauthorized', message: 'Access is denied.' }] } };
  const resources = [
    { method: 'GET', path: thing.path },
    { method: 'GET', path: address.path },
  ];
  const get = () => setup.client.call({ operation: thing, parameters: {}, account: 'default' });

  it("is dropped, and the call that needs none is repeated with the seller's", async () => {
    setup = await setUp(selling((request) => (token(request) === 'bought' ? denied : { body: {} })));
    await remember(resources, 'bought', 3600);
    expect((await get()).status).toBe(200);
    expect((await get()).status).toBe(200);
    expect(orders().map(token)).toEqual(['bought', 'token-1', 'token-1']);
  });

  it('is replaced by one of our own where the call needs one', async () => {
    setup = await setUp(selling((request) => (token(request) === 'bought' ? denied : { body: {} })));
    await remember(resources, 'bought', 3600);
    expect((await call('1')).status).toBe(200);
    expect(orders().map(token)).toEqual(['bought', 'rdt-1']);
  });

  it('stays where the call is denied with any token, which is told', async () => {
    let isDenied = true;
    setup = await setUp(selling(() => (isDenied ? denied : { body: {} })));
    await remember(resources, 'bought', 3600);
    expect(await failureOf(get())).toMatchObject({ status: 403 });
    isDenied = false;
    await get();
    expect(orders().map(token)).toEqual(['bought', 'token-1', 'bought']);
  });

  it('is no reason to repeat what was sent with a token of our own', async () => {
    setup = await setUp(selling(() => denied));
    await remember([{ method: 'GET', path: '/elsewhere' }], 'bought', 3600);
    expect(await failureOf(get())).toMatchObject({ status: 403 });
    expect(await failureOf(call('1'))).toMatchObject({ status: 403 });
    expect(orders().map(token)).toEqual(['token-1', 'rdt-1']);
  });

  it('never hands a confirmed write the token of another seller', async () => {
    setup = await setUp(
      selling(async () => {
        setup.accounts.set({ ...(await setup.accounts.get('default')), sellerId: 'A2SELLER' });
        return denied;
      }),
    );
    await remember([{ method: 'PUT', path: thing.path }], 'bought', 3600);
    const write = { operation: writeOperation(), parameters: {}, body: {}, account: 'default' };
    const { owner } = await setup.client.prepare(write);
    expect(await failureOf(setup.client.call({ ...write, owner }))).toBeInstanceOf(WriteRefusedError);
    expect(orders().map(token)).toEqual(['bought']);
  });
});

describe('an account that has become another', () => {
  /** The names of each differ in one thing only. */
  const changes = {
    application: { clientId: 'client-2' },
    grant: { refreshToken: 'refresh-of-another-seller' },
    seller: { sellerId: 'A2SELLER' },
    'identity provider': { authUrl: 'changed' },
  };
  const change = async (fields: Partial<Account>) => {
    const authUrl = fields.authUrl === undefined ? {} : { authUrl: `${setup.service.url}/` };
    setup.accounts.set({ ...(await setup.accounts.get('default')), ...fields, ...authUrl });
  };

  it.each(Object.entries(changes))(
    'has no restricted token of the former: other %s',
    async (_what, fields) => {
      setup = await setUp(selling());
      await call('1');
      await call('1');
      await change(fields);
      await call('1');
      expect(orders().map(token)).toEqual(['rdt-1', 'rdt-1', 'rdt-2']);
      expect(purchases().map(token)).toEqual(['token-1', expect.stringMatching(/^token-[12]$/)]);
    },
  );

  it.each(Object.entries(changes))(
    'has none that the former bought itself: other %s',
    async (_what, fields) => {
      setup = await setUp(selling());
      await remember([{ method: 'GET', path: address.path }], 'bought', 3600);
      await call('1');
      await change(fields);
      await call('1');
      expect(orders().map(token)).toEqual(['bought', 'rdt-1']);
    },
  );

  it('sends none to another address', async () => {
    setup = await setUp(() => ({ body: {} }));
    const other = await setUp(() => ({ body: {} }));
    const thing = { operation: operation(), parameters: {}, account: 'default' };
    await remember([{ method: 'GET', path: thing.operation.path }], 'bought', 3600);
    const account = await setup.accounts.get('default');
    for (const baseUrl of [other.service.url, `${account.baseUrl}/another`, account.baseUrl]) {
      setup.accounts.set({ ...account, baseUrl });
      await setup.client.call(thing);
    }
    expect(other.calls().map(token)).toEqual(['token-1']);
    expect(setup.calls().map(token)).toEqual(['token-1', 'bought']);
    await other.close();
  });

  it('has no confirmed write sent with one', async () => {
    setup = await setUp(() => ({ body: {} }));
    await remember([{ method: 'PUT', path: '/things/v1/things' }], 'bought', 3600);
    const write = { operation: writeOperation(), parameters: {}, body: {}, account: 'default' };
    const { owner: former } = await setup.client.prepare(write);
    await change(changes.grant);
    const { owner } = await setup.client.prepare(write);
    await setup.client.call({ ...write, owner });
    expect(setup.calls().map(token)).toEqual(['token-1']);
    expect(await failureOf(setup.client.call({ ...write, owner: former }))).toBeInstanceOf(WriteRefusedError);
    expect(setup.calls()).toHaveLength(1);
  });

  it('while a token was bought does not keep it', async () => {
    let become = true;
    setup = await setUp(
      selling(() => ({ body: {} })),
      {
        token: async () => {
          if (become) setup.accounts.set({ ...(await setup.accounts.get('default')), sellerId: 'A2SELLER' });
          become = false;
          return { body: { access_token: 'token-of-whom', expires_in: 3600 } };
        },
      },
    );
    const before = await setup.accounts.get('default');
    await call('1');
    setup.accounts.set(before);
    await call('1');
    expect(orders().map(token)).toEqual(['rdt-1', 'rdt-2']);
  });

  it('while a restricted token was sold does not keep that one either, once it is the former again', async () => {
    let become = true;
    const sell = selling();
    setup = await setUp(async (request, response) => {
      if (become && request.path === PURCHASE) {
        setup.accounts.set({ ...(await setup.accounts.get('default')), sellerId: 'A2SELLER' });
        become = false;
      }
      return sell(request, response);
    });
    const before = await setup.accounts.get('default');
    await call('1');
    setup.accounts.set(before);
    await call('1');
    expect(orders().map(token)).toEqual(['rdt-2', 'rdt-3']);
  });

  it('keeps its tokens when only its refresh token is replaced', async () => {
    setup = await setUp(selling());
    await remember([{ method: 'GET', path: '/orders/v0/orders/7/address' }], 'bought', 3600);
    await call('1');
    await setup.accounts.rotated('default', 'refresh-canary-1', 'refresh-canary-2');
    await call('1');
    await call('7');
    expect(orders().map(token)).toEqual(['rdt-1', 'rdt-1', 'bought']);
  });
});
