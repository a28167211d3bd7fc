/** What the identity provider says when it does not give a token, told without any secret. */

import type { Account } from '../../credentials/types.ts';
import { ApiError, type AppError, CredentialError, NetworkError, TimeoutError } from '../../errors.ts';
import { buildApiError } from '../api-error.ts';
import { parseErrors } from '../parse-error.ts';
import { redact } from '../redact.ts';
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
  const secrets = secretsOf(account);
  if (![400, 401, 403].includes(response.status)) return failed(response, request, secrets);
  const [first] = parseErrors(response.body);
  const code = redact(first?.code || `status ${response.status}`, secrets);
  const message = redact(first?.message ?? '', secrets);
  const said = message === '' ? code : `${code}: ${message}`;
  return new TokenRefusedError(
    code,
    `The identity provider refused the credentials of account ${account.name} (${said}).`,
    NEXT_STEP[code] ?? 'Check client id, client secret and refresh token, and give them again with login.',
  );
}

const NEXT_STEP: Readonly<Record<string, string>> = {
  invalid_grant:
    'The refresh token is wrong, was revoked or replaced: authorise the application again and log in.',
  invalid_client: 'Client id and client secret do not belong together: check both and log in again.',
  unauthorized_client:
    'The application may not use this grant: check its registration, and that both belong together.',
  invalid_scope: 'The application may not use this scope: check its roles.',
};

function failed(response: ApiResponse, request: ApiRequest, secrets: readonly string[]): ApiError {
  const error = buildApiError(response, request, 'No call was made with it. Check auth-url if this stays.');
  const errors = error.errors.map(({ code, message }) => ({
    code: redact(code, secrets),
    message: redact(message, secrets),
  }));
  const { status, requestId } = error;
  const fields = { status, errors, ...(requestId === undefined ? {} : { requestId }) };
  return new ApiError(fields, `The identity provider failed: ${redact(error.message, secrets)}`, error.hint);
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

function secretsOf(account: Account): string[] {
  return [account.clientSecret, account.refreshToken];
}
