/**
 * One token exchange for a command that ends right after it. The client answers when the rotated token and the access
 * token are written, and its close waits for an exchange that was cancelled.
 */

import type { TokenExchange } from '../client/client.ts';
import type { Config } from '../config.ts';
import type { AccountSource } from '../credentials/types.ts';
import { VERSION } from '../version.ts';

interface ExchangeParts {
  config: Config;
  signal: AbortSignal;
  /** Told every token that comes back, for the redaction. */
  learn(secret: string, use?: string): void;
  /** Told when a rotated refresh token could not be stored. */
  warn?: (message: string) => void;
}

/** @throws CredentialError | ApiError | RateLimitError | NetworkError | TimeoutError | CancelledError */
export async function exchangeOnce(
  name: string,
  accounts: AccountSource,
  { config, signal, learn, warn }: ExchangeParts,
): Promise<TokenExchange> {
  const [{ createClient }, { createTransport }, { createLocalLimiter }] = await Promise.all([
    import('../client/create-client.ts'),
    import('../client/transport/transport.ts'),
    import('../client/pacing/limiter.ts'),
  ]);
  const transport = createTransport({ ...config, version: VERSION });
  const client = createClient({
    accounts,
    settings: config,
    transport,
    limiter: createLocalLimiter(),
    onSecret: learn,
    ...(warn === undefined ? {} : { warn }),
  });
  try {
    return await client.exchangeToken(name, { signal });
  } finally {
    await client.close();
    await transport.close();
  }
}
