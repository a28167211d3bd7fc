/** A real OpenID provider on this machine, with people who log in by their name alone; and a person who does so in place of a browser. */

import { createServer, type Server } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

export interface DemoPerson {
  /** The name that they log in with, which is also the subject of their tokens. */
  login: string;
  name: string;
  groups?: readonly string[];
}

export interface DemoProvider {
  issuer: string;
  /** The resource that its tokens are for, which is known once the server listens. */
  resource: string;
  close(): Promise<void>;
}

const SCOPES = 'seller:read seller:write';
const CLIENT_SCOPES = `openid offline_access ${SCOPES}`;
const TOKEN_SECONDS = 600;

export async function startDemoProvider(people: readonly DemoPerson[], port = 0): Promise<DemoProvider> {
  const server = createServer();
  const issuer = `http://127.0.0.1:${await listen(server, port)}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' };
  const demo: DemoProvider = { issuer, resource: '', close: () => close(server) };
  const find = (login: string) => people.find((one) => one.login === login);
  const provider = new Provider(issuer, {
    jwks: { keys: [key] },
    cookies: { keys: ['a key of this demonstration'] },
    scopes: CLIENT_SCOPES.split(' '),
    ttl: {
      AccessToken: TOKEN_SECONDS,
      Grant: TOKEN_SECONDS,
      Interaction: TOKEN_SECONDS,
      Session: TOKEN_SECONDS,
      RefreshToken: TOKEN_SECONDS,
    },
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: SCOPES,
          audience: demo.resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: TOKEN_SECONDS,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    // The SDK's client registers with the scope of its first login; for more later, a client may ask for all.
    extraClientMetadata: {
      properties: ['may_ask_for_more'],
      validator: (_ctx, _name, _value, metadata) => void Object.assign(metadata, { scope: CLIENT_SCOPES }),
    },
    findAccount: (_ctx, sub) =>
      find(sub) && { accountId: sub, claims: () => ({ sub, name: find(sub)?.name }) },
    extraTokenClaims: (_ctx, token) => {
      const person = find('accountId' in token ? String(token.accountId) : '');
      return person && { name: person.name, groups: person.groups ?? [] };
    },
    renderError: (ctx, { error, error_description: why }) => {
      ctx.type = 'text/plain';
      ctx.body = `${error}: ${why}`;
    },
  });
  server.on('request', provider.callback());
  return demo;
}

/** Acts as a user in a browser: opens the address, logs in and consents. @returns the address they are sent to at the end */
export async function logInAs({ login }: DemoPerson, address: URL): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = address;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step++) {
    const answer: Response = await fetch(url, {
      redirect: 'manual',
      method: form === undefined ? 'GET' : 'POST',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { body: form }),
    });
    form = undefined;
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    const to = answer.headers.get('location');
    const text = await answer.text();
    if (to !== null) {
      url = new URL(to, url);
      if (url.origin !== address.origin) return url;
      continue;
    }
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
    if (prompt === undefined) throw new Error(`The provider says: ${text.slice(0, 500)}`);
    form = new URLSearchParams(prompt === 'login' ? { prompt, login, password: 'any' } : { prompt });
  }
  throw new Error('The provider sends the browser round and round.');
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
