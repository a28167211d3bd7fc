/** How a restricted data token is requested: for which call, the request for it, and what its answer says. */

import type { AccountProfile } from '../../credentials/types.ts';
import { ApiError, CredentialError } from '../../errors.ts';
import { isJsonObject } from '../../json.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { buildApiError } from '../api-error.ts';
import type { ApiRequest, ApiResponse, Quota } from '../types.ts';

/** Nothing but a token comes of it, so it is repeated like a read. Limits as the public service states them. */
const RESTRICTED_DATA_TOKEN: Operation = {
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
  /** Whose call it is: a token of one seller serves no other, whatever the account is called. */
  owner: AccountProfile;
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
    owner: request.owner,
    quota: request.quota,
    method: request.method,
    base,
    path: `/${segments.slice(cut).join('/')}`,
  };
}

export function buildPurchase(wanted: Wanted, scope: { signal: AbortSignal; deadline: number }): ApiRequest {
  const { account, owner, quota, method, path, base } = wanted;
  return {
    operation: RESTRICTED_DATA_TOKEN,
    account,
    owner,
    quota,
    method: 'POST',
    url: `${base}${RESTRICTED_DATA_TOKEN.path}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ restrictedResources: [{ method, path }] }),
    repeatable: true,
    // No token is as large: of such an answer nothing is read.
    unread: true,
    signal: scope.signal,
    deadline: scope.deadline,
  };
}

/** @throws ApiError | CredentialError when the answer is no token. */
export function readPurchase(
  response: ApiResponse,
  purchase: ApiRequest,
): { value: string; expiresIn: unknown } {
  if (response.status < 200 || response.status >= 300) throw refused(response, purchase);
  const { restrictedDataToken: value, expiresIn } = isJsonObject(response.body) ? response.body : {};
  if (typeof value === 'string' && value !== '') return { value, expiresIn };
  throw new CredentialError('refused', 'The service answered without a restricted data token.', ROLE_HINT);
}

const ROLE_HINT =
  'This operation returns personal data and needs a restricted data token: the application must hold the role ' +
  'that gives access to it, and the seller must have authorized that role.';

function refused(response: ApiResponse, purchase: ApiRequest): ApiError {
  const error = buildApiError(response, purchase);
  if (response.status !== 403) return error;
  const { status, requestId } = error;
  const fields = { status, ...(requestId === undefined ? {} : { requestId }) };
  return new ApiError(fields, `No restricted data token was given. ${error.message}`, ROLE_HINT);
}
