/**
 * Stops its own process between the moment when a write is let go and its first byte, and prints what became
 * of the write: `node frozen-process.ts <url>`.
 */

import { createClient } from '../../src/call/create-client.ts';
import { createLocalLimiter } from '../../src/call/pacing/limiter.ts';
import { createTransport } from '../../src/call/transport/transport.ts';
import { memoryAccounts, testAccount } from './memory-accounts.ts';
import { settings, writeOperation } from './test-client.ts';

const [url = ''] = process.argv.slice(2);
const callTimeoutMs = 60_000;
const transport = createTransport(settings);
const client = createClient({
  accounts: memoryAccounts(testAccount({ baseUrl: url })),
  settings: { ...settings, callTimeoutMs },
  transport,
  limiter: createLocalLimiter(),
});
const output: string[] = [];
const dispatchHooks = {
  beforeDispatch: async () => {
    process.kill(process.pid, 'SIGSTOP');
  },
  onNotApplied: async () => void output.push('taken back'),
};
const call = { operation: writeOperation(), parameters: {}, body: { price: 1 }, account: 'default' };
try {
  await client.call(call, { dispatchHooks });
  output.push('sent');
} catch (error) {
  output.push(error instanceof Error ? error.name : 'Error');
}
process.stdout.write(`${output.join(', ')}\n`);
await client.close();
await transport.close();
