/** The cost of Node itself: a program without libraries that answers every line with an empty result. */

import { createInterface } from 'node:readline';

createInterface({ input: process.stdin }).on('line', (line) => {
  const message: unknown = JSON.parse(line);
  if (typeof message !== 'object' || message === null || !('id' in message)) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: {} })}\n`);
});
