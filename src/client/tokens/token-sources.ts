/** Chooses the token that an operation's `auth` asks for. */

import type { Operation } from '../../service/facts/operation.ts';
import type { ApiRequest } from '../types.ts';
import type { TokenSource } from './access-token.ts';
import type { GrantlessTokens } from './grantless-tokens.ts';
import type { RestrictedTokens } from './restricted-tokens.ts';
import type { SellerTokens } from './seller-tokens.ts';

export interface TokenSources {
  seller: SellerTokens;
  grantless: GrantlessTokens;
  restricted: RestrictedTokens;
}

export function tokenSources(sources: TokenSources): TokenSource {
  return {
    get: (request) => tokenFor(request.operation.auth, request, sources),
    reject(token) {
      sources.seller.reject(token);
      sources.grantless.reject(token);
      sources.restricted.reject(token);
    },
  };
}

function tokenFor(auth: Operation['auth'], request: ApiRequest, sources: TokenSources): Promise<string> {
  if (auth.kind === 'restricted') return sources.restricted.get(request);
  if (auth.kind === 'grantless') return sources.grantless.get(request.account, auth.scope, request.signal);
  const covering = sources.restricted.recall(request);
  return covering === undefined
    ? sources.seller.get(request.account, request.signal)
    : Promise.resolve(covering);
}
