import { describe, expect, it } from 'vitest';
import type { Fault, Sandbox } from '../../sandbox/sandbox.ts';
import { call, catalogPath, exchange, SHOP, SUPPLY_SOURCES, start, tokens } from './helpers.ts';

async function startWith(fault: Fault): Promise<{ sandbox: Sandbox; token: string }> {
  const sandbox = await start();
  const { access } = await tokens(sandbox);
  sandbox.faults.next(fault);
  return { sandbox, token: access };
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'answered',
    (error: unknown) => (error instanceof Error && error.cause instanceof Error ? error.cause : error),
  );

describe('faults', () => {
  it('answer a status, as often as asked, then stop', async () => {
    const { sandbox, token } = await startWith({ status: 503, times: 2, headers: { 'retry-after': '1' } });
    const replies = [];
    for (let i = 0; i < 3; i += 1) replies.push(await call(sandbox, catalogPath('B0SBX00001'), { token }));
    expect(replies.map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(replies[0]?.headers.get('retry-after')).toBe('1');
    expect(replies[0]?.body).toMatchObject({ errors: [{ code: 'InternalFailure' }] });
    expect(sandbox.stats().operations.getCatalogItem).toMatchObject({ calls: 3, succeeded: 1, failed: 2 });
  });

  it('send any body', async () => {
    const html = { status: 200, body: '<html>hello</html>', headers: { 'content-type': 'text/html' } };
    const { sandbox, token } = await startWith(html);
    const headers = { 'x-amz-access-token': token };
    const response = await fetch(sandbox.baseUrl + catalogPath('B0SBX00001'), { headers });
    expect([response.headers.get('content-type'), await response.text()]).toEqual(['text/html', html.body]);
  });

  it('hit the operation they name, the token exchange included', async () => {
    const { sandbox, token } = await startWith({ operation: 'exchangeToken', status: 500 });
    expect((await call(sandbox, catalogPath('B0SBX00001'), { token })).status).toBe(200);
    expect((await exchange(sandbox)).status).toBe(500);
    expect((await exchange(sandbox)).status).toBe(200);
    expect(sandbox.stats()).toMatchObject({ exchanges: 2, failedExchanges: 1 });
  });

  it('reset the connection, or write raw bytes and end', async () => {
    const { sandbox, token } = await startWith({ reset: true });
    const get = () => call(sandbox, catalogPath('B0SBX00001'), { token });
    expect(await failure(get())).toMatchObject({ code: 'ECONNRESET' });
    sandbox.faults.next({ raw: 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"cut' });
    expect(await failure(get())).not.toBe('answered');
    expect((await get()).status).toBe(200);
  });

  it('can come after the call took effect', async () => {
    const { sandbox, token } = await startWith({
      operation: 'updateSupplySource',
      reset: true,
      when: 'after',
    });
    const spec = { method: 'PUT', token, body: { alias: 'Written all the same' } };
    expect(await failure(call(sandbox, `${SUPPLY_SOURCES}/${SHOP}`, spec))).toMatchObject({
      code: 'ECONNRESET',
    });
    expect(sandbox.written(SHOP)).toEqual({ alias: 'Written all the same' });
    sandbox.faults.next({ status: 500 });
    await call(sandbox, `${SUPPLY_SOURCES}/${SHOP}`, { ...spec, body: { alias: 'Never' } });
    expect(sandbox.written(SHOP)).toEqual({ alias: 'Written all the same' });
  });

  it('make a call late, and can be taken back', async () => {
    const { sandbox, token } = await startWith({ delayMs: 80 });
    const before = performance.now();
    expect((await call(sandbox, catalogPath('B0SBX00001'), { token })).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThan(70);
    sandbox.faults.next({ status: 500, times: 9 });
    sandbox.faults.clear();
    expect((await call(sandbox, catalogPath('B0SBX00001'), { token })).status).toBe(200);
  });
});
