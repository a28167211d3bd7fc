/** The two ends of a call: what goes into the pipeline, and what its answer becomes. */

import { buildApiError } from './api-error.ts';
import type { CallInput, CallOptions, CallResult } from './client.ts';
import type { BuiltRequest } from './request/build-request.ts';
import { withIdempotencyKey } from './request/idempotency-key.ts';
import { rateLimitOf, requestIdOf } from './transport/response-headers.ts';
import type { ApiRequest, ApiResponse } from './types.ts';

export interface Scope {
  signal: AbortSignal;
  deadline: number;
  onWait: CallOptions['onWait'];
}

export function toRequest(input: CallInput, built: BuiltRequest, scope: Scope): ApiRequest {
  const { operation, account } = input;
  const { headers, body, keyed } = withIdempotencyKey(operation, built.headers, built.body);
  return {
    operation,
    account,
    method: operation.method,
    url: built.url,
    headers,
    repeatable: keyed || operation.method === 'GET' || operation.effect === 'read',
    signal: scope.signal,
    deadline: scope.deadline,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(scope.onWait === undefined ? {} : { onWait: scope.onWait }),
  };
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
  };
}
