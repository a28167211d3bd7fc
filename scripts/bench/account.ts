/** The account of a sandbox as settings for the program, so that no keychain is asked. */

import type { Sandbox } from '../../src/sandbox/types.ts';

export type Account = Pick<Sandbox, 'baseUrl' | 'authUrl' | 'credentials' | 'sellerId' | 'marketplaceId'>;

export function accountEnv({ baseUrl, authUrl, credentials, sellerId, marketplaceId }: Account) {
  return {
    SELLER_BASE_URL: baseUrl,
    SELLER_AUTH_URL: authUrl,
    SELLER_CLIENT_ID: credentials.clientId,
    SELLER_CLIENT_SECRET: credentials.clientSecret,
    SELLER_REFRESH_TOKEN: credentials.refreshToken,
    SELLER_ID: sellerId,
    SELLER_MARKETPLACE_ID: marketplaceId,
  };
}
