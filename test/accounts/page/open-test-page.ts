/** A page open for one test, and raw requests to it with every header in the test's hands. */

import { type IncomingHttpHeaders, request } from 'node:http';
import type { AccountInput } from '../../../src/accounts/account-input.ts';
import { createAccountPages } from '../../../src/accounts/page/account-pages.ts';
import type { CredentialsPage, CredentialsPageOptions } from '../../../src/accounts/page/open-page.ts';

export const good = {
  clientId: 'amzn1.application-oa2-client.canary-id',
  clientSecret: 'amzn1.oa2-cs.v1.canary-secret-7f3a',
  refreshToken: 'Atzr|canary-refresh-91bd',
  region: 'eu',
};

export type TestPage = CredentialsPage & {
  saved: AccountInput[];
  host: string;
  path: string;
  stop: AbortController;
};

/** `pages`: where pages of one account replace each other; by default each page stands alone. */
export async function openTestPage(
  options: Partial<CredentialsPageOptions> = {},
  pages = createAccountPages(),
): Promise<TestPage> {
  const saved: AccountInput[] = [];
  const stop = new AbortController();
  const page = await pages({
    account: 'default',
    signal: stop.signal,
    verify: async (values) => values,
    save: async (values) => void saved.push(values),
    ...options,
  });
  const { host, pathname } = new URL(page.url);
  return Object.assign(page, { saved, stop, host, path: pathname });
}

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface RawRequest {
  method?: string;
  path?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
}

/** node:http rather than fetch: fetch would not let a test set Host, Origin or Sec-Fetch-*. */
export function send(page: TestPage, raw: RawRequest = {}): Promise<Reply> {
  const { method = 'GET', path = page.path, headers = {}, body } = raw;
  const port = Number(new URL(page.url).port);
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
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

export async function readCsrfToken(page: TestPage): Promise<string> {
  const { body } = await send(page);
  return /name="csrfToken" value="([^"]+)"/.exec(body)?.[1] ?? '';
}

/** Headers as a browser sends them for the page's own form. */
export function formHeaders(page: TestPage): Record<string, string> {
  return {
    'content-type': 'application/x-www-form-urlencoded',
    origin: `http://${page.host}`,
    'sec-fetch-site': 'same-origin',
  };
}

export async function post(
  page: TestPage,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const csrfToken = await readCsrfToken(page);
  const body = new URLSearchParams({ csrfToken, ...fields }).toString();
  return send(page, { method: 'POST', headers: { ...formHeaders(page), ...headers }, body });
}
