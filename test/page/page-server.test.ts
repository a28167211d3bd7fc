/** The way in: one address, one button, one browser. What else is let through is tested where credentials are. */

import { afterEach, describe, expect, it, vi } from 'vitest';
import { contentSecurityPolicy } from '../../src/page/document.ts';
import { type OpenPage, openPage, type PageOptions, type PageRequest } from '../../src/page/page-server.ts';
import { enter, formHeaders, type ServedTestPage, send, servedAt } from '../helpers/served-page.ts';

const pages: OpenPage[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const page of pages.splice(0)) page.close();
});

async function open(given: Partial<PageOptions> = {}) {
  const asked: PageRequest[] = [];
  const page = await openPage({
    door: { title: 'A <page>', text: 'It is & is not.', button: 'Open it' },
    policy: contentSecurityPolicy({}),
    signal: new AbortController().signal,
    answer(request) {
      asked.push(request);
      return { status: 200, type: 'text/plain', body: `inside ${request.name}` };
    },
    ...given,
  });
  pages.push(page);
  return { page, asked, served: servedAt(page.url) };
}

const press = (served: ServedTestPage, headers = {}) =>
  send(served, {
    method: 'POST',
    path: served.door,
    headers: { ...formHeaders(served), ...headers },
    body: '',
  });

describe('the door', () => {
  it('shows a button, to whoever looks, and says nothing of what is behind it', async () => {
    const { served, asked, page } = await open();
    for (const method of ['GET', 'HEAD', 'GET']) {
      const reply = await send(served, { method, path: served.door });
      expect(reply.status).toBe(200);
      expect(reply.headers).not.toHaveProperty('set-cookie');
      if (method === 'GET') expect(reply.body).toContain(`<form method="post" action="${served.door}">`);
      if (method === 'GET') expect(reply.body).toContain('A &lt;page&gt;');
    }
    expect(asked).toEqual([]);
    expect(page.isVisited).toBe(false);
  });

  it('gives a cookie to the button, to this path alone, and is dead then', async () => {
    const { served, page } = await open();
    const reply = await press(served);
    expect(reply.status).toBe(303);
    expect(reply.headers['set-cookie']).toEqual([
      expect.stringMatching(/^page=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/[\w-]{43}\/$/),
    ]);
    expect(reply.headers['set-cookie']?.[0]).toContain(`Path=${reply.headers.location}`);
    expect(page.isVisited).toBe(true);
    for (const again of [await press(served), await send(served, { path: served.door })]) {
      expect(again.status).toBe(410);
      expect(again.headers).not.toHaveProperty('set-cookie');
    }
  });

  it('lets one in where two press at once', async () => {
    const { served } = await open();
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => press(served)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
  });

  it('is not pressed from elsewhere', async () => {
    const { served, page } = await open();
    for (const headers of [
      { origin: 'http://evil.example' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
    ]) {
      expect((await press(served, headers)).status).toBe(403);
    }
    expect(page.isVisited).toBe(false);
    expect((await press(served)).status).toBe(303);
  });

  it('is opened anew by another address, which turns out whoever came in before', async () => {
    const { served, page, asked } = await open();
    expect(page.url).toBe(`http://${served.host}${served.door}`);
    const first = await enter(served);
    const next = servedAt(page.url);
    expect(next.door).not.toBe(served.door);
    expect((await send(served)).body).toBe('inside ');
    const second = await enter(next);
    expect(second.path).not.toBe(first.path);
    expect((await send(served)).status).toBe(404);
    expect((await send(next)).body).toBe('inside ');
    expect((await send(next, { path: second.path, headers: { cookie: first.cookie } })).status).toBe(403);
    expect(asked).toHaveLength(2);
  });
});

describe('inside', () => {
  it('a script reads by name, and posts JSON; other sites do neither', async () => {
    const { served, asked } = await open();
    const { path, cookie } = await enter(served);
    const own = { cookie, 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' };
    expect((await send(served, { path: `${path}rows?from=2`, headers: own })).body).toBe('inside rows');
    expect(asked[0]).toMatchObject({ method: 'GET', name: 'rows', path, json: undefined });
    expect(asked[0]?.query.get('from')).toBe('2');
    const json = { ...formHeaders(served), ...own, 'content-type': 'application/json' };
    const post = (body: string, headers: Record<string, string> = json) =>
      send(served, { method: 'POST', path: `${path}yes`, headers, body });
    expect((await post('{"items":[1]}')).body).toBe('inside yes');
    expect(asked[1]).toMatchObject({ method: 'POST', name: 'yes', json: { items: [1] } });
    expect((await post('{')).status).toBe(400);
    expect(
      (await post('{}', { ...json, origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' })).status,
    ).toBe(403);
    expect(
      (await send(served, { path: `${path}rows`, headers: { ...own, 'sec-fetch-site': 'same-site' } }))
        .status,
    ).toBe(403);
    expect(
      (await send(served, { path: `${path}rows`, headers: { ...own, 'sec-fetch-dest': 'script' } })).status,
    ).toBe(403);
    expect((await send(served, { path, headers: own })).status).toBe(403);
    expect(asked).toHaveLength(2);
  });

  it('ends with the answer that is the last, and not before it was sent', async () => {
    const { served, page } = await open({
      answer: () => ({ status: 200, type: 'text/plain', body: 'bye', isEnd: true }),
    });
    expect((await send(served)).body).toBe('bye');
    expect(await page.done).toBe('done');
    expect(page.isOpen).toBe(false);
  });

  it('an answer under way when the time is over is still given', async () => {
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const { served, page } = await open({
      lifetimeMs: 300,
      async answer() {
        await gate;
        return { status: 200, type: 'text/plain', body: 'late' };
      },
    });
    const reply = send(served);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(page.isOpen).toBe(true);
    release();
    expect((await reply).body).toBe('late');
    expect(await page.done).toBe('expired');
  });
});
