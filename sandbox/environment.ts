/** The settings that point a program at a sandbox, as environment variables. */

import type { Sandbox } from './sandbox.ts';

/** The part of a sandbox that a program needs to know. */
export type SandboxAccount = Pick<
  Sandbox,
  'baseUrl' | 'authUrl' | 'credentials' | 'sellerId' | 'marketplaceId'
>;

/** Addresses, credentials, seller id and marketplace id; holds secrets of this sandbox. */
export function environmentOf(sandbox: SandboxAccount): Record<string, string> {
  const { baseUrl, authUrl, credentials, sellerId, marketplaceId } = sandbox;
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
