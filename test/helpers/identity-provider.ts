/** An identity provider on loopback with rotating refresh tokens: an old one stays good until its successor is first used. */

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, request } from 'node:http';
import * as z from 'zod';
import type { AccountSource } from '../../src/accounts/account.ts';

export interface IdentityProvider {
  url: string;
  /** A refresh token of a new authorization. */
  authorize(): string;
  /** Successful exchanges so far. */
  exchanges(): number;
  exchange(refreshToken: string): Promise<string>;
  close(): Promise<void>;
}

interface Issued {
  parent: string | undefined;
}

/** `onlyNewest`: the stricter kind, where issuing a successor ends an earlier successor that was not used yet. */
export async function startIdentityProvider({ onlyNewest = false } = {}): Promise<IdentityProvider> {
  const good = new Map<string, Issued>();
  let exchanges = 0;

  const endFamily = (token: string, issued: Issued): void => {
    if (issued.parent === undefined) return;
    good.delete(issued.parent);
    for (const [other, { parent }] of good) {
      if (parent === issued.parent && other !== token) good.delete(other);
    }
    issued.parent = undefined;
  };

  const issue = (parent: string | undefined): string => {
    const token = `Atzr|${randomUUID()}`;
    good.set(token, { parent });
    return token;
  };

  const rotate = (token: string): string | undefined => {
    const issued = good.get(token);
    if (issued === undefined) return undefined;
    exchanges += 1;
    endFamily(token, issued);
    if (onlyNewest) for (const [other, { parent }] of good) if (parent === token) good.delete(other);
    return issue(token);
  };

  const server = createServer(async (asked, response) => {
    const { refresh_token } = z.object({ refresh_token: z.string() }).parse(JSON.parse(await textOf(asked)));
    const successor = rotate(refresh_token);
    response.writeHead(successor === undefined ? 400 : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        successor === undefined
          ? { error: 'invalid_grant' }
          : {
              access_token: `Atza|${randomUUID()}`,
              refresh_token: successor,
              token_type: 'bearer',
              expires_in: 3600,
            },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    authorize: () => issue(undefined),
    exchanges: () => exchanges,
    exchange: async (token) => {
      const successor = await exchangeWith(url, token);
      if (successor === undefined) throw new Error('the token was refused');
      return successor;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(message: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of message) text += String(chunk);
  return text;
}

/** The refresh token that the provider returns; undefined when it refuses this one. */
export async function exchangeWith(url: string, refreshToken: string): Promise<string | undefined> {
  // Not fetch: loading it takes longer than everything else that a short-lived process does here.
  const sent = request(`${url}/auth/o2/token`, { method: 'POST', agent: false });
  sent.end(JSON.stringify({ grant_type: 'refresh_token', refresh_token: refreshToken }));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  const body: unknown = JSON.parse(await textOf(response));
  return response.statusCode === 200
    ? z.object({ refresh_token: z.string() }).parse(body).refresh_token
    : undefined;
}

/**
 * One exchange as the client makes it: with the account's token, after `invalid_grant` with what a reread gives.
 * @throws Error when no token of the account works: it would have to be authorized again.
 */
export async function exchangeOnce(source: AccountSource, name: string): Promise<void> {
  for (let account = await source.get(name); ; ) {
    const successor = await exchangeWith(account.authUrl, account.refreshToken);
    if (successor !== undefined) return source.rotated(name, account.refreshToken, successor);
    const next = await source.reread(name, account.refreshToken);
    if (next === undefined) throw new Error(`no working refresh token is left for ${name}`);
    account = next;
  }
}
