/** Starts the sandbox, exchanges tokens and calls it, for the sandbox's tests. */

import { afterEach } from 'vitest';
import * as z from 'zod';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/start-sandbox.ts';

const running: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.close()));
});

/** Closed by itself after the test. */
export async function start(options?: SandboxOptions): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  running.push(sandbox);
  return sandbox;
}

export const US = 'ATVPDKIKX0DER';
export const SUPPLY_SOURCES = '/supplySources/2020-07-01/supplySources';
export const SHOP = '3f0c9e52-7a41-4d0b-9c86-5b1e2a7d4f10';

export interface Reply {
  status: number;
  headers: Headers;
  body: unknown;
}

async function read(response: Response): Promise<Reply> {
  const text = await response.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
}

export async function exchange(sandbox: Sandbox, changes: Record<string, unknown> = {}): Promise<Reply> {
  const { clientId, clientSecret, refreshToken } = sandbox.credentials;
  const request = {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: clientId,
    client_secret: clientSecret,
    ...changes,
  };
  return read(
    await fetch(`${sandbox.authUrl}/auth/o2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    }),
  );
}

const tokensSchema = z.looseObject({ access_token: z.string(), refresh_token: z.string().optional() });

export async function tokens(
  sandbox: Sandbox,
  changes: Record<string, unknown> = {},
): Promise<{ access: string; refresh: string }> {
  const { access_token, refresh_token = '' } = tokensSchema.parse((await exchange(sandbox, changes)).body);
  return { access: access_token, refresh: refresh_token };
}

export interface CallSpec {
  method?: string;
  token?: string;
  body?: unknown;
  /** Sent as it is instead of `body`. */
  text?: string;
  headers?: Record<string, string>;
}

export async function call(
  sandbox: Sandbox,
  path: string,
  { method = 'GET', token, body, text, headers = {} }: CallSpec = {},
): Promise<Reply> {
  const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
  return read(
    await fetch(`${sandbox.baseUrl}${path}`, {
      method,
      headers: {
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { 'x-amz-access-token': token }),
        ...headers,
      },
      ...(payload !== undefined && { body: payload }),
    }),
  );
}

export const catalogPath = (asin: string, marketplaceId = US): string =>
  `/catalog/v0/items/${asin}?MarketplaceId=${marketplaceId}`;

const objectForm = z.object({ errors: z.array(z.looseObject({ code: z.string(), message: z.string() })) });

/** The first error of a body in the object form. */
export function firstError(reply: Reply): { code: string; message: string; details?: unknown } {
  const [error] = objectForm.parse(reply.body).errors;
  if (error === undefined) throw new Error('the body holds no error');
  return error;
}

/** The calls of one seller without limits, which the tests of the sandbox's data need. */
export interface SignedIn {
  sandbox: Sandbox;
  token: string;
  get(path: string): Promise<Reply>;
  /** All pages of a search; `list` and `next` read a page. */
  pages<T>(
    path: string,
    tokenName: string,
    read: (body: unknown) => { items: readonly T[]; next?: string | undefined },
  ): Promise<{ items: T[]; calls: number }>;
}

/** Noon of a day that does not matter, unless a test says otherwise. */
export const NOON = Date.parse('2026-11-21T12:00:00Z');

export async function signIn(options: SandboxOptions = {}): Promise<SignedIn> {
  const sandbox = await start({ rateLimits: false, now: () => NOON, ...options });
  const { access: token } = await tokens(sandbox);
  const get = (path: string): Promise<Reply> => call(sandbox, path, { token });
  return {
    sandbox,
    token,
    get,
    async pages(path, tokenName, read) {
      const items = [];
      let next: string | undefined;
      let calls = 0;
      do {
        const more = next === undefined ? '' : `&${tokenName}=${encodeURIComponent(next)}`;
        const page = read((await get(`${path}${more}`)).body);
        items.push(...page.items);
        next = page.next;
        calls += 1;
      } while (next !== undefined);
      return { items, calls };
    },
  };
}
