/** The sandbox without limits in a process of its own, so that it does not share a thread with the program that measures. */

import { startSandbox } from '../../../sandbox/start-sandbox.ts';

const { baseUrl, authUrl, credentials, sellerId, marketplaceId, close } = await startSandbox({
  rateLimits: false,
  rotate: false,
});
process.stdout.write(`${JSON.stringify({ baseUrl, authUrl, credentials, sellerId, marketplaceId })}\n`);
process.stdin.resume().on('end', () => close());
