import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { AnswerNote } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/start-sandbox.ts';
import { MAX_DEPTH } from '../../src/base/json.ts';
import { call, catalogPath, exchange, firstError, SHOP, SUPPLY_SOURCES, start, tokens } from './helpers.ts';

/** Everything that a connection answers to these bytes. */
async function speak(baseUrl: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk.toString();
  });
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  return heard;
}

describe('starting', () => {
  it('listens on loopback with credentials of its own, different each time', async () => {
    const [one, two] = [await start(), await start()];
    expect(one.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(one.authUrl).toBe(one.baseUrl);
    expect(one.credentials).not.toEqual(two.credentials);
    expect((await exchange(one, two.credentials)).status).toBe(200);
    const foreign = { client_id: two.credentials.clientId, client_secret: two.credentials.clientSecret };
    expect((await exchange(one, foreign)).status).toBe(401);
  });

  it('takes a port and credentials, and fails when the port is taken', async () => {
    // The port is none that the system gives out, because another test could get it once this one is closed.
    let port = 20_000 + (process.pid % 5_000);
    const open = (): ReturnType<typeof start> =>
      start({ port }).catch(() => (port++ < 25_100 ? open() : start({ port })));
    const first = await open();
    await expect(startSandbox({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await first.close();
    const credentials = { clientId: 'id', clientSecret: 'secret', refreshToken: 'token' };
    const second = await start({ port, credentials });
    expect([second.baseUrl, second.credentials]).toEqual([first.baseUrl, credentials]);
    expect((await exchange(second)).status).toBe(200);
  });
});

describe('bad input', () => {
  it.each([
    ['GET', '/', 501, 'NotPlayed'],
    ['GET', '/catalog/v0/items', 501, 'NotPlayed'],
    ['GET', '//catalog/v0/items/B0SBX00001', 501, 'NotPlayed'],
    ['GET', '/catalog/v0/items/%zz', 400, 'InvalidInput'],
    ['GET', '/nowhere/%E0%A4%A', 400, 'InvalidInput'],
    ['DELETE', '/catalog/v0/items/B0SBX00001', 501, 'NotPlayed'],
    ['GET', '/auth/o2/token', 405, 'MethodNotAllowed'],
  ])('%s %s is answered %i', async (method, path, status, code) => {
    const sandbox = await start();
    const reply = await call(sandbox, path, { method });
    expect([reply.status, firstError(reply).code]).toEqual([status, code]);
    expect(reply.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
  });

  it.each([
    ['GET', '/notifications/v1/destinations/1', '(getDestination). The real service has it.'],
    ['DELETE', '/feeds/2020-09-04/feeds/1', '(DELETE /feeds/2020-09-04/feeds/1).'],
  ])('says in one line that it does not have %s %s', async (method, path, told) => {
    const sandbox = await start();
    const error = firstError(await call(sandbox, path, { method }));
    expect(error).toEqual({ code: 'NotPlayed', message: `The demo account does not have this ${told}` });
  });

  it('never ends the service', async () => {
    const sandbox = await start();
    const attempts = [
      'garbage\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
      `GET / HTTP/1.1\r\nhost: x\r\nbig: ${'x'.repeat(40_000)}\r\n\r\n`,
      'POST /auth/o2/token HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
      'GET http://elsewhere.example/catalog HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    ];
    for (const bytes of attempts) expect(await speak(sandbox.baseUrl, bytes)).toMatch(/^HTTP\/1\.1 4\d\d /);
    const half = connect(Number(new URL(sandbox.baseUrl).port), '127.0.0.1');
    half.write('POST /auth/o2/token HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\n{"grant');
    await once(half, 'connect');
    half.destroy();
    const huge = await call(sandbox, '/auth/o2/token', { method: 'POST', text: 'x'.repeat(3_000_000) });
    expect(huge.status).toBe(413);
    expect((await exchange(sandbox)).status).toBe(200);
  });

  it('takes a body as deep as JSON may nest anywhere, and refuses one level more', async () => {
    const sandbox = await start();
    const { access: token } = await tokens(sandbox);
    const put = (levels: number) => {
      const text = `{"alias":"x","deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
      return call(sandbox, `${SUPPLY_SOURCES}/${SHOP}`, { method: 'PUT', token, text });
    };
    expect((await put(MAX_DEPTH)).status).toBe(204);
    expect((await put(MAX_DEPTH + 1)).body).toEqual([
      { code: 'InvalidInput', message: `The body is nested deeper than ${MAX_DEPTH} levels.` },
    ]);
  });

  it('keeps __proto__ a mere name', async () => {
    const sandbox = await start();
    const { access: token } = await tokens(sandbox);
    const path = '/supplySources/2020-07-01/supplySources/3f0c9e52-7a41-4d0b-9c86-5b1e2a7d4f10';
    const text = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"alias":"x"}';
    expect((await call(sandbox, path, { method: 'PUT', token, text })).status).toBe(204);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect((await call(sandbox, path, { token })).body).toMatchObject({ alias: 'x' });
    const exchangeText = '{"__proto__":{"grant_type":"refresh_token"}}';
    expect((await call(sandbox, '/auth/o2/token', { method: 'POST', text: exchangeText })).status).toBe(400);
  });
});

describe('running', () => {
  it('tells what it answered, without any secret', async () => {
    const notes: AnswerNote[] = [];
    const sandbox = await start({ onAnswer: (note) => notes.push(note) });
    const { access: token } = await tokens(sandbox);
    await call(sandbox, `${catalogPath('B0SBX00001')}&token=${token}`, { token });
    await call(sandbox, '/nowhere', { token });
    expect(notes).toEqual([
      { method: 'POST', path: '/auth/o2/token', operation: 'exchangeToken', status: 200 },
      { method: 'GET', path: '/catalog/v0/items/B0SBX00001', operation: 'getCatalogItem', status: 200 },
      { method: 'GET', path: '/nowhere', operation: undefined, status: 501 },
    ]);
    expect(sandbox.recorded()).toEqual([]);
  });

  it('takes its time when told to', async () => {
    const sandbox = await start({ latencyMs: 60 });
    const before = performance.now();
    await exchange(sandbox);
    expect(performance.now() - before).toBeGreaterThan(50);
  });

  it('closes without waiting for anybody, idle and busy connections and all', async () => {
    const sandbox = await startSandbox();
    const agent = new Agent({ keepAlive: true });
    const idle = get(`${sandbox.baseUrl}/`, { agent }, (response) => response.resume());
    await once(idle, 'close');
    sandbox.faults.next({ delayMs: 60_000 });
    const busy = exchange(sandbox).catch(() => 'cut');
    while (sandbox.stats().connections < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    // Long before the answer that is held back for a minute.
    await sandbox.close();
    expect(await busy).toBe('cut');
    const again = await exchange(sandbox).catch(() => undefined);
    // Its port may be another test's by then, which gives no token.
    expect(JSON.stringify(again?.body ?? '')).not.toContain('access_token');
    await sandbox.close();
    agent.destroy();
  });
});
