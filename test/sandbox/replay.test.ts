import { LosslessNumber } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { createReplay } from '../../sandbox/replay.ts';
import type { ReplayCase } from '../../sandbox/sandbox.ts';
import { call, exchange, firstError, SHOP, SUPPLY_SOURCES, start, tokens } from './helpers.ts';

const getOrder = (orderId: string, status: number, body: unknown): ReplayCase => ({
  id: `getOrder ${orderId}`,
  operationId: 'getOrder',
  method: 'GET',
  pathTemplate: '/orders/v0/orders/{orderId}',
  request: { path: { orderId } },
  response: { status, body },
});

const createFeed: ReplayCase = {
  operationId: 'createFeed',
  method: 'POST',
  pathTemplate: '/feeds/2020-09-04/feeds',
  request: { body: { feedType: 'GET_STOCK', marketplaceIds: ['A1', 'A2'], options: { depth: 2 } } },
  response: { status: 202, body: { reportId: 'ID323' } },
  mayAdd: ['clientToken'],
};

const getFeeds: ReplayCase = {
  operationId: 'getFeeds',
  method: 'GET',
  pathTemplate: '/feeds/2020-09-04/feeds',
  request: { query: { feedTypes: 'A,B', sort: ['x', 'y'] }, header: { 'X-Kind': 'k' } },
  response: { status: 200, body: 'a text' },
};

async function open(replay: readonly ReplayCase[], more: object = {}) {
  const sandbox = await start({ replay, record: true, rateLimits: false, ...more });
  const { access: token } = await tokens(sandbox);
  return { sandbox, token };
}

