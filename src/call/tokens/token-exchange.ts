/** One token exchange over the wire (sections 2.1, 2.2 and 4.1): a grant goes out, a token comes back, or a refusal that is told without any secret. */

import type { Account } from '../../accounts/account.ts';
import type { Clock } from '../../base/clock.ts';
import { ApiError, type AppError, CredentialError, NetworkError, TimeoutError } from '../../base/errors.ts';
import { ServiceText } from '../../base/text/service-text.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { tokenPath, tokenResponseSchema } from '../../service/shapes/token.ts';
import { buildApiError, parseErrors } from '../api-error.ts';
import type { AnswerBound, ApiRequest, ApiResponse, Layer, Send } from '../api-request.ts';
import { serviceAddress } from '../request/address.ts';
import { type CallScope, openScope } from '../scope.ts';
import { lifetimeSeconds } from './token-lifetime.ts';

/** `refresh_token`: the seller's own; `client_credentials`: without a seller, for one scope. */
type Grant = { kind: 'refresh_token' } | { kind: 'client_credentials'; scope: string };

/** Holds secrets. */
export interface IssuedToken {
  accessToken: string;
  tokenType: ServiceText;
  expiresInSeconds: number;
  /** Absent where none came back: the old one stays good. */
  refreshToken?: string;
}

export type Exchange = (account: Account, grant: Grant) => Promise<IssuedToken>;

export interface ExchangeOptions {
  clock: Clock;
  /** The transport to the identity provider, which has no layers but retries. */
  transport: Send;
  repeat: Layer;
  timeoutMs: number;
  /** Aborts a little after the client closes: an exchange is let come to its end. */
  closingExchanges: AbortSignal;
  /** Told every token that comes, with what it is in use as. */
  onSecret: (secret: string, use?: string) => void;
}

/** Attempts of one token exchange: fewer than of a call, whose deadline it shares. */
export const EXCHANGE_ATTEMPTS = 3;

/** How long an exchange under way is waited for at the end: a refresh token that was replaced would be lost. */
export const CLOSING_MS = 2000;

/** The exchange throws CredentialError, ApiError, RateLimitError, NetworkError or CancelledError. */
export function tokenExchange(options: ExchangeOptions): Exchange {
  const { transport, repeat, clock, timeoutMs, closingExchanges, onSecret } = options;
  return async (account, grant) => {
    // Only this scope ends the exchange, since a rotated token could be lost.
    const scope = openScope(clock, timeoutMs, [closingExchanges]);
    try {
      const request = exchangeRequest(account, grant, scope);
      // The secrets are removed below the retries, since their errors contain the answer too.
      const send = repeat(async (attempt) => withoutSecrets(await transport(attempt), account));
      const response = await send(request);
      if (response.status < 200 || response.status >= 300) throw tokenRefusal(response, request, account);
      const issued = readToken(response, account);
      learn(issued, account, grant, onSecret);
      return issued;
    } catch (error) {
      throw tokenUnreachable(error, account.name);
    } finally {
      scope.end();
    }
  };
}

/** The newest of a kind is in use; the older ones may be forgotten some day. */
function learn(
  { accessToken, refreshToken }: IssuedToken,
  { name, clientId }: Account,
  grant: Grant,
  onSecret: ExchangeOptions['onSecret'],
): void {
  const scope = grant.kind === 'client_credentials' ? ` for ${grant.scope}` : '';
  onSecret(accessToken, `access token of ${name}, ${clientId}${scope}`);
  if (refreshToken !== undefined) onSecret(refreshToken, `refresh token of ${name}, ${clientId}`);
}

function readToken(response: ApiResponse, account: Account): IssuedToken {
  const { data } = tokenResponseSchema.safeParse(response.body);
  if (data === undefined) {
    throw new TokenRefusedError(
      'no access_token',
      `The identity provider answered account ${account.name} without a usable access token.`,
      'Check auth-url: it must be the address of the identity provider.',
    );
  }
  const { access_token: accessToken, refresh_token: refreshToken, token_type: tokenType } = data;
  return {
    accessToken,
    tokenType: tokenType ?? new ServiceText('bearer'),
    expiresInSeconds: lifetimeSeconds(data.expires_in),
    refreshToken,
  };
}

/** Repeating it does no harm: at worst another token is issued. */
const TOKEN_EXCHANGE: Operation = {
  id: 'Authentication/exchangeToken',
  group: 'Authentication',
  name: 'token exchange with the identity provider',
  method: 'POST',
  path: tokenPath,
  parameters: [],
  effect: 'read',
  auth: { kind: 'seller' },
  source: 'document',
};

