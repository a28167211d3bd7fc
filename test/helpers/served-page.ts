/** Raw requests to a page on loopback, with every header in the test's hands, through its door or past it. */

import { type IncomingHttpHeaders, request } from 'node:http';

/** A page that is served, and the result of opening its address. */
export interface ServedTestPage {
  host: string;
  /** The way in that was given out. */
  door: string;
  /** Set by `enter`. */
  room?: { path: string; cookie: string };
}

export function servedAt(url: string): ServedTestPage {
  const { host, pathname } = new URL(url);
  return { host, door: pathname };
}

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface RawRequest {
  method?: string;
  /** The page itself, behind its door, where it is left out. */
  path?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
}

/** node:http rather than fetch: fetch would not let a test set Host, Origin or Sec-Fetch-*. */
export async function send(page: ServedTestPage, raw: RawRequest = {}): Promise<Reply> {
  const { method = 'GET', headers = {}, body } = raw;
  if (raw.path !== undefined) return sendRaw(page.host, { method, path: raw.path, headers, body });
  const { path, cookie } = await enter(page);
  return sendRaw(page.host, { method, path, headers: { cookie, ...headers }, body });
}

/** Presses the button, once for a page of a test; the path and the cookie that it gave. */
export async function enter(page: ServedTestPage): Promise<{ path: string; cookie: string }> {
  if (page.room !== undefined) return page.room;
  const reply = await sendRaw(page.host, {
    method: 'POST',
    path: page.door,
    headers: formHeaders(page),
    body: '',
  });
  const [cookie = ''] = (reply.headers['set-cookie']?.[0] ?? '').split(';');
  page.room = { path: reply.headers.location ?? '', cookie };
  return page.room;
}

/** Headers as a browser sends them for the page's own form. */
export function formHeaders({ host }: ServedTestPage): Record<string, string> {
  return {
    'content-type': 'application/x-www-form-urlencoded',
    origin: `http://${host}`,
    'sec-fetch-site': 'same-origin',
  };
}

function sendRaw(
  at: string,
  {
    method,
    path,
    headers,
    body,
  }: { method: string; path: string; headers: RawRequest['headers']; body: string | undefined },
): Promise<Reply> {
  const { hostname, port } = new URL(`http://${at}`);
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: hostname, port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
