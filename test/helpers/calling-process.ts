/** A process that makes one call with a stored account, as a server process does, and prints the status of the answer. */

import { createAccountSource } from '../../src/accounts/account-source.ts';
import { buildConfig } from '../../src/base/config.ts';
import { createClient } from '../../src/call/create-client.ts';
import { createLocalLimiter } from '../../src/call/pacing/limiter.ts';
import { createTransport } from '../../src/call/transport/transport.ts';
import { catalogItemV0 } from '../../src/service/facts/documented-operations.ts';
import { createFileStore } from './file-store.ts';
import { realStore } from './keychain-stores.ts';

const [account = '', kind = '', place = ''] = process.argv.slice(2);
const config = buildConfig({}, {});
const store = kind === 'file' ? createFileStore(place) : realStore(place, { timeoutMs: 20_000 });
const transport = createTransport({ ...config, version: '0.0.0' });
const client = createClient({
  accounts: createAccountSource({ config, store }),
  settings: config,
  transport,
  limiter: createLocalLimiter(),
});
const { status } = await client.call({
  operation: catalogItemV0,
  parameters: { asin: 'B0SBX00001', MarketplaceId: 'ATVPDKIKX0DER' },
  account,
});
process.stdout.write(`${status}\n`);
await client.close();
await transport.close();
