/** The account of a measured program, at a service of its own that gives it a token. */

import type { Answer } from '../../test/helpers/http-service.ts';

export const TOKEN_PATH = '/auth/o2/token';

export const TOKEN_ANSWER: Answer = {
  body: { access_token: 'token-1', token_type: 'bearer', expires_in: 3600 },
};

/** The account as environment variables. */
export function accountAt(url: string, marketplaceId: string) {
  return {
    SELLER_BASE_URL: url,
    SELLER_AUTH_URL: url,
    SELLER_CLIENT_ID: 'client-of-the-bench',
    SELLER_CLIENT_SECRET: 'secret-of-the-bench',
    SELLER_REFRESH_TOKEN: 'refresh-of-the-bench',
    SELLER_ID: 'A1BENCH',
    SELLER_MARKETPLACE_ID: marketplaceId,
  };
}
