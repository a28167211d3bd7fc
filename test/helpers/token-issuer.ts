/** An issuer of tokens whose every claim, key and mood a test chooses: two documents over real HTTP, and a key pair that signs. */

import { createServer } from 'node:http';
import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';

export interface TokenIssuer {
  issuer: string;
  /** A good token, with what is given in the place of what it has; undefined takes a claim out. */
  token(claims?: Readonly<Record<string, unknown>>, how?: SignedHow): Promise<string>;
  /** The public key, as anybody can fetch it. */
  publicPem(): Promise<string>;
  /** Signs with another key from now on; the old one is gone. */
  rotate(): Promise<void>;
  /** Requests for keys so far. */
  keyRequests(): number;
  /** It answers so much later, or with this status. */
  mood: { delayMs: number; status: number };
  close(): Promise<void>;
}

interface SignedHow {
  alg?: string;
  kid?: string;
  typ?: string;
  key?: CryptoKey | Uint8Array;
}

/** @param audience whom its tokens are for */
export async function startTokenIssuer(audience: () => string): Promise<TokenIssuer> {
  let made = 0;
  let keyRequests = 0;
  const mood = { delayMs: 0, status: 200 };
  const make = async () => {
    const pair = await generateKeyPair('RS256', { extractable: true });
    made += 1;
    const kid = `key-${made}`;
    const jwk: JWK = { ...(await exportJWK(pair.publicKey)), kid, alg: 'RS256', use: 'sig' };
    return { ...pair, kid, jwk };
  };
  let current = await make();
  const server = createServer(async ({ url }, response) => {
    if (url === '/jwks') keyRequests += 1;
    if (mood.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, mood.delayMs));
    const document = url === '/jwks' ? { keys: [current.jwk] } : metadata();
    response.writeHead(mood.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
  });
  return {
    issuer,
    mood,
    async token(
      claims = {},
      { alg = 'RS256', kid = current.kid, typ = 'at+jwt', key = current.privateKey } = {},
    ) {
      const now = Math.floor(Date.now() / 1000);
      const usual = {
        iss: issuer,
        aud: audience(),
        sub: 'anna',
        exp: now + 600,
        iat: now,
        scope: 'seller:read seller:write',
      };
      const payload: JWTPayload = Object.fromEntries(
        Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined),
      );
      return new SignJWT(payload).setProtectedHeader({ alg, kid, typ }).sign(key);
    },
    publicPem: () => exportSPKI(current.publicKey),
    async rotate() {
      current = await make();
    },
    keyRequests: () => keyRequests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
