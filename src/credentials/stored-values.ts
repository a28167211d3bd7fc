/** The shape of what the keychain holds, and the way in and out of text. */

import * as z from 'zod';
import { CredentialError } from '../errors.ts';
import type { StoredAccount, StoredToken } from './types.ts';

const accountSchema: z.ZodType<StoredAccount> = z.object({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  refreshToken: z.string().min(1),
  region: z.enum(['na', 'eu', 'fe']).optional(),
  baseUrl: z.string().optional(),
  authUrl: z.string().optional(),
  sellerId: z.string().optional(),
  marketplaceId: z.string().optional(),
  previousRefreshToken: z.string().optional(),
  grantId: z.string().optional(),
});

const tokenSchema: z.ZodType<StoredToken> = z.object({
  accessToken: z.string().min(1),
  expiresAt: z.number(),
  boughtWith: z.string(),
});

/** @throws CredentialError when the entry is not one of ours */
export function parseAccount(name: string, text: string): StoredAccount {
  const parsed = accountSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new CredentialError(
    'unreachable',
    `The keychain entry of account "${name}" cannot be read: it was written by something else, or damaged.`,
    `Run \`seller-commerce-mcp login --account ${name}\` to replace it.`,
  );
}

/** A damaged access token is no token: the next exchange replaces it. */
export function parseToken(text: string): StoredToken | undefined {
  const parsed = tokenSchema.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
