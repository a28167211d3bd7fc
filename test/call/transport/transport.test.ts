import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CancelledError, NetworkError } from '../../../src/base/errors.ts';
import { createTransport, type Transport } from '../../../src/call/transport/transport.ts';
import { apiRequest } from '../../helpers/api-request.ts';
import { selfSignedCertificate } from '../../helpers/certificates.ts';
import { httpAnswer, startFaultyServer } from '../../helpers/faulty-server.ts';
import { type Handler, portOf, startHttpService } from '../../helpers/http-service.ts';
import { RUNS_ALL } from '../../helpers/launch.ts';
import { failureOf, settings } from '../../helpers/test-client.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0).reverse()) await close();
});

function transport(fields = {}): Transport {
  const opened = createTransport({ ...settings, ...fields });
  closing.push(opened.close);
  return opened;
}

async function service(handler: Handler) {
  const started = await startHttpService(handler);
  closing.push(started.close);
  return started;
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  return portOf(server.address());
}

describe('encodings', () => {
  const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(5000) }));
  it.each([
    ['gzip', gzipSync(body)],
    ['x-gzip', gzipSync(body)],
    ['br', brotliCompressSync(body)],
    ['deflate', deflateSync(body)],
    ['deflate', deflateRawSync(body)],
    ['identity', body],
    ['GZIP', gzipSync(body)],
  ])('%s is read', async (encoding, bytes) => {
    const { url } = await service(() => ({ headers: { 'content-encoding': encoding }, body: bytes }));
    const response = await transport().send(apiRequest({ url }));
    expect(response.body).toEqual(JSON.parse(body.toString()));
    expect(response.bytes).toBe(body.length);
  });
});

describe('connections', () => {
  it('are kept and used again', async () => {
    const server = await startFaultyServer((socket) => void socket.write(httpAnswer('{}')));
    closing.push(server.close);
    const { send } = transport();
    for (let call = 0; call < 10; call++) await send(apiRequest({ url: server.url }));
    // The second is opened when a call comes before the first connection has settled its last one.
    expect(server.connections().accepted).toBeLessThanOrEqual(2);
  });

  it('stay few however many calls there are at once', async () => {
    const server = await startFaultyServer((socket) => void socket.write(httpAnswer('{}')));
    closing.push(server.close);
    const { send } = transport();
    await Promise.all(Array.from({ length: 300 }, () => send(apiRequest({ url: server.url }))));
    expect(server.connections().accepted).toBeLessThanOrEqual(64);
  });

  it('ended while its sockets are made ready, as the first of all requests is, it does not leave', async () => {
    const { url, requests } = await service(() => ({ body: {} }));
    const ending = new AbortController();
    const sending = failureOf(transport().send(apiRequest({ url, signal: ending.signal })));
    ending.abort(new CancelledError('not sent'));
    expect(await sending).toMatchObject({ name: 'CancelledError', message: 'not sent' });
    expect(requests).toEqual([]);
  });

  it('are closed at once when the client closes, and a request that has not begun never leaves', async () => {
    const { url, requests } = await service(() => undefined);
    const opened = transport();
    const lost = failureOf(opened.send(apiRequest({ url })));
    while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await opened.close();
    expect(await lost).toBeInstanceOf(NetworkError);
    const cancelled = apiRequest({ url, signal: AbortSignal.abort(new CancelledError('x')) });
    expect(await failureOf(opened.send(cancelled))).toBeInstanceOf(CancelledError);
    expect(requests).toHaveLength(1);
  });

  it('a cancellation while a request waits for a free connection keeps it from leaving', async () => {
    const cancel = new AbortController();
    const { url, requests } = await service(() => undefined);
    const { send } = transport();
    const held = Array.from({ length: 64 }, () => failureOf(send(apiRequest({ url }))));
    while (requests.length < 64) await new Promise((resolve) => setTimeout(resolve, 5));
    const waiting = failureOf(send(apiRequest({ url, signal: cancel.signal })));
    await new Promise((resolve) => setTimeout(resolve, 10));
    cancel.abort(new CancelledError('not sent'));
    expect(await waiting).toMatchObject({ message: 'not sent' });
    for (const close of closing.splice(0).reverse()) await close();
    await Promise.all(held);
    expect(requests).toHaveLength(64);
  });
});

