/** Whether an API call may pass: its token is good, and good for this call. */

import type { ServiceError } from '../../service/document/error.ts';
import { fitsTemplate } from '../../service/facts/path-template.ts';
import { type Answer, fail } from '../answer.ts';
import type { AccessToken, TokenVerdict } from './token-book.ts';

const DENIED = 'Access to requested resource is denied.';
const denied = (details: string): ServiceError => ({ code: 'Unauthorized', message: DENIED, details });

/** 401 for a token that is missing or unknown, 403 for one that has expired (the public service's words). */
export function refuseToken(refused: Exclude<TokenVerdict, { token: unknown }>['refused']): Answer {
  if (refused === 'missing') return fail(401, denied('Access token is missing in the request header.'));
  if (refused === 'unknown') {
    return fail(401, denied('The access token you provided is revoked, malformed or invalid.'));
  }
  return fail(403, denied('The access token you provided has expired.'));
}

/** Whether a call with this token is shown a data element (`buyerInfo`). */
export function showsElement(token: AccessToken, method: string, path: string, element: string): boolean {
  if (token.kind !== 'restricted') return false;
  const fitting = token.resources?.filter((one) => one.method === method && fitsTemplate(one.path, path));
  return fitting?.some(({ dataElements }) => dataElements?.includes(element) ?? true) ?? false;
}

/** Undefined when the token fits the call. */
export function refuseKind(
  token: AccessToken,
  wanted: AccessToken['kind'] | undefined,
  method: string,
  path: string,
): Answer | undefined {
  if (token.kind === 'restricted') {
    if (token.resources?.some((one) => one.method === method && fitsTemplate(one.path, path)))
      return undefined;
    return fail(403, denied('The restricted data token does not cover this resource.'));
  }
  if (wanted === undefined || wanted === token.kind) return undefined;
  const need = {
    restricted: 'a restricted data token',
    grantless: 'a grantless token',
    seller: "a seller's token",
  };
  return fail(403, denied(`This operation needs ${need[wanted]}.`));
}
