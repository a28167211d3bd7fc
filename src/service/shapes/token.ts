/** The token exchange's address and response (sections 2.2 and 4.1). */

import * as z from 'zod';
import { ServiceText } from '../../base/text/service-text.ts';

/**
 * Section 2.2: unknown members are retained and invalid ones ignored, but a token must be text that a header
 * can carry.
 */
export const tokenResponseSchema = z.looseObject({
  access_token: z
    .string()
    .regex(/^[\x21-\x7e]+$/)
    .describe('Opaque bearer token'),
  refresh_token: z
    .string()
    .min(1)
    .optional()
    .catch(undefined)
    .describe('Refresh token for the next exchange'),
  token_type: z
    .string()
    .transform((raw) => new ServiceText(raw))
    .optional()
    .catch(undefined)
    .describe('Value shown: bearer'),
  expires_in: z
    .union([z.number(), z.string()])
    .optional()
    .catch(undefined)
    .describe('Lifetime of the access token, in seconds (value shown: 3600)'),
});

/** Section 4.1: the path that is appended to the address of the identity provider. */
export const tokenPath = '/auth/o2/token';
