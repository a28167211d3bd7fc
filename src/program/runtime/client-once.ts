/**
 * Opens a client for one piece of work outside any session, and closes it afterwards; it shares no limits.
 */

import type { AccountSource } from '../../accounts/account.ts';
import type { Client, TokenExchange } from '../../call/client-types.ts';
import { VERSION } from '../version.ts';
import type { Outside } from './outside.ts';

export interface ClientParts extends Pick<Outside, 'config' | 'learn'> {
  /** Reports that a rotated refresh token could not be stored. */
  warn?: (message: string) => void;
}

/**
 * Runs `work` with a client.
 * @throws the errors of `work`
 */
export async function withClient<Result>(
  accounts: AccountSource,
  { config, learn, warn }: ClientParts,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const [{ createClient }, { createTransport }, { createLocalLimiter }] = await Promise.all([
    import('../../call/create-client.ts'),
    import('../../call/transport/transport.ts'),
    import('../../call/pacing/limiter.ts'),
  ]);
  const transport = createTransport({ ...config, version: VERSION });
  const client = createClient({
    accounts,
    settings: config,
    transport,
    limiter: createLocalLimiter(),
    onSecret: learn,
    warn,
  });
  try {
    return await work(client);
  } finally {
    await client.close();
    await transport.close();
  }
}

/**
 * Exchanges a token for a command that ends right after it. The client answers once the rotated token and the
 * access token are written, and its close waits for a cancelled exchange.
 * @throws CredentialError | ApiError | RateLimitError | NetworkError | TimeoutError | CancelledError
 */
export function exchangeOnce(
  name: string,
  accounts: AccountSource,
  { signal, ...parts }: ClientParts & { signal: AbortSignal },
): Promise<TokenExchange> {
  return withClient(accounts, parts, (client) => client.exchangeToken(name, { signal }));
}
