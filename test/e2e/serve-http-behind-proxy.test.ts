/** The built program as others reach it: behind a proxy that ends TLS and hands the Host header on. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { createServer, request } from 'node:https';
import { createServer as createTcpServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { selfSignedCertificate } from '../helpers/certificates.ts';
import { LAUNCH } from '../helpers/launch.ts';
import { homeEnvironment } from '../helpers/outside-service.ts';
import { MCP_HEADERS } from '../helpers/people-server.ts';
import { startTokenIssuer, type TokenIssuer } from '../helpers/token-issuer.ts';

const { cert, key } = selfSignedCertificate();
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

let folder: string;
let issuer: TokenIssuer;
let audience = '';
const children: ChildProcess[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-tls-'));
  issuer = await startTokenIssuer(() => audience);
});
afterAll(async () => {
  // One whose test failed before it was stopped.
  for (const child of children) child.kill('SIGKILL');
  await issuer.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

it('behind a proxy answers to its public name, which the proxy hands on, and names it where clients log in', async () => {
  audience = 'https://sellers.example/mcp';
  const outside = ['--behind-proxy', '--public-url', 'https://sellers.example'];
  // The program names its public address, and not the port that it listens on.
  const port = await freePort();
  const server = await start(`127.0.0.1:${port}`, outside);
  expect(server.endpoint.href).toBe(audience);
  const proxy = await startProxy(port);
  const token = await issuer.token();
  const through = new URL(`https://127.0.0.1:${proxy.port}/mcp`);
  const host = 'sellers.example';
  const listed = await ask(through, { token, host });
  expect(listed).toMatchObject({ status: 200, text: expect.stringContaining('"read_operation"') });
  const nobody = await ask(through, { host });
  expect([nobody.status, nobody.challenge]).toEqual([
    401,
    expect.stringContaining('https://sellers.example/.well-known/oauth-protected-resource/mcp'),
  ]);
  // A proxy that puts the address of the server in the place of the Host header, as some do unless told.
  for (const other of [`127.0.0.1:${port}`, 'evil.example'])
    expect(await ask(through, { token, host: other })).toMatchObject({ status: 421 });
  await proxy.close();
  expect(await server.stop()).toBe(0);
});

async function start(listen: string, more: readonly string[]) {
  const args = ['serve-http', '--sandbox', '--listen', listen, '--issuer', issuer.issuer, ...more];
  const child = spawn(LAUNCH.node, [LAUNCH.program, ...args], {
    env: { ...LAUNCH.env, ...homeEnvironment(folder) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  let endpoint: URL | undefined;
  for await (const line of createInterface(child.stderr)) {
    endpoint = new URL(/Serving (\S+)/.exec(line)?.[1] ?? 'none:');
    break;
  }
  if (endpoint === undefined) throw new Error('not started');
  return {
    endpoint,
    async stop() {
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      return code;
    },
  };
}

/** Ends TLS, and hands everything on as it came. */
async function startProxy(port: number) {
  const server = createServer({ cert, key }, (asked, response) => {
    const { method, url, headers } = asked;
    const on = requestPlain(
      { host: '127.0.0.1', port, method, path: url, headers, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    asked.pipe(on);
  });
  return {
    port: await portOf(server.listen(0, '127.0.0.1')),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function portOf(server: Server): Promise<number> {
  if (!server.listening) await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function freePort(): Promise<number> {
  const server = createTcpServer();
  const port = await portOf(server.listen(0, '127.0.0.1'));
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Not fetch: it neither trusts a certificate of the test nor sends a Host header of another name. */
async function ask(url: URL, { token, host = url.host }: Asked = {}) {
  const headers = {
    ...MCP_HEADERS,
    host,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const sent = request(url, { method: 'POST', headers, agent: false, servername: 'localhost', ca: cert });
  sent.end(LIST);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return { status: answer.statusCode, challenge: answer.headers['www-authenticate'], text };
}

interface Asked {
  token?: string;
  host?: string;
}
