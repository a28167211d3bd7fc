/** The operation that gives a restricted data token, and the request for it (group Tokens). */

import type { Operation } from '../../service/facts/operation.ts';
import type { ApiRequest, Quota } from '../types.ts';

/** Nothing but a token comes of it, so it is repeated like a read. Limits as the public service states them. */
export const RESTRICTED_DATA_TOKEN: Operation = {
  id: 'tokens/createRestrictedDataToken',
  group: 'tokens',
  name: 'createRestrictedDataToken',
  method: 'POST',
  path: '/tokens/2021-03-01/restrictedDataToken',
  version: '2021-03-01',
  parameters: [],
  effect: 'read',
  auth: { kind: 'seller' },
  rate: { requestsPerSecond: 1, burst: 10 },
  source: 'definitions',
};

/** The call that needs a token: its path is the concrete one, without the query, from the root of the base address. */
export interface Wanted {
  account: string;
  quota: Quota;
  method: string;
  base: string;
  path: string;
}

/** Takes a call's address apart: what the path template does not cover belongs to the base address. */
export function wantedBy(request: ApiRequest): Wanted {
  const { origin, pathname } = new URL(request.url);
  const segments = pathname.split('/');
  const cut = segments.length - (request.operation.path.split('/').length - 1);
  const base = origin + segments.slice(0, cut).join('/');
  return {
    account: request.account,
    quota: request.quota,
    method: request.method,
    base,
    path: `/${segments.slice(cut).join('/')}`,
  };
}

export function buildPurchase(wanted: Wanted, scope: { signal: AbortSignal; deadline: number }): ApiRequest {
  const { account, quota, method, path, base } = wanted;
  return {
    operation: RESTRICTED_DATA_TOKEN,
    account,
    quota,
    method: 'POST',
    url: `${base}${RESTRICTED_DATA_TOKEN.path}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ restrictedResources: [{ method, path }] }),
    repeatable: true,
    signal: scope.signal,
    deadline: scope.deadline,
  };
}
