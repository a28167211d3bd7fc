/** One token exchange over the wire (section 4.1): a grant goes out, a token comes back. */

import type { Account } from '../../credentials/types.ts';
import { isJsonObject } from '../../json.ts';
import type { Clock } from '../clock.ts';
import { openScope } from '../scope.ts';
import type { ApiResponse, Send } from '../types.ts';
import { lifetimeSeconds } from './token-lifetime.ts';
import { TokenRefusedError, tokenRefusal, tokenUnreachable } from './token-refusal.ts';
import { buildTokenRequest, type Grant } from './token-request.ts';

/** Holds secrets. */
export interface IssuedToken {
  accessToken: string;
  tokenType: string;
  expiresInSeconds: number;
  /** Absent where none came back: the old one stays good. */
  refreshToken?: string;
}

export interface ExchangeOptions {
  /** Retries and transport, without a token. */
  send: Send;
  clock: Clock;
  timeoutMs: number;
  /** Aborts when the client closes; nothing else ends an exchange, since a rotated token could be lost. */
  closing: AbortSignal;
  onSecret: (secret: string) => void;
}

export type Exchange = (account: Account, grant: Grant) => Promise<IssuedToken>;

/** The exchange throws CredentialError, ApiError, RateLimitError, NetworkError or CancelledError. */
export function tokenExchange({ send, clock, timeoutMs, closing, onSecret }: ExchangeOptions): Exchange {
  return async (account, grant) => {
    const scope = openScope(clock, timeoutMs, [closing]);
    try {
      const request = buildTokenRequest(account, grant, scope);
      const response = await send(request);
      if (response.status < 200 || response.status >= 300) throw tokenRefusal(response, request, account);
      const issued = readToken(response, account);
      for (const secret of [issued.accessToken, issued.refreshToken ?? '']) onSecret(secret);
      return issued;
    } catch (error) {
      throw tokenUnreachable(error, account.name);
    } finally {
      scope.end();
    }
  };
}

function readToken(response: ApiResponse, account: Account): IssuedToken {
  const body = isJsonObject(response.body) ? response.body : {};
  const { access_token: accessToken, refresh_token: refreshToken, token_type: tokenType } = body;
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken)) {
    throw new TokenRefusedError(
      'no access_token',
      `The identity provider answered account ${account.name} without a usable access token.`,
      'Check auth-url: it must be the address of the identity provider.',
    );
  }
  return {
    accessToken,
    tokenType: typeof tokenType === 'string' ? tokenType : 'bearer',
    expiresInSeconds: lifetimeSeconds(body.expires_in),
    ...(typeof refreshToken === 'string' && refreshToken !== '' ? { refreshToken } : {}),
  };
}