describe('proxies', () => {
  /** An https service called service.example, reachable only through a proxy that knows where it is. */
  async function behindProxy(status = 200) {
    const certificate = selfSignedCertificate();
    const target = createHttpsServer(certificate, (_request, response) =>
      response.end('{"through":"proxy"}'),
    );
    const targetPort = await listening(target);
    const asked: string[] = [];
    const proxy = createServer((_request, response) => response.end('{"by":"proxy"}'));
    proxy.on('connect', (request, client) => {
      asked.push(request.url ?? '');
      client.on('error', () => undefined);
      if (status !== 200) return client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      const upstream = connect(targetPort, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
      closing.push(async () => upstream.destroy());
      return upstream.on('error', () => client.destroy());
    });
    const address = `http://127.0.0.1:${await listening(proxy)}`;
    return { asked, address, ca: certificate.cert };
  }
  const request = apiRequest({ url: 'https://service.example/x' });

  it('HTTPS_PROXY is used', async () => {
    const { asked, address, ca } = await behindProxy();
    vi.stubEnv('HTTPS_PROXY', address);
    expect((await transport({ ca }).send(request)).body).toEqual({ through: 'proxy' });
    expect(asked).toEqual(['service.example:443']);
  });

  it('the certificate behind it is still checked', async () => {
    const { address } = await behindProxy();
    vi.stubEnv('HTTPS_PROXY', address);
    expect(await failureOf(transport().send(request))).toMatchObject({
      code: expect.stringMatching(/SELF_SIGNED|CERT/),
    });
  });

  it('NO_PROXY is respected', async () => {
    const { asked, address, ca } = await behindProxy();
    vi.stubEnv('HTTPS_PROXY', address);
    vi.stubEnv('NO_PROXY', 'service.example');
    await failureOf(transport({ ca }).send(request));
    expect(asked).toEqual([]);
  });

  it('loopback never goes through one', async () => {
    const { asked, address } = await behindProxy();
    vi.stubEnv('HTTP_PROXY', address);
    const { url } = await service(() => ({ body: { by: 'service' } }));
    expect((await transport().send(apiRequest({ url }))).body).toEqual({ by: 'service' });
    expect(asked).toEqual([]);
  });

  it('one that refuses is named', async () => {
    const { address } = await behindProxy(407);
    vi.stubEnv('HTTPS_PROXY', address);
    expect(await failureOf(transport().send(request))).toMatchObject({
      code: 'PROXY_REFUSED',
      fate: 'not-sent',
    });
  });
});

describe('memory', () => {
  it('is back where it was after hundreds of good, cut off and oversized answers', async () => {
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    const used = async () => {
      for (let pass = 0; pass < 3; pass++) {
        await new Promise((resolve) => setTimeout(resolve, 30));
        if (typeof collect === 'function') collect();
      }
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const large = httpAnswer(`"${'x'.repeat(500_000)}"`);
    const server = await startFaultyServer((socket, count) => {
      if (count % 4 === 0) socket.resetAndDestroy();
      else if (count % 4 === 1) socket.end(large.subarray(0, 250_000));
      else if (count % 4 === 2) socket.write(httpAnswer(`"${'x'.repeat(1_500_000)}"`));
      else socket.write(large);
    });
    closing.push(server.close);
    const { send } = transport();
    const round = async (calls: number) => {
      for (let call = 0; call < calls; call++)
        await send(apiRequest({ url: server.url })).catch(() => undefined);
      server.requests.length = 0;
      return used();
    };
    const before = await round(RUNS_ALL ? 60 : 20);
    const after = await round(RUNS_ALL ? 200 : 60);
    expect(after - before).toBeLessThan(10_000_000);
    expect(server.connections().open).toBeLessThanOrEqual(2);
  });
});
