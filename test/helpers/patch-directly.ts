/** A change of a listing straight at a sandbox, past every check of the program. */

import * as z from 'zod';
import type { Sandbox } from '../../sandbox/sandbox.ts';

export async function patchDirectly(sandbox: Sandbox, sku: string, body: object): Promise<void> {
  const { authUrl, baseUrl, credentials, sellerId, marketplaceId } = sandbox;
  const token = await fetch(`${authUrl}/auth/o2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: credentials.refreshToken,
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
    }),
  });
  const { access_token: access } = z.object({ access_token: z.string() }).parse(await token.json());
  const path = `/listings/2021-08-01/items/${sellerId}/${sku}?marketplaceIds=${marketplaceId}`;
  const answer = await fetch(`${baseUrl}${path}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', 'x-amz-access-token': access },
    body: JSON.stringify(body),
  });
  z.object({ status: z.literal('ACCEPTED') }).parse(await answer.json());
}
