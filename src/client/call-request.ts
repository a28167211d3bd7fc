/** The two ends of a call: what goes into the pipeline, and what its answer becomes. */

import type { AccountProfile } from '../credentials/types.ts';
import { buildApiError } from './api-error.ts';
import type { CallInput, CallOptions, CallResult } from './client.ts';
import type { BuiltRequest } from './request/build-request.ts';
import { withIdempotencyKey } from './request/idempotency-key.ts';
import { rateLimitOf, requestIdOf } from './transport/response-headers.ts';
import type { ApiRequest, ApiResponse, Quota } from './types.ts';

export interface Scope {
  signal: AbortSignal;
  deadline: number;
  onProgress: CallOptions['onProgress'];
}

export function toRequest(
  input: CallInput,
  built: BuiltRequest,
  profile: AccountProfile,
  scope: Scope,
): ApiRequest {
  const { operation, account } = input;
  const { headers, body, key } = withIdempotencyKey(operation, built.headers, built.body);
  return {
    operation,
    account,
    quota: quotaOf(profile),
    method: operation.method,
    url: built.url,
    headers,
    repeatable: key !== undefined || operation.method === 'GET' || operation.effect === 'read',
    signal: scope.signal,
    deadline: scope.deadline,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(scope.onProgress === undefined ? {} : { onProgress: scope.onProgress }),
  };
}

/** Without credentials a call comes no further than to the question for a token: its name will do. */
function quotaOf({ name, baseUrl, quota }: AccountProfile): Quota {
  return { service: new URL(baseUrl).origin, ...(quota ?? { application: '', seller: name }) };
}

/** @throws ApiError unless the status is 2xx: the document shows no other success. */
export function toResult(
  response: ApiResponse,
  request: ApiRequest,
  filledIn: CallResult['filledIn'],
): CallResult {
  const { status, headers } = response;
  if (status < 200 || status >= 300) throw buildApiError(response, request);
  const requestId = requestIdOf(headers);
  const limit = rateLimitOf(headers);
  return {
    ...response,
    filledIn,
    ...(requestId === undefined ? {} : { requestId }),
    ...(limit === undefined ? {} : { rateLimit: limit }),
    ...(request.idempotencyKey === undefined ? {} : { idempotencyKey: request.idempotencyKey }),
  };
}
