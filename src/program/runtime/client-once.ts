/** A client for one piece of work outside any session: opened for it, closed after it, sharing no limits with others. */

import type { AccountSource } from '../../accounts/types.ts';
import type { Config } from '../../base/config.ts';
import type { Client } from '../../call/client.ts';
import { VERSION } from '../version.ts';

export interface ClientParts {
  config: Config;
  /** Told every token that comes back, for the redaction. */
  learn(secret: string, use?: string): void;
  /** Told when a rotated refresh token could not be stored. */
  warn?: (message: string) => void;
}

/** @throws what `work` throws */
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