describe('replaying over HTTP', () => {
  it('answers the case whose parameters arrived', async () => {
    const cases = [
      getOrder('1/2', 200, { n: new LosslessNumber('12345678901234567890') }),
      getOrder('b', 400, {}),
    ];
    const { sandbox, token } = await open(cases);
    const headers = { 'x-amz-access-token': token };
    const response = await fetch(`${sandbox.baseUrl}/orders/v0/orders/1%2F2?extra=1`, { headers });
    expect([response.status, await response.text()]).toEqual([200, '{"n":12345678901234567890}']);
    expect((await call(sandbox, '/orders/v0/orders/b', { token })).status).toBe(400);
    expect(sandbox.stats().operations).toEqual({
      getOrder: { calls: 2, succeeded: 1, rateLimited: 0, failed: 1 },
    });
  });

  it('compares query and header values as they are on the wire', async () => {
    const { sandbox, token } = await open([getFeeds]);
    const path = '/feeds/2020-09-04/feeds';
    const right = await call(sandbox, `${path}?feedTypes=A%2CB&sort=x&sort=y`, {
      token,
      headers: { 'x-kind': 'k' },
    });
    expect([right.status, right.body]).toEqual([200, 'a text']);
    const wrong = await call(sandbox, `${path}?feedTypes=A&feedTypes=B&sort=x,y`, { token });
    expect(wrong.status).toBe(400);
    expect(firstError(wrong)).toMatchObject({
      code: 'NoMatchingCase',
      message: 'None of the 1 declared cases of getFeeds matches this request.',
      details:
        'Nearest, getFeeds#0: query feedTypes is ["A","B"], declared ["A,B"]; ' +
        'query sort is ["x,y"], declared ["x","y"]; header X-Kind is missing, declared "k".',
    });
  });

  it('compares bodies member by member, and allows for what a caller may add', async () => {
    const { sandbox, token } = await open([createFeed]);
    const send = (body: unknown) => call(sandbox, createFeed.pathTemplate, { method: 'POST', token, body });
    const body = { options: { depth: 2 }, marketplaceIds: ['A1', 'A2'], feedType: 'GET_STOCK' };
    expect((await send(body)).status).toBe(202);
    expect((await send({ ...body, clientToken: 'abc' })).status).toBe(202);
    const wrong = await send({ options: { depth: 3, clientToken: 1 }, marketplaceIds: ['A1'], extra: true });
    expect(firstError(wrong).details).toBe(
      'Nearest, createFeed#0: body.feedType is missing; body.marketplaceIds.1 is missing; ' +
        'body.options.depth is 3, declared 2; body.options.clientToken was not declared; ' +
        'body.extra was not declared.',
    );
    expect(firstError(await send(undefined)).details).toContain('body is missing, declared {"feedType"');
    expect(firstError(await send([])).details).toContain('body is an array, declared otherwise');
    expect((await call(sandbox, createFeed.pathTemplate, { token })).status).toBe(501);
  });

  it('records what arrived, with the case that answered', async () => {
    const { sandbox, token } = await open([getFeeds, createFeed]);
    await call(sandbox, `${createFeed.pathTemplate}?a=1&a=2`, { method: 'POST', token, text: '{"half' });
    await call(sandbox, `${getFeeds.pathTemplate}?feedTypes=A%2CB&sort=x&sort=y`, {
      token,
      headers: { 'x-kind': 'k' },
    });
    const [broken, fine] = sandbox.recorded();
    expect(broken).toMatchObject({
      method: 'POST',
      path: createFeed.pathTemplate,
      query: { a: ['1', '2'] },
      headers: { 'x-amz-access-token': token },
      body: '{"half',
      operation: 'createFeed',
      status: 400,
    });
    expect(fine).toMatchObject({
      operation: 'getFeeds',
      caseId: 'getFeeds#0',
      status: 200,
      body: undefined,
    });
    expect(sandbox.recorded()).toHaveLength(2);
  });

  it('goes before its own state only with a case that names its parameters', async () => {
    const one = {
      operationId: 'getSupplySource',
      method: 'GET',
      pathTemplate: `${SUPPLY_SOURCES}/{id}`,
    } as const;
    const named: ReplayCase = {
      ...one,
      request: { path: { id: 'declared' } },
      response: { status: 200, body: 1 },
    };
    const general: ReplayCase = { ...one, request: {}, response: { status: 200, body: 2 } };
    const { sandbox, token } = await open([named, general]);
    expect((await call(sandbox, `${SUPPLY_SOURCES}/declared`, { token })).body).toBe(1);
    expect((await call(sandbox, `${SUPPLY_SOURCES}/${SHOP}`, { token })).body).toMatchObject({
      status: 'Active',
    });
    const first = await open([named, general], { replayFirst: true });
    expect((await call(first.sandbox, `${SUPPLY_SOURCES}/${SHOP}`, { token: first.token })).body).toBe(2);
  });

  it('wants the token that a case names, and gives declared restricted data tokens effect', async () => {
    const address = '/orders/v0/orders/{orderId}/address';
    const restricted: ReplayCase = {
      operationId: 'getOrderAddress',
      method: 'GET',
      pathTemplate: address,
      request: { path: { orderId: '7' } },
      response: { status: 200, body: { city: 'Seattle' } },
      auth: 'restricted',
    };
    const grantless: ReplayCase = {
      operationId: 'getDestinations',
      method: 'GET',
      pathTemplate: '/notifications/v1/destinations',
      request: {},
      response: { status: 200, body: [] },
      auth: 'grantless',
    };
    const declaredToken: ReplayCase = {
      operationId: 'createRestrictedDataToken',
      method: 'POST',
      pathTemplate: '/tokens/2021-03-01/restrictedDataToken',
      request: { body: { restrictedResources: [{ method: 'GET', path: address }] } },
      response: { status: 200, body: { restrictedDataToken: 'Atz.sprdt|declared', expiresIn: 3600 } },
    };
    const { sandbox, token } = await open([restricted, grantless, declaredToken]);
    const get = async (path: string, with_: string): Promise<number> =>
      (await call(sandbox, path, { token: with_ })).status;
    expect(await get('/orders/v0/orders/7/address', token)).toBe(403);
    expect(await get('/orders/v0/orders/7/address', 'Atz.sprdt|declared')).toBe(401);
    const body = declaredToken.request.body;
    await call(sandbox, declaredToken.pathTemplate, { method: 'POST', token, body });
    expect(await get('/orders/v0/orders/7/address', 'Atz.sprdt|declared')).toBe(200);
    expect(await get('/notifications/v1/destinations', token)).toBe(403);
    const scope = 'sellingpartnerapi::notifications';
    const { access } = await tokens(sandbox, { grant_type: 'client_credentials', scope });
    expect(await get('/notifications/v1/destinations', access)).toBe(200);
    expect((await exchange(sandbox)).status).toBe(200);
  });
});

