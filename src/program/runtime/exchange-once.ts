/**
 * One token exchange for a command that ends right after it. The client answers when the rotated token and the access
 * token are written, and its close waits for an exchange that was cancelled.
 */

import type { AccountSource } from '../../accounts/types.ts';
import type { TokenExchange } from '../../call/client.ts';
import { type ClientParts, withClient } from './client-once.ts';

/** @throws CredentialError | ApiError | RateLimitError | NetworkError | TimeoutError | CancelledError */
export function exchangeOnce(
  name: string,
  accounts: AccountSource,
  { signal, ...parts }: ClientParts & { signal: AbortSignal },
): Promise<TokenExchange> {
  return withClient(accounts, parts, (client) => client.exchangeToken(name, { signal }));
}
