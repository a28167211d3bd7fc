/** Buyers' data come by themselves: one token for every call of an operation, and a reason where there is none. */

import { afterEach, describe, expect, it } from 'vitest';
import type { CallResult } from '../../../src/call/client-types.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import type { Answer, Handler } from '../../helpers/http-service.ts';
import { setUp, type TestSetup } from '../../helpers/test-client.ts';

const registry = await loadRegistry();
let setup: TestSetup;
afterEach(() => setup.close());

const PURCHASE = '/tokens/2021-03-01/restrictedDataToken';
const ALL = ['buyerInfo', 'shippingAddress', 'buyerTaxInformation'];
/** Operations that answer without a restricted data token too, with what they can be asked for. */
const OPERATIONS: [string, Record<string, unknown>, string, string[]][] = [
  [
    'orders/getOrders',
    { MarketplaceIds: ['A1'], CreatedAfter: '2026-11-01T00:00:00Z' },
    '/orders/v0/orders',
    ALL,
  ],
  ['orders/getOrder', { orderId: '1' }, '/orders/v0/orders/{orderId}', ALL],
  ['orders/getOrderItems', { orderId: '1' }, '/orders/v0/orders/{orderId}/orderItems', ['buyerInfo']],
];
const refuse = (status: number, message: string): Answer => ({
  status,
  body: { errors: [{ code: 'InvalidInput', message, details: '' }] },
});
const filled = { body: { payload: { Orders: [{ BuyerInfo: { BuyerEmail: 'a@b.example' } }] } } };
const empty = { body: { payload: { Orders: [{ BuyerInfo: {} }] } } };

const token = (request: { headers: Record<string, unknown> }) => request.headers['x-amz-access-token'];
const purchases = () => setup.calls().filter(({ path }) => path === PURCHASE);
const reads = () => setup.calls().filter(({ path }) => path !== PURCHASE);

async function start(sell: (elements: string[]) => Answer, answer: Handler, client = {}) {
  setup = await setUp(
    (request, response) => {
      if (request.path !== PURCHASE) return answer(request, response);
      const [resource] = Object(request.json).restrictedResources;
      return sell(resource.dataElements);
    },
    { client },
  );
}
const selling = () => ({ body: { restrictedDataToken: 'rdt', expiresIn: 3600 } });

const call = (id = 'orders/getOrders', more = {}): Promise<CallResult> => {
  const [, parameters = {}] = OPERATIONS.find(([known]) => known === id) ?? [];
  return setup.client.call({ operation: registry.find(id), parameters, account: 'default', ...more });
};

describe('buyers’ data', () => {
  it.each(OPERATIONS)(
    'of %s come with one token for all calls, however many ask at once',
    async (id, _given, path, dataElements) => {
      await start(selling, () => filled);
      await Promise.all([call(id), call(id), call(id)]);
      const result = await call(id, id === 'orders/getOrders' ? {} : { parameters: { orderId: '2' } });
      expect(purchases().map(({ json }) => json)).toEqual([
        { restrictedResources: [{ method: 'GET', path, dataElements }] },
      ]);
      expect(reads().map(token)).toEqual(['rdt', 'rdt', 'rdt', 'rdt']);
      expect(result.personalData).toMatchObject({ elements: dataElements, granted: dataElements });
    },
  );

  it('are not asked for where the caller needs none', async () => {
    await start(selling, () => filled);
    await call('orders/getOrder', { withoutPersonalData: true });
    expect(purchases()).toEqual([]);
    expect(reads().map(token)).toEqual(['token-1']);
  });

  it.each([
    [400, 'Application do not have access to some or all requested resource'],
    [403, 'Access to requested resource is denied.'],
  ])('that are refused with %i are told, and not asked for again', async (status, message) => {
    await start(
      () => refuse(status, message),
      () => empty,
    );
    for (let i = 0; i < 3; i += 1) {
      const { personalData } = await call();
      expect(personalData).toMatchObject({ granted: [], refusal: expect.stringContaining(message) });
    }
    expect(purchases()).toHaveLength(1);
    expect(reads().map(token)).toEqual(['token-1', 'token-1', 'token-1']);
  });

  it('come without the elements that the application has no role for', async () => {
    const message =
      'Application does not have access to one or more requested data elements: [buyerTaxInformation]';
    await start(
      (elements) => (elements.includes('buyerTaxInformation') ? refuse(400, message) : selling()),
      () => filled,
    );
    const { personalData } = await call();
    expect(personalData).toMatchObject({
      granted: ['buyerInfo', 'shippingAddress'],
      refusal: expect.any(String),
    });
    await call();
    expect(purchases()).toHaveLength(2);
    expect(reads().map(token)).toEqual(['rdt', 'rdt']);
  });

  it('are left out where the operation refuses the token that was issued for it', async () => {
    await start(selling, (request) => (token(request) === 'rdt' ? refuse(403, 'Denied.') : empty));
    expect((await call()).personalData).toMatchObject({ granted: [], refusal: expect.any(String) });
    await call();
    expect(purchases()).toHaveLength(1);
    expect(reads().map(token)).toEqual(['rdt', 'token-1', 'token-1']);
  });

  it('that never came with a token are not asked for with another one when it ends', async () => {
    const clock = fakeClock();
    await start(selling, () => empty, { clock });
    await call();
    await clock.advance(3_700_000);
    await call();
    expect(purchases()).toHaveLength(1);
  });

  it('that came are asked for again when the token ends, or is rejected', async () => {
    const clock = fakeClock();
    let isRejected = false;
    await start(
      selling,
      () => {
        const status = isRejected ? 401 : 200;
        isRejected = false;
        return { ...filled, status };
      },
      { clock },
    );
    await call();
    await clock.advance(3_700_000);
    await call();
    isRejected = true;
    await call();
    expect(purchases()).toHaveLength(3);
  });

  it('do not hold up the call where the purchase comes to no answer', async () => {
    await start(
      () => ({ status: 501 }),
      () => empty,
    );
    expect((await call()).personalData).toMatchObject({ granted: [], isPaused: true });
    await call();
    expect(purchases()).toHaveLength(1);
  });

  it('of another seller are asked for with a token of theirs', async () => {
    await start(selling, () => filled);
    await call();
    setup.accounts.set({ ...(await setup.accounts.get('default')), refreshToken: 'another-login' });
    await call();
    expect(purchases()).toHaveLength(2);
  });
});

describe('the document of a report', () => {
  const document = { parameters: { reportDocumentId: 'D1' } };

  it('is asked for with a token for its path where it is refused without', async () => {
    await start(selling, (request) =>
      token(request) === 'rdt' ? { body: { url: 'x' } } : refuse(403, 'Denied.'),
    );
    expect((await call('reports/getReportDocument', document)).status).toBe(200);
    expect(purchases().map(({ json }) => json)).toEqual([
      { restrictedResources: [{ method: 'GET', path: '/reports/2021-06-30/documents/D1' }] },
    ]);
  });

  it('that no token opens is refused as the service said', async () => {
    await start(
      () => refuse(400, 'No.'),
      () => refuse(403, 'Denied.'),
    );
    await expect(call('reports/getReportDocument', document)).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('Denied.'),
    });
  });
});
