/** One token exchange for a command that ends right after it: what it leads to is written before that. */

import type { TokenExchange } from '../client/client.ts';
import type { Config } from '../config.ts';
import type { AccountSource } from '../credentials/types.ts';
import { VERSION } from '../version.ts';

interface ExchangeParts {
  config: Config;
  signal: AbortSignal;
  /** Told every token that comes back, for the redaction. */
  learn(secret: string): void;
  /** Told when a rotated refresh token could not be stored. */
  warn?: (message: string) => void;
}

/** @throws CredentialError | ApiError | RateLimitError | NetworkError | TimeoutError | CancelledError */
export async function exchangeOnce(
  name: string,
  accounts: AccountSource,
  { config, signal, learn, warn }: ExchangeParts,
): Promise<TokenExchange> {
  let writing = Promise.resolve();
  // The client lets the shared token be written while it goes on; a command must wait for it.
  const awaited: AccountSource = {
    ...accounts,
    writeToken: (account, token) => {
      writing = accounts.writeToken(account, token);
      return writing;
    },
  };
  const [{ createClient }, { createTransport }, { createLocalLimiter }] = await Promise.all([
    import('../client/create-client.ts'),
    import('../client/transport/transport.ts'),
    import('../client/pacing/limiter.ts'),
  ]);
  const transport = createTransport({ ...config, version: VERSION });
  const client = createClient({
    accounts: awaited,
    settings: config,
    transport,
    limiter: createLocalLimiter(),
    onSecret: learn,
    ...(warn === undefined ? {} : { warn }),
  });
  try {
    const exchange = await client.exchangeToken(name, { signal });
    await writing.catch(() => {});
    return exchange;
  } finally {
    await client.close();
    await transport.close();
  }
}
