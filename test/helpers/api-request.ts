/** A request and responses for tests of single layers. */

import type { ApiRequest, ApiResponse } from '../../src/call/api-request.ts';
import { operation } from './test-client.ts';

export function apiRequest(fields: Partial<ApiRequest> = {}): ApiRequest {
  return {
    operation: operation(),
    account: 'default',
    owner: { name: 'default', baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1' },
    quota: { service: 'http://127.0.0.1:1', application: 'client-1', seller: 'seller-1' },
    method: 'GET',
    url: 'http://127.0.0.1:1/things/v1/things',
    headers: {},
    repeatable: true,
    signal: new AbortController().signal,
    deadline: Number.POSITIVE_INFINITY,
    ...fields,
  };
}

export function apiResponse(
  status: number,
  headers: Record<string, string> = {},
  body: unknown = {},
): ApiResponse {
  return { status, headers, body, bytes: 2 };
}
