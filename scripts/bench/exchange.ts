/** Gets an access token from the sandbox, for programs that do not exchange one themselves. */

import * as z from 'zod';
import type { SandboxAccount } from '../../sandbox/environment.ts';

const tokenSchema = z.object({ access_token: z.string() });

export async function exchange({
  authUrl,
  credentials,
}: Pick<SandboxAccount, 'authUrl' | 'credentials'>): Promise<string> {
  const response = await fetch(`${authUrl}/auth/o2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'refresh_token',
      refresh_token: credentials.refreshToken,
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
    }),
  });
  return tokenSchema.parse(await response.json()).access_token;
}
