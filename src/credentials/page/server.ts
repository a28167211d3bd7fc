/** The page's HTTP server: its limits and the headers of its every answer. */

import type { Server, ServerOptions } from 'node:http';
import { buildContentSecurityPolicy } from './style.ts';

/** A person's browser sends a small form within moments; whoever is slower or bigger is cut off. */
export function serverLimits(requestTimeoutMs: number): ServerOptions {
  return {
    requestTimeout: requestTimeoutMs,
    headersTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1_000, requestTimeoutMs),
    maxHeaderSize: 16_384,
  };
}

/** Port of its own on 127.0.0.1, chosen by the system. */
export function listen(server: Server): Promise<number> {
  server.maxConnections = 32;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject);
      // Accepting can fail later too (too many open files); the page then simply does not answer.
      server.on('error', () => {});
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('no port'));
      else resolve(address.port);
    });
  });
}

export function pageHeaders(): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': buildContentSecurityPolicy(),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // One answer per connection: no socket outlives the page.
    Connection: 'close',
  };
}