describe('createRestrictedDataToken', () => {
  it('opens the named resource and nothing else', async () => {
    const path = '/orders/v0/orders/{orderId}';
    const { sandbox, token } = await open([getOrder('1', 200, {}), getOrder('2', 200, {})]);
    const tokenPath = '/tokens/2021-03-01/restrictedDataToken';
    const ask = (restrictedResources: unknown) =>
      call(sandbox, tokenPath, { method: 'POST', token, body: { restrictedResources } });
    const { status, body } = await ask([{ method: 'GET', path, dataElements: ['buyerInfo'] }]);
    expect([status, body]).toMatchObject([200, { expiresIn: 3600 }]);
    const restricted = String(Object(body).restrictedDataToken);
    expect(restricted).toMatch(/^Atz\.sprdt\|.{60,}$/);
    expect((await call(sandbox, '/orders/v0/orders/1', { token: restricted })).status).toBe(200);
    expect((await call(sandbox, '/sellers/v1/marketplaceParticipations', { token: restricted })).status).toBe(
      403,
    );
    for (const wrong of [undefined, [], [{ method: 'GET' }], [{ method: 'FETCH', path }], 'all']) {
      const reply = await ask(wrong);
      expect([reply.status, firstError(reply).code]).toEqual([400, 'InvalidRequest']);
    }
  });
});

describe('choosing among cases', () => {
  const arrival = (path: string) => ({
    method: 'GET',
    path,
    query: new URLSearchParams('a=1'),
    headers: {},
    body: undefined,
  });
  const caseOf = (id: string, request: ReplayCase['request'], status = 200): ReplayCase => ({
    id,
    operationId: 'op',
    method: 'GET',
    pathTemplate: '/x/{y}',
    request,
    response: { status },
  });

  it('prefers the one that names most, then a success, and takes turns when asked to', () => {
    const general = caseOf('general', {});
    const specific = caseOf('specific', { query: { a: '1' } }, 404);
    expect(createReplay([general, specific]).answer(arrival('/x/1'))?.caseId).toBe('specific');
    const equals = [caseOf('bad', {}, 500), caseOf('good', {}), caseOf('odd', { query: { a: '2' } })];
    const answers = (turns: boolean) => {
      const replay = createReplay(equals, turns);
      return [1, 2, 3].map(() => replay.answer(arrival('/x/1'))?.caseId);
    };
    expect(answers(false)).toEqual(['good', 'good', 'good']);
    expect(answers(true)).toEqual(['good', 'bad', 'good']);
  });

  it('finds placeholders inside a segment', () => {
    const file: ReplayCase = {
      ...caseOf('file', { path: { id: 'a+b', kind: 'json' } }),
      pathTemplate: '/f(1)/{id}.{kind}',
    };
    const replay = createReplay([file]);
    expect(replay.answer(arrival('/f(1)/a%2Bb.json'))?.caseId).toBe('file');
    expect(replay.answer(arrival('/f(1)/a%2Bb'))).toBeUndefined();
    expect(replay.answer(arrival('/f1/a%2Bb.json'))).toBeUndefined();
  });

  it('prefers a literal path, and knows no case elsewhere', () => {
    const literal: ReplayCase = { ...caseOf('literal', {}), operationId: 'rates', pathTemplate: '/x/rates' };
    const replay = createReplay([caseOf('any', {}), literal]);
    expect(replay.operationAt('GET', '/x/rates')?.operation).toBe('rates');
    expect(replay.answer(arrival('/x/rates'))?.caseId).toBe('literal');
    expect(replay.answer(arrival('/z'))).toBeUndefined();
  });
});
