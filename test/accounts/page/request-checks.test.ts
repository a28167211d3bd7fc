/** Tests who may talk to the page over real HTTP: host, path, method, origin, framing, type, size and time. */

import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { enter, formHeaders, send } from '../../helpers/served-page.ts';
import { good, openTestPage, post, type TestPage } from './open-test-page.ts';

const pages: TestPage[] = [];
const open = async (...args: Parameters<typeof openTestPage>) => {
  const page = await openTestPage(...args);
  pages.push(page);
  return page;
};
afterEach(() => {
  for (const page of pages.splice(0)) page.close();
});

describe('headers', () => {
  it('lets the page load nothing, run nothing, be framed by nothing and be kept nowhere', async () => {
    const page = await open();
    const { headers, status, body } = await send(page);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      connection: 'close',
    });
    expect(headers).not.toHaveProperty('set-cookie');
    expect(body).not.toMatch(/<script|style="|\son\w+="|https?:\/\/|src=/);
  });

  it('sends the same headers with refusals and with HEAD', async () => {
    const page = await open();
    const missing = await send(page, { path: '/' });
    const head = await send(page, { method: 'HEAD' });
    for (const reply of [missing, head]) {
      expect(reply.headers['cache-control']).toBe('no-store');
      expect(reply.headers['content-security-policy']).toContain("default-src 'none'");
    }
    expect(head).toMatchObject({ status: 200, body: '' });
  });
});

