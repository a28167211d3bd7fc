import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { resetAtOnce } from '../../sandbox/faults.ts';
import { NetworkError, TimeoutError } from '../../src/base/errors.ts';
import type { Client } from '../../src/call/client-types.ts';
import { boughtWith } from '../../src/call/tokens/shared-token.ts';
import { selfSignedCertificate } from '../helpers/certificates.ts';
import {
  type Behaviour,
  type FaultyServer,
  httpAnswer,
  startFaultyServer,
} from '../helpers/faulty-server.ts';
import { portOf, startHttpService } from '../helpers/http-service.ts';
import { memoryAccounts, testAccount } from '../helpers/memory-accounts.ts';
import { aloneClient, failureOf, operation, writeOperation } from '../helpers/test-client.ts';
import { words } from '../helpers/words.ts';

const DEADLINE_MS = 400;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A client whose token is at hand, so that only the call itself meets the fault. */
function clientFor(baseUrl: string, fields = {}): Client {
  const accounts = memoryAccounts(testAccount({ baseUrl, authUrl: baseUrl }));
  accounts.readToken = async () => ({
    accessToken: 'token-canary',
    expiresAt: Date.now() + 3_600_000,
    boughtWith: boughtWith(testAccount({ baseUrl })),
  });
  const client = aloneClient({ accounts }, fields);
  closing.push(() => client.close());
  return client;
}
const read = { operation: operation(), parameters: {}, account: 'default' };
const write = { operation: writeOperation(), parameters: {}, body: { a: 1 }, account: 'default' };

async function faulty(behaviour: Behaviour, fields = {}): Promise<{ server: FaultyServer; client: Client }> {
  const server = await startFaultyServer(behaviour);
  closing.push(server.close);
  return { server, client: clientFor(server.url, fields) };
}

