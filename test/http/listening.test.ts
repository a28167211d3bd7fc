/**
 * Tests what reaches the server over real sockets: other hosts and sites, and too much, too slowly or too
 * often. None of it reaches a session, and others are served meanwhile.
 */

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConfigError } from '../../src/base/errors.ts';
import {
  callOf,
  holdConnection,
  MCP_HEADERS,
  type StartedPeople,
  sendRaw,
  startPeople,
} from '../helpers/people-server.ts';

let people: StartedPeople;
beforeAll(async () => {
  people = await startPeople({ limits: { connections: 80 } });
});
afterAll(() => people.close());

const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);

async function request(
  headers: readonly string[],
  target = '/mcp',
  body = JSON.stringify(callOf()),
): Promise<number> {
  const token = await people.issuer.token();
  const head = [
    `POST ${target} HTTP/1.1`,
    ...headers,
    `Authorization: Bearer ${token}`,
    ...Object.entries(MCP_HEADERS).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return statusOf((await sendRaw(people.port, [`${head.join('\r\n')}\r\n\r\n${body}`])).text);
}

it('serves its own host and its own origin, once said, and no other, whatever the token', async () => {
  const { port } = people;
  const own = [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`];
  const other = [
    '127.0.0.1',
    'localhost',
    'evil.example',
    `evil.example:${port}`,
    `127.0.0.1:${port}.evil.example`,
    '',
  ];
  const hosts = fc.array(fc.constantFrom(...own, ...other), { minLength: 0, maxLength: 2 });
  const ownOrigins = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
  const origins = fc.constantFrom(
    undefined,
    ...ownOrigins,
    'null',
    'http://evil.example',
    `https://127.0.0.1:${port}`,
    'http://localhost',
  );
  const targets = fc.constantFrom('/mcp', '/mcp?x=1', `http://127.0.0.1:${port}/mcp`, '/', '/mcp/', '//mcp');
  await fc.assert(
    fc.asyncProperty(hosts, origins, targets, async (said, origin, target) => {
      people.callers.length = 0;
      const headers = [
        ...said.map((host) => `Host: ${host}`),
        ...(origin === undefined ? [] : [`Origin: ${origin}`]),
      ];
      const status = await request(headers, target);
      const [host = ''] = said;
      const isOwn =
        said.length === 1 && own.includes(host) && (origin === undefined || ownOrigins.includes(origin));
      const isServed = isOwn && (target === '/mcp' || target === '/mcp?x=1');
      expect(status === 200).toBe(isServed);
      expect(people.callers).toHaveLength(isServed ? 1 : 0);
    }),
    { numRuns: 60 },
  );
});

it('refuses a body that is too long, deep in values, no JSON, a batch or of another type', async () => {
  const host = `Host: 127.0.0.1:${people.port}`;
  expect(await request([host], '/mcp', 'x'.repeat(10_000_000))).toBe(413);
  expect(await request([host], '/mcp', JSON.stringify({ a: Array.from({ length: 200_000 }, () => 1) }))).toBe(
    413,
  );
  expect(await request([host], '/mcp', '{"jsonrpc"')).toBe(400);
  expect(await request([host], '/mcp', JSON.stringify([callOf(), callOf()]))).toBe(400);
  const token = await people.issuer.token();
  const other = await fetch(people.server.endpoint, {
    method: 'POST',
    headers: { ...MCP_HEADERS, 'content-type': 'text/plain', authorization: `Bearer ${token}` },
    body: JSON.stringify(callOf()),
  });
  expect(other.status).toBe(415);
});

it('refuses what is nested without end, and a method that nobody means well with, in words', async () => {
  const host = `Host: 127.0.0.1:${people.port}`;
  const nested = (levels: number) =>
    JSON.stringify(callOf()).replace('"ms":0', `"ms":0,"deep":${'['.repeat(levels)}${']'.repeat(levels)}`);
  expect(await request([host], '/mcp', nested(100_000))).toBe(400);
  expect(await request([host], '/mcp', nested(900))).toBe(200);
  people.errors.length = 0;
  const head = `TRACE /mcp HTTP/1.1\r\n${host}\r\nAuthorization: Bearer ${await people.issuer.token()}\r\n`;
  const { text } = await sendRaw(people.port, [`${head}Connection: close\r\n\r\n`]);
  expect([statusOf(text), /^allow: .*$/im.exec(text)?.[0]]).toEqual([405, 'Allow: POST']);
  expect(text).toContain('Only POST is served here.');
  expect(people.errors).toEqual([]);
});

it('ends a connection that the client says is for one request, and keeps another, event stream or not', async () => {
  const body = JSON.stringify(callOf());
  const token = await people.issuer.token();
  const post = (version: string, more: readonly string[] = []) => {
    const head = [
      `POST /mcp HTTP/${version}`,
      `Host: 127.0.0.1:${people.port}`,
      `Authorization: Bearer ${token}`,
      ...Object.entries(MCP_HEADERS).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...more,
    ];
    return `${head.join('\r\n')}\r\n\r\n${body}`;
  };
  for (const bytes of [post('1.1', ['Connection: close']), post('1.0')]) {
    const { text, isClosed } = await sendRaw(people.port, [bytes], { mostMs: 700 });
    expect(text).toContain('text/event-stream');
    expect(text).toContain('waited');
    expect([isClosed, /^connection: .*$/im.exec(text)?.[0]?.toLowerCase()]).toEqual([
      true,
      'connection: close',
    ]);
  }
  const kept = await sendRaw(people.port, [post('1.1'), post('1.1')], { between: 200, mostMs: 700 });
  expect(kept.isClosed).toBe(false);
  expect(kept.text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
});

it('does not read the body of whoever is nobody', async () => {
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${people.port}\r\nContent-Length: 4000000\r\n\r\n`;
  const { text, isClosed, ms } = await sendRaw(people.port, [head, 'x'.repeat(1000)]);
  expect([statusOf(text), isClosed]).toEqual([401, true]);
  expect(ms).toBeLessThan(3_000);
});

it('ends what is slow: connections that owe headers, and bodies that drip', async () => {
  // The others have the usual limits, which a busy machine keeps.
  const hasty = await startPeople({ limits: { headersMs: 1_000, requestMs: 2_500 } });
  expect((await sendRaw(hasty.port, [])).isClosed).toBe(true);
  const dripping = await sendRaw(
    hasty.port,
    ['POST /mcp HTTP/1.1\r\n', ...Array.from({ length: 40 }, (_, at) => `X-${at}: 1\r\n`)],
    { between: 100 },
  );
  expect(dripping.isClosed).toBe(true);
  const token = await hasty.issuer.token();
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${hasty.port}\r\nContent-Type: application/json\r\nAuthorization: Bearer ${token}\r\nContent-Length: 1000\r\n\r\n`;
  const slow = await sendRaw(hasty.port, [head, ...Array.from({ length: 40 }, () => ' ')], { between: 100 });
  expect(slow.isClosed).toBe(true);
  await hasty.close();
});

it('keeps room for others where silent connections hold all that there are', async () => {
  const held = Array.from({ length: 400 }, () => holdConnection(people.port));
  await expect.poll(() => held.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(300);
  const own = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${people.port}\r\nContent-Length: 0\r\n\r\n`;
  expect(statusOf((await sendRaw(people.port, [own], { mostMs: 2_000 })).text)).toBe(401);
  for (const socket of held) socket.destroy();
});

it('an upload that is broken off is no failure of the server', async () => {
  const before = people.errors.length;
  const token = await people.issuer.token();
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${people.port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
  const asked = people.callers.length;
  const socket = holdConnection(people.port);
  socket.write(head);
  await expect.poll(() => people.callers.length).toBe(asked + 1);
  await sleep(100);
  socket.resetAndDestroy();
  await sleep(500);
  expect(people.errors).toHaveLength(before);
});

it('keeps room for others where connections have had their answer and hold on', async () => {
  const unknown = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${people.port}\r\nContent-Length: 0\r\n\r\n`;
  // Before the others: a connection that is kept from an earlier call might be the one that makes room.
  const running = people.call(await people.issuer.token(), 2_000);
  await sleep(100);
  const held = Array.from({ length: 79 }, (_, at) => holdConnection(people.port, `127.0.0.${2 + (at % 4)}`));
  await Promise.all(
    held.map(async (socket) => {
      socket.write(unknown);
      await once(socket, 'data');
    }),
  );
  const another = await sendRaw(people.port, [unknown], { from: '127.0.0.9', mostMs: 2_000 });
  expect(statusOf(another.text)).toBe(401);
  // The connections answered longest ago were closed, and no running one.
  expect(held.filter(({ destroyed }) => destroyed).length).toBeLessThan(10);
  expect((await running).status).toBe(200);
  for (const socket of held) socket.destroy();
});

it('counts no request of whoever went before it was known who they are', async () => {
  const slow = await startPeople();
  try {
    const token = await slow.issuer.token();
    slow.issuer.mood.delayMs = 300;
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${slow.port}\r\nAuthorization: Bearer ${token}\r\n`;
    const gone = Array.from({ length: 70 }, () => holdConnection(slow.port));
    for (const socket of gone)
      socket.write(`${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`);
    await sleep(150);
    for (const socket of gone) socket.resetAndDestroy();
    slow.issuer.mood.delayMs = 0;
    await expect.poll(() => slow.callers.length, { timeout: 5_000 }).toBe(70);
    expect((await slow.call(token)).status).toBe(200);
  } finally {
    await slow.close();
  }
});

it('sees a second Host and a second login behind two thousand other headers', async () => {
  const many = Array.from({ length: 2_100 }, () => 'a:1');
  const host = `Host: 127.0.0.1:${people.port}`;
  expect(await request([host, ...many])).toBe(200);
  expect(await request([host, ...many, 'Host: evil.example'])).toBe(421);
  expect(await request([host, 'Authorization: Bearer other', ...many])).toBe(400);
});

it('tells its counters to this machine alone where they are on loopback, whatever name leads there', async () => {
  const port = people.server.monitorPort ?? 0;
  const ask = async (host: string) =>
    statusOf(
      (await sendRaw(port, [`GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`])).text,
    );
  for (const host of [`127.0.0.1:${port}`, 'localhost', `LOCALHOST:${port}`, '[::1]:9464'])
    expect([host, await ask(host)]).toEqual([host, 200]);
  for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', ''])
    expect([host, await ask(host)]).toEqual([host, 421]);
});

it('tells who is logged in that the accounts cannot be read, without why, which is for whoever runs it', async () => {
  const failures: unknown[] = [];
  const broken = await startPeople({
    sessionOf: async ({ subject }) => {
      if (subject === 'ben') throw new Error('a mistake of ours in /srv/secrets');
      throw new ConfigError('The folder of secrets /srv/secrets cannot be read.', '');
    },
    onFailure: (error) => failures.push(error),
  });
  try {
    const answer = await broken.call(await broken.issuer.token());
    const text = await answer.text();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(text).toContain('cannot read its accounts');
    expect(failures).toEqual([]);
    const failed = await broken.call(await broken.issuer.token({ sub: 'ben' }));
    expect([failed.status, failures.length]).toEqual([500, 1]);
    expect(text + (await failed.text())).not.toContain('/srv');
  } finally {
    await broken.close();
  }
});

it('tells when the first client secret ends, where that is known', async () => {
  const ends = { at: 1_800_000_000_500 };
  const watched = await startPeople({ firstSecretEnd: () => ends.at });
  try {
    const read = async (port = 0) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(await read(watched.server.monitorPort)).toMatch(/^seller_first_secret_end_seconds 1800000000$/m);
    expect(await read(people.server.monitorPort)).not.toMatch(/^seller_first_secret_end_seconds [1-9]/m);
  } finally {
    await watched.close();
  }
});

it('counts what it answers and why it turned away, in labels of which there are few', async () => {
  const text = await (await fetch(`http://127.0.0.1:${people.server.monitorPort}/metrics`)).text();
  expect(text).toMatch(/seller_http_refusals_total\{reason="host"\} \d+/);
  expect(text).not.toContain('evil.example');
  expect(text).not.toContain('anna');
});