describe('address', () => {
  it('has 256 random bits in its path, another in that of the page behind it, and a third in the cookie', async () => {
    const [first, second] = [await open(), await open()];
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}$/);
    expect(first.door).not.toBe(second.door);
    const { path, cookie } = await enter(first);
    expect(path).toMatch(/^\/[\w-]{43}\/$/);
    expect(cookie).toMatch(/^page=[\w-]{43}$/);
    expect(new Set([first.door.slice(1), path.slice(1, -1), cookie.slice(5)]).size).toBe(3);
  });

  it('answers any other path with a plain 404 that tells nothing', async () => {
    const page = await open();
    const { path: room, cookie } = await enter(page);
    const others = [
      '/',
      '/favicon.ico',
      `${page.door}/`,
      page.door.slice(0, -1),
      `/.${page.door}`,
      room.slice(0, -1),
      `/.${room}`,
    ];
    for (const path of [...others, `${room}x`, `http://evil.example${room}`]) {
      const reply = await send(page, { path, headers: { cookie } });
      expect(reply, path).toMatchObject({ status: 404, body: 'Not found.\n' });
      expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
    }
  });

  it('listens on 127.0.0.1 only', async () => {
    const page = await open();
    const port = Number(new URL(page.url).port);
    const error = await new Promise<Error | undefined>((resolve) => {
      const socket = connect(port, '127.0.0.2', () => resolve(undefined));
      socket.on('error', resolve);
      socket.on('connect', () => socket.destroy());
    });
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each(['evil.example', 'localhost', '127.0.0.1', '127.0.0.1:1', '[::1]'])(
    'refuses the Host %s (DNS rebinding)',
    async (name) => {
      const page = await open();
      const port = new URL(page.url).port;
      for (const host of [name, name.includes(':1') ? name : `${name}:${port}`]) {
        if (host === page.host) continue;
        const reply = await send(page, { headers: { host } });
        expect(reply.status, host).toBe(421);
        expect(reply.body).not.toContain('<form');
      }
    },
  );

  it('refuses a request with two Host headers', async () => {
    const page = await open();
    const port = Number(new URL(page.url).port);
    const text = await new Promise<string>((resolve, reject) => {
      let got = '';
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET ${page.door} HTTP/1.1\r\nHost: ${page.host}\r\nHost: evil.example\r\n\r\n`);
      socket.on('data', (chunk) => {
        got += chunk.toString();
      });
      socket.on('end', () => resolve(got));
      socket.on('error', reject);
    });
    expect(text).toMatch(/^HTTP\/1\.1 (421|400) /);
  });
});

describe('methods and uses', () => {
  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('refuses %s', async (method) => {
    const reply = await send(await open(), { method });
    expect(reply.status).toBe(405);
    expect(reply.headers.allow).toBe('GET, HEAD, POST');
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it.each(['iframe', 'image', 'script', 'empty', 'object'])('is not handed out as %s', async (use) => {
    const reply = await send(await open(), { headers: { 'sec-fetch-dest': use } });
    expect(reply.status).toBe(403);
  });

  it('opens from a link anywhere, as a document', async () => {
    const headers = { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' };
    expect((await send(await open(), { headers })).status).toBe(200);
  });
});

describe('a post from elsewhere', () => {
  const elsewhere: readonly [string, Record<string, string>][] = [
    ['another origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
    ['the right origin, but cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['the right origin, typed by hand', { 'sec-fetch-site': 'none' }],
    ['an opaque origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ];
  it.each(elsewhere)('is refused: %s', async (_name, headers) => {
    const page = await open();
    const reply = await post(page, good, headers);
    expect(reply.status).toBe(403);
    expect(page.saved).toEqual([]);
  });

  it('is refused without an Origin, and with an opaque one that nothing vouches for', async () => {
    const page = await open();
    const body = new URLSearchParams(good).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const headers of [type, { ...type, origin: 'null' }, { ...type, 'sec-fetch-site': 'same-origin' }]) {
      expect((await send(page, { method: 'POST', headers, body })).status).toBe(403);
    }
    expect(page.saved).toEqual([]);
  });

  it('is taken from the page itself, whether the browser names the origin or hides it', async () => {
    for (const origin of ['own', 'null']) {
      const page = await open();
      const reply = await post(page, good, origin === 'null' ? { origin } : {});
      expect(reply.status).toBe(200);
      expect(await page.done).toBe('saved');
    }
  });

  it("is refused without the cookie of this page, and with another page's", async () => {
    const [page, other] = [await open(), await open()];
    await enter(page);
    const { cookie } = await enter(other);
    for (const wrong of [
      '',
      'page=',
      `page=${'x'.repeat(43)}`,
      cookie,
      page.room?.cookie.replace('page=', 'pages=') ?? '',
    ]) {
      expect((await post(page, good, { cookie: wrong })).status, wrong).toBe(403);
    }
    expect(page.saved).toEqual([]);
    expect((await post(page, good, { cookie: `page=tossed; ${page.room?.cookie}` })).status).toBe(200);
  });
});

describe('the body', () => {
  it.each([
    ['text/plain', 'clientId=x'],
    ['multipart/form-data; boundary=x', '--x--'],
  ])('is refused as %s', async (type, body) => {
    const page = await open();
    const headers = { ...formHeaders(page), 'content-type': type };
    expect((await send(page, { method: 'POST', headers, body })).status).toBe(415);
  });

  it('is refused when compressed, over 64 KB, with a field twice or with an unknown one', async () => {
    const page = await open();
    const send1 = (body: string, more: Record<string, string> = {}) =>
      send(page, { method: 'POST', headers: { ...formHeaders(page), ...more }, body });
    expect((await send1('a=b', { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await send1(`clientId=${'x'.repeat(70_000)}`)).status).toBe(413);
    expect((await send1('clientId=a&clientId=b')).status).toBe(400);
    expect((await send1('__proto__=a')).status).toBe(400);
    expect(page.saved).toEqual([]);
  });

  it('is cut off when it does not arrive in time', async () => {
    const page = await open({ requestTimeoutMs: 200 });
    const { path: room, cookie } = await enter(page);
    const text = await new Promise<string>((resolve) => {
      let got = '';
      const socket = connect(Number(new URL(page.url).port), '127.0.0.1');
      const headers = Object.entries({ ...formHeaders(page), cookie }).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      );
      socket.write(
        `POST ${room} HTTP/1.1\r\nHost: ${page.host}\r\n${headers.join('')}Content-Length: 50\r\n\r\na=`,
      );
      socket.on('data', (chunk) => {
        got += chunk.toString();
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(got));
    });
    expect(text).toMatch(/^HTTP\/1\.1 408 |^$/);
    expect((await send(page)).status).toBe(200);
  });
});