/** After any fault the same client answers a healthy call, and nothing of the fault is left open. */
async function expectHealthy(server: FaultyServer, client: Client): Promise<void> {
  server.behave((socket) => void socket.write(httpAnswer('{"well":true}')));
  const results = await Promise.all([client.call(read), client.call(write)]);
  expect(results.map(({ body }) => body)).toEqual([{ well: true }, { well: true }]);
  await client.close();
  while (server.connections().open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

const reset: Behaviour = (socket) => resetAtOnce(socket);
const chunks =
  (...parts: readonly (string | Buffer)[]): Behaviour =>
  async (socket) => {
    for (const part of parts) {
      socket.write(part);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
const thenEnd =
  (text: string): Behaviour =>
  (socket) =>
    void socket.end(text);
const thenReset =
  (text: string): Behaviour =>
  async (socket) => {
    socket.write(text);
    await new Promise((resolve) => setTimeout(resolve, 20));
    resetAtOnce(socket);
  };
const silent: Behaviour = () => undefined;
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n';

describe('answers that never come whole', () => {
  it.each<[string, Behaviour, string, number]>([
    ['reset before the headers', reset, 'ECONNRESET', 5],
    ['closed before the headers', (socket) => void socket.end(), 'CONNECTION_CLOSED', 5],
    ['reset during the headers', thenReset('HTTP/1.1 200 OK\r\nContent-Ty'), 'ECONNRESET', 5],
    ['reset during the body', thenReset(`${HEAD}\r\n{"a":`), 'BODY_CUT_SHORT', 5],
    ['cut short of its length', thenEnd(`${HEAD}\r\n{"a":`), 'BODY_CUT_SHORT', 5],
    [
      'cut inside its gzip',
      (s) => void s.write(httpAnswer(gzipSync('{"a":1}').subarray(0, 20), ['Content-Encoding: gzip'])),
      'BODY_CUT_SHORT',
      5,
    ],
    [
      'cut inside a chunk',
      thenEnd('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{"a"'),
      'BODY_CUT_SHORT',
      5,
    ],
  ])(
    '%s: a read is tried again, a write is not and says that it may have been applied',
    async (_n, behaviour, code, attempts) => {
      const { server, client } = await faulty(behaviour);
      const error = await failureOf(client.call(read));
      expect(error).toBeInstanceOf(NetworkError);
      expect(error).toMatchObject({ code, fate: 'unknown' });
      expect(server.requests).toHaveLength(attempts);
      const lost = await failureOf(client.call(write));
      expect(lost).toMatchObject({
        code,
        fate: 'unknown',
        hint: expect.stringContaining('may have been applied'),
      });
      expect(server.requests).toHaveLength(attempts + 1);
      await expectHealthy(server, client);
    },
  );

  it('one reset alone is not noticed by a read', async () => {
    const { server, client } = await faulty((socket, count) => {
      if (count === 1) resetAtOnce(socket);
      else socket.write(httpAnswer('{}'));
    });
    expect((await client.call(read)).status).toBe(200);
    await expectHealthy(server, client);
  });

  it.each<[string, Behaviour]>([
    ['before the headers', silent],
    ['inside the headers', chunks('HTTP/1.1 200 OK\r\nContent-')],
    ['after the headers', chunks(`${HEAD}\r\n`)],
    ['inside the body', chunks(`${HEAD}\r\n{"a":`)],
    ['inside an error', chunks('HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\n{')],
  ])('silence %s ends at the deadline and closes the socket', async (_stage, behaviour) => {
    const { server, client } = await faulty(behaviour, { callTimeoutMs: DEADLINE_MS });
    const error = await failureOf(client.call(read));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      timeoutMs: DEADLINE_MS,
      fate: 'unknown',
      hint: expect.stringContaining('Call again'),
    });
    while (server.connections().open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await expectHealthy(server, client);
  });

  it('silence after the connection is accepted, before TLS answers, ends at the connect timeout', async () => {
    const server = await startFaultyServer(silent);
    closing.push(server.close);
    const client = clientFor(server.url.replace('http:', 'https:'), {
      connectTimeoutMs: 100,
      callTimeoutMs: 1500,
    });
    const error = await failureOf(client.call(write));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ fate: 'not-sent' });
  });
});

describe('answers that come oddly', () => {
  it.each<[string, Behaviour, unknown]>([
    ['byte by byte', chunks(...httpAnswer('{"a":1}').toString().split('')), { a: 1 }],
    [
      'with another content type',
      (s) => void s.write(httpAnswer('{"a":1}', ['Content-Type: text/plain'])),
      { a: 1 },
    ],
    ['without a content type', chunks('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'), {}],
    ['with duplicate headers', (s) => void s.write(httpAnswer('{"a":1}', ['X-A: 1', 'X-A: 2'])), { a: 1 }],
    ['204 with a body', (s) => void s.write(httpAnswer('{"a":1}', [], '204 No Content')), undefined],
    ['after 103 Early Hints', chunks('HTTP/1.1 103 Early Hints\r\n\r\n', httpAnswer('{"a":1}')), { a: 1 }],
    ['empty', (s) => void s.write(httpAnswer('')), undefined],
  ])('%s: the right result', async (_name, behaviour, body) => {
    const { server, client } = await faulty(behaviour);
    expect((await client.call(read)).body).toEqual(body);
    await expectHealthy(server, client);
  });

  it('joins a header that came twice', async () => {
    const { client } = await faulty(
      (s) => void s.write(httpAnswer('{}', ['X-A: 1', 'X-A: 2', 'x-svc-RequestId: r'])),
    );
    expect(await client.call(read)).toMatchObject({ headers: { 'x-a': '1, 2' }, requestId: words('r') });
  });

  it.each<[string, string | Buffer, string[], string]>([
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), [], 'INVALID_UTF8'],
    ['invalid JSON', '{"a":', [], 'INVALID_JSON'],
    ['100,000 nested arrays', '['.repeat(100_000) + ']'.repeat(100_000), [], 'TOO_DEEP'],
    [
      'HTML with status 200',
      '<!DOCTYPE html><title>Sign in</title>',
      ['Content-Type: text/html'],
      'NOT_JSON',
    ],
    ['HTML called JSON', '<html></html>', [], 'NOT_JSON'],
    ['something that is not gzip', '{}', ['Content-Encoding: gzip'], 'BAD_ENCODING'],
    ['an encoding nobody asked for', '{}', ['Content-Encoding: zstd'], 'BAD_ENCODING'],
    ['two lengths', '{}', ['Content-Length: 3'], 'NOT_HTTP'],
  ])('%s: one clear error, once', async (_name, body, headers, code) => {
    const { server, client } = await faulty((socket) => void socket.write(httpAnswer(body, headers)));
    const error = await failureOf(client.call(read));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ code });
    expect(server.requests).toHaveLength(1);
    await expectHealthy(server, client);
  });

  it('what is not HTTP at all', async () => {
    const { server, client } = await faulty(thenEnd('SSH-2.0-OpenSSH_9\r\n'));
    expect(await failureOf(client.call(read))).toMatchObject({ code: 'NOT_HTTP' });
    await expectHealthy(server, client);
  });

  it.each([
    ['no JSON', httpAnswer('<html>down</html>', ['Content-Type: text/html'], '403 Forbidden')],
    ['nothing', httpAnswer('', [], '403 Forbidden')],
    ['a body cut short', Buffer.from('HTTP/1.1 403 Forbidden\r\nContent-Length: 50\r\n\r\n{"er')],
    ['a body over the limit', httpAnswer(`"${'x'.repeat(2_000_000)}"`, [], '403 Forbidden')],
  ])('a failure with %s keeps its status', async (_name, answer) => {
    const { client } = await faulty((socket) => void socket.end(answer));
    expect(await failureOf(client.call(read))).toMatchObject({
      status: 403,
      message: expect.stringMatching(/readable body\)$/),
    });
  });

  it('takes a plain word for a write as success', async () => {
    const { client } = await faulty((s) => void s.write(httpAnswer('OK', ['Content-Type: text/plain'])));
    expect((await client.call(write)).body).toBe('OK');
    expect(await failureOf(client.call(read))).toMatchObject({ code: 'INVALID_JSON' });
  });
});