function exchangeRequest(account: Account, grant: Grant, scope: CallScope): ApiRequest {
  const { name, baseUrl, authUrl, clientId } = account;
  const { base, origin } = serviceAddress(authUrl);
  return tokenRequest(
    {
      operation: TOKEN_EXCHANGE,
      account: name,
      owner: { name, baseUrl, authUrl },
      // No limit is known of the identity provider: nothing paces an exchange.
      quota: { service: origin, application: clientId, seller: '' },
      url: `${base}${TOKEN_EXCHANGE.path}`,
      body: JSON.stringify({ ...grantFields(account, grant), ...clientFields(account) }),
    },
    scope,
  );
}

/** A token has a few thousand bytes at most. */
export const TOKEN_BOUND: AnswerBound = {
  maxBytes: 64_000,
  hint: () => 'Check auth-url and the base URL: no token is as large.',
};

/** A request of which nothing but a token comes, so that it is repeated like a read. */
export function tokenRequest(
  asked: Pick<ApiRequest, 'operation' | 'account' | 'owner' | 'quota' | 'url' | 'body'>,
  { ending, deadline }: CallScope,
): ApiRequest {
  return {
    ...asked,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    repeatable: true,
    bound: TOKEN_BOUND,
    signal: ending,
    deadline,
  };
}

function grantFields(account: Account, grant: Grant) {
  if (grant.kind === 'client_credentials') return { grant_type: grant.kind, scope: grant.scope };
  return { grant_type: grant.kind, refresh_token: account.refreshToken };
}

function clientFields(account: Account) {
  return { client_id: account.clientId, client_secret: account.clientSecret };
}

/** Refused for good; `code` is one of OAuth's, such as `invalid_grant`, or a word of ours. */
export class TokenRefusedError extends CredentialError {
  readonly code: string;

  constructor(code: string, message: string, hint: string) {
    super('refused', message, hint);
    this.code = code;
  }
}

/** An answer that is not a token becomes the error to throw. */
function tokenRefusal(response: ApiResponse, request: ApiRequest, account: Account): AppError {
  if (![400, 401, 403].includes(response.status)) return failed(response, request);
  const [first] = parseErrors(response.body);
  const code = Object.keys(NEXT_STEP).find((known) => first?.code.is(known)) ?? `status ${response.status}`;
  const words =
    first === undefined
      ? `status ${response.status}`
      : `${first.code.isEmpty ? `status ${response.status}: ` : ''}${ServiceText.join([first.code, first.message], ': ').shown()}`;
  return new TokenRefusedError(
    code,
    `The identity provider refused the credentials of account ${account.name} (${words}).`,
    NEXT_STEP[code] ?? 'Check client id, client secret and refresh token, and give them again with login.',
  );
}

/** A member that repeats a secret back to us is not passed on, the code included: nobody looks for one there. */
function withoutSecrets(response: ApiResponse, account: Account): ApiResponse {
  const { status, body } = response;
  if (body === undefined || (status >= 200 && status < 300)) return response;
  const secrets = [account.clientSecret, account.refreshToken].filter((secret) => secret !== '');
  const errors = parseErrors(body)
    .map(({ code, message }) => ({ code: code.without(secrets), message: message.without(secrets) }))
    .filter(({ code, message }) => !code.isEmpty || !message.isEmpty);
  return { ...response, body: errors };
}

const NEXT_STEP: Readonly<Record<string, string>> = {
  invalid_grant:
    'The refresh token is wrong, was revoked or replaced: authorize the application again and log in.',
  // Amazon ends a secret after 180 days; an application can hold the old and the new one for a while.
  invalid_client:
    'Client id and client secret do not belong together, or the secret has expired (Amazon ends it 180 days after it was made): make a new secret for the application in the developer console, and log in again with it.',
  unauthorized_client:
    'The application may not use this grant: check its registration, and that both belong together.',
  invalid_scope: 'The application may not use this scope: check its roles.',
};

function failed(response: ApiResponse, request: ApiRequest): ApiError {
  const addition = 'No call was made with it. Check auth-url if this stays.';
  const { status, requestId, message, hint } = buildApiError(response, request, { addition });
  const fields = { status, requestId };
  return new ApiError(fields, `The identity provider failed: ${message}`, hint);
}

/** A token that could not be fetched: the call itself was not sent, and has been tried often enough. */
export function tokenUnreachable(error: unknown, account: string): unknown {
  if (!(error instanceof NetworkError || error instanceof TimeoutError)) return error;
  return new NetworkError(
    'NO_ACCESS_TOKEN',
    'not-sent',
    `No access token could be fetched for account ${account}: ${error.message}`,
    error.hint,
    { cause: error },
  );
}
