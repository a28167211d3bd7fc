/** What the identity provider says when it does not give a token, told without any secret. */

import type { Account } from '../../credentials/types.ts';
import {
  ApiError,
  type AppError,
  CredentialError,
  NetworkError,
  type ServiceError,
  TimeoutError,
} from '../../errors.ts';
import { buildApiError, parseErrors } from '../api-error.ts';
import type { ApiRequest, ApiResponse } from '../types.ts';

/** Refused for good; `code` is the provider's own, such as `invalid_grant`. */
export class TokenRefusedError extends CredentialError {
  readonly code: string;

  constructor(code: string, message: string, hint: string) {
    super('refused', message, hint);
    this.code = code;
  }
}

/** An answer that is not a token becomes the error to throw. */
export function tokenRefusal(response: ApiResponse, request: ApiRequest, account: Account): AppError {
  const errors = parseErrors(response.body).flatMap((error) => withoutSecrets(error, account));
  if (![400, 401, 403].includes(response.status)) return failed(response, errors, request);
  const [first] = errors;
  const code = first?.code || `status ${response.status}`;
  const words = first === undefined || first.message === '' ? code : `${code}: ${first.message}`;
  return new TokenRefusedError(
    code,
    `The identity provider refused the credentials of account ${account.name} (${words}).`,
    NEXT_STEP[code] ?? 'Check client id, client secret and refresh token, and give them again with login.',
  );
}

/** A member that repeats a secret back to us is not passed on, the code included: nobody looks for one there. */
function withoutSecrets(error: ServiceError, account: Account): ServiceError[] {
  const secrets = [account.clientSecret, account.refreshToken].filter((secret) => secret !== '');
  const clean = (text: string) => (secrets.some((secret) => text.includes(secret)) ? '' : text);
  const code = clean(error.code);
  const message = clean(error.message);
  return code === '' && message === '' ? [] : [{ code, message }];
}

const NEXT_STEP: Readonly<Record<string, string>> = {
  invalid_grant:
    'The refresh token is wrong, was revoked or replaced: authorise the application again and log in.',
  invalid_client: 'Client id and client secret do not belong together: check both and log in again.',
  unauthorized_client:
    'The application may not use this grant: check its registration, and that both belong together.',
  invalid_scope: 'The application may not use this scope: check its roles.',
};

/** @param words what the provider's answer says, where that may be told. */
function failed(response: ApiResponse, words: ServiceError[], request: ApiRequest): ApiError {
  const addition = 'No call was made with it. Check auth-url if this stays.';
  const answer = response.body === undefined ? response : { ...response, body: words };
  const { status, errors, requestId, message, hint } = buildApiError(answer, request, { addition });
  const fields = { status, errors, ...(requestId === undefined ? {} : { requestId }) };
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
