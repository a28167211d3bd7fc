/** Layer: adds the access token that the operation needs, and repeats a call once whose token was rejected. */

import { parseErrors, saysTokenExpired } from '../api-error.ts';
import { waitFor } from '../scope.ts';
import type { ApiRequest, ApiResponse, Layer } from '../types.ts';

/** Where tokens come from; one per kind of authentication. */
export interface TokenSource {
  get(request: ApiRequest): Promise<string>;
  /** The service refused this token. */
  reject(token: string): void;
}

/** @param header name of the header that carries the token. */
export function accessToken(options: { tokens: TokenSource; header: string }): Layer {
  const { tokens } = options;
  const header = options.header.toLowerCase();
  return (next) => async (request) => {
    const token = await waitFor(tokens.get(request), request.signal);
    const response = await next(withHeader(request, header, token));
    if (!isTokenRejected(response)) return response;
    tokens.reject(token);
    const fresh = await waitFor(tokens.get(request), request.signal);
    return next(withHeader(request, header, fresh));
  };
}

function withHeader(request: ApiRequest, name: string, value: string): ApiRequest {
  return { ...request, headers: { ...request.headers, [name]: value } };
}

/** 401, or the 403 with which some services tell that a token is past its time. Nothing was acted on. */
function isTokenRejected({ status, body }: ApiResponse): boolean {
  return status === 401 || (status === 403 && saysTokenExpired(parseErrors(body)));
}
