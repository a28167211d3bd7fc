/** The token exchange (section 4.1): refresh tokens for access tokens, and client credentials for grantless ones. */

import * as z from 'zod';
import { parseJson } from '../../json.ts';
import type { Answer } from '../answer.ts';
import type { SandboxCredentials } from '../types.ts';
import type { TokenBook } from './token-book.ts';

const text = z.string().min(1);
const grantSchema = z.object({ grant_type: text });
const clientSchema = z.object({ client_id: text, client_secret: text });
const refreshSchema = z.object({ refresh_token: text });
const scopeSchema = z.object({ scope: z.string().regex(/^sellingpartnerapi::[\w:]+$/) });

export interface TokenEndpoint {
  book: TokenBook;
  credentials: Readonly<SandboxCredentials>;
  lifetimeSeconds: number;
}

const refuse = (status: number, error: string, description: string): Answer => ({
  status,
  body: { error, error_description: description },
});

/** The members of a token request, sent as JSON or as a form. Undefined when it is neither. */
export function parseTokenRequest(contentType: string, body: string): unknown {
  if (contentType.includes('application/x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(body));
  }
  return parseJson(body);
}

export function exchangeToken(endpoint: TokenEndpoint, request: unknown): Answer {
  const grant = grantSchema.safeParse(request);
  if (!grant.success) {
    return refuse(400, 'invalid_request', 'The request is not JSON or a form, or lacks grant_type.');
  }
  const type = grant.data.grant_type;
  if (type !== 'refresh_token' && type !== 'client_credentials') {
    return refuse(400, 'unsupported_grant_type', 'The grant type is not supported.');
  }
  const client = clientSchema.safeParse(request);
  if (!client.success) {
    return refuse(400, 'invalid_request', 'The request lacks client_id or client_secret.');
  }
  const { clientId, clientSecret } = endpoint.credentials;
  if (client.data.client_id !== clientId || client.data.client_secret !== clientSecret) {
    return refuse(401, 'invalid_client', 'Client authentication failed.');
  }
  return type === 'refresh_token' ? refresh(endpoint, request) : grantless(endpoint, request);
}

function refresh({ book, lifetimeSeconds }: TokenEndpoint, request: unknown): Answer {
  const parsed = refreshSchema.safeParse(request);
  if (!parsed.success) return refuse(400, 'invalid_request', 'The request lacks refresh_token.');
  const successor = book.useRefreshToken(parsed.data.refresh_token);
  if (successor === undefined) {
    return refuse(400, 'invalid_grant', 'The request has an invalid grant parameter: refresh_token.');
  }
  return {
    status: 200,
    body: {
      access_token: book.issue('seller'),
      refresh_token: successor,
      token_type: 'bearer',
      expires_in: lifetimeSeconds,
    },
  };
}

function grantless({ book, lifetimeSeconds }: TokenEndpoint, request: unknown): Answer {
  if (!scopeSchema.safeParse(request).success) {
    return refuse(400, 'invalid_scope', 'The request lacks a scope, or names one that does not exist.');
  }
  return {
    status: 200,
    body: { access_token: book.issue('grantless'), token_type: 'bearer', expires_in: lifetimeSeconds },
  };
}
