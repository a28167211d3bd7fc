/** Starts the embedded sandbox: a real HTTP service on loopback that answers as the interface document says. */

import { setMaxListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createFaults } from './faults.ts';
import { buildListings, SELLER_ID } from './fixtures/listings.ts';
import { DEFAULT_MARKETPLACE } from './fixtures/marketplaces.ts';
import { createHandler } from './handler.ts';
import { buildRoutes } from './operations/routes.ts';
import { createSupplySources } from './operations/supply-source-store.ts';
import { createRateLimits } from './rate-limits.ts';
import { createCounter, createRecorder } from './records.ts';
import { createReplay } from './replay.ts';
import { buildClientId, buildClientSecret, buildRefreshToken, TokenBook } from './tokens/token-book.ts';
import type { Sandbox, SandboxOptions } from './types.ts';

/** Monotonic, so that a clock that is set back does not stop the buckets. */
const steadyNow = (): number => performance.timeOrigin + performance.now();

/** @throws Error with the system's code when the port cannot be had. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const now = options.now ?? steadyNow;
  const credentials = {
    clientId: options.credentials?.clientId ?? buildClientId(),
    clientSecret: options.credentials?.clientSecret ?? buildClientSecret(),
    refreshToken: options.credentials?.refreshToken ?? buildRefreshToken(),
  };
  const lifetimeSeconds = options.tokenLifetimeSeconds ?? 3600;
  const book = new TokenBook(credentials.refreshToken, now, lifetimeSeconds * 1000, options.rotate ?? true);
  const supplySources = createSupplySources(now);
  const faults = createFaults();
  const counter = createCounter();
  const recorder = createRecorder(options.record ?? false);
  const stopped = new AbortController();
  // Every late answer waits for it.
  setMaxListeners(0, stopped.signal);
  const handler = createHandler({
    options,
    routes: buildRoutes({ listings: buildListings(now()), supplySources, book, lifetimeSeconds }),
    replay: createReplay(options.replay ?? [], options.replayFirst),
    limits: createRateLimits(options.rateLimits ?? {}, now),
    tokens: { book, credentials, lifetimeSeconds },
    faults,
    counter,
    recorder,
    stopped: stopped.signal,
  });
  const server = createServer(handler);
  // Longer than the pauses between a person's questions, so that connections get reused.
  server.keepAliveTimeout = 30_000;
  server.on('connection', () => counter.connection());
  // Not HTTP at all: end that connection, keep serving the others.
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });
  const baseUrl = `http://127.0.0.1:${await listen(server, options.port ?? 0)}`;
  return {
    baseUrl,
    authUrl: baseUrl,
    credentials,
    sellerId: SELLER_ID,
    marketplaceId: DEFAULT_MARKETPLACE,
    stats: counter.read,
    recorded: recorder.read,
    faults: { next: faults.next, clear: faults.clear },
    expireTokens: () => book.expireAll(),
    revokeAccessToken: (token) => book.revoke(token),
    acceptsRefreshToken: (token) => book.acceptsRefreshToken(token),
    written: (id) => supplySources.written(id),
    close() {
      stopped.abort();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
