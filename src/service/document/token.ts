/** The token exchange's request and response (section 2.1, 2.2, 4.1). */

import * as z from 'zod';

/** Section 2.1: what buys an access token. All four members are sent. */
export const tokenRequestSchema = z.strictObject({
  grant_type: z.literal('refresh_token').describe('Kind of grant; the only one the document names'),
  refresh_token: z.string().min(1).describe('Refresh token that was issued to the caller'),
  client_id: z.string().min(1).describe('Identifier of the registered application'),
  client_secret: z.string().min(1).describe('Secret of the registered application'),
});
export type TokenRequest = z.infer<typeof tokenRequestSchema>;

/** Section 2.2: unknown members are kept. `expires_in` is in seconds (value shown: 3600). */
export const tokenResponseSchema = z.looseObject({
  access_token: z.string().min(1).describe('Opaque bearer token'),
  refresh_token: z.string().optional().describe('Refresh token for the next exchange'),
  token_type: z.string().optional().describe('Value shown: bearer'),
  expires_in: z.number().optional().describe('Lifetime of the access token, in seconds'),
});
export type TokenResponse = z.infer<typeof tokenResponseSchema>;

/** Section 4.1: appended to the address of the identity provider. */
export const tokenPath = '/auth/o2/token';