describe('a body over the limit', () => {
  const endless =
    (head: string, chunk: Buffer): Behaviour =>
    (socket) => {
      socket.write(head);
      const more = () => {
        while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
        sent += chunk.length;
      };
      let sent = 0;
      socket.on('drain', more);
      socket.on('close', () => ended(sent));
      more();
    };
  let ended: (sent: number) => void = () => undefined;

  it.each([
    ['unannounced', `HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n`],
    ['announced', `HTTP/1.1 200 OK\r\nContent-Length: 9000000000\r\n\r\n`],
  ])('%s is cut off while it arrives', async (_name, head) => {
    const closed = new Promise<number>((resolve) => {
      ended = resolve;
    });
    const { server, client } = await faulty(endless(head, Buffer.alloc(65_536, 0x20)));
    expect(await failureOf(client.call(read))).toMatchObject({ code: 'BODY_TOO_LARGE' });
    expect(await closed).toBeLessThan(50_000_000);
    await expectHealthy(server, client);
  });

  it('that only grows when it is unpacked is cut off as well', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
    const { server, client } = await faulty(
      (socket) => void socket.write(httpAnswer(bomb, ['Content-Encoding: gzip'])),
    );
    expect(await failureOf(client.call(read))).toMatchObject({ code: 'BODY_TOO_LARGE' });
    await expectHealthy(server, client);
  });
});

describe('connections that are never made', () => {
  it('refused: every call is tried again, since nothing was sent', async () => {
    // A port that the system gives to nobody: one that was closed may be another test's the next moment.
    const client = clientFor('http://127.0.0.1:9');
    expect(await failureOf(client.call(write))).toMatchObject({
      code: 'ECONNREFUSED',
      fate: 'not-sent',
      message: expect.stringContaining('(tried 5 times)'),
    });
  });

  it('host name not found', async () => {
    const client = clientFor('https://no-such-host.invalid', { callTimeoutMs: 5000 });
    expect(await failureOf(client.call(write))).toMatchObject({
      code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/),
      fate: 'not-sent',
      message: expect.stringContaining('no-such-host.invalid'),
    });
  });

  it('certificate not trusted: nothing is sent', async () => {
    const server = createTlsServer(selfSignedCertificate());
    let received = 0;
    server.on('secureConnection', (socket) => socket.on('data', () => received++));
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(async () => server.close());
    const client = clientFor(`https://127.0.0.1:${portOf(server.address())}`);
    expect(await failureOf(client.call(write))).toMatchObject({
      code: expect.stringMatching(/SELF_SIGNED|CERT/),
      fate: 'not-sent',
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
    expect(received).toBe(0);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 307, 308])('%i is not followed, and the token does not travel', async (status) => {
    const other = await startHttpService(() => ({ body: {} }));
    closing.push(other.close);
    const { client } = await faulty(
      (socket) => void socket.write(httpAnswer('', [`Location: ${other.url}/x`], `${status} Moved`)),
    );
    const error = await failureOf(client.call(read));
    expect(error).toMatchObject({ status, hint: expect.stringContaining('never followed') });
    expect(other.requests).toHaveLength(0);
  });
});
