/** The token exchange as data, and the request for it (sections 2.1 and 4.1). */

import type { Account } from '../../credentials/types.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { serviceAddress } from '../request/service-address.ts';
import type { ApiRequest } from '../types.ts';

/** `refresh_token`: the seller's own; `client_credentials`: without a seller, for one scope. */
export type Grant = { kind: 'refresh_token' } | { kind: 'client_credentials'; scope: string };

/** Repeating it does no harm: at worst another token is issued. */
export const TOKEN_EXCHANGE: Operation = {
  id: 'Authentication/exchangeToken',
  group: 'Authentication',
  name: 'token exchange with the identity provider',
  method: 'POST',
  path: '/auth/o2/token',
  parameters: [],
  effect: 'read',
  auth: { kind: 'seller' },
  source: 'document',
};

export function buildTokenRequest(
  account: Account,
  grant: Grant,
  scope: { signal: AbortSignal; deadline: number },
): ApiRequest {
  return {
    operation: TOKEN_EXCHANGE,
    account: account.name,
    // No limit is known of the identity provider: nothing paces an exchange.
    quota: { service: account.authUrl, application: account.clientId, seller: '' },
    method: 'POST',
    url: `${serviceAddress(account.authUrl)}${TOKEN_EXCHANGE.path}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...grantFields(account, grant), ...clientFields(account) }),
    repeatable: true,
    signal: scope.signal,
    deadline: scope.deadline,
  };
}

function grantFields(account: Account, grant: Grant) {
  if (grant.kind === 'client_credentials') return { grant_type: grant.kind, scope: grant.scope };
  return { grant_type: grant.kind, refresh_token: account.refreshToken };
}

function clientFields(account: Account) {
  return { client_id: account.clientId, client_secret: account.clientSecret };
}
