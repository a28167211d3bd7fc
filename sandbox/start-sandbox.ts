/** Starts the embedded sandbox: a real HTTP service on loopback that answers as the interface document says. */

import { once, setMaxListeners } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createFaults } from './faults.ts';
import { buildHomeListings, buildListings, SELLER_ID } from './fixtures/listings.ts';
import { BY_HAND, MARKETPLACES } from './fixtures/marketplaces.ts';
import { buildSupplySources } from './fixtures/supply-sources.ts';
import { createHandler } from './handler.ts';
import { createKiosk, findKioskDocument } from './operations/data-kiosk.ts';
import { createFeeds, findFeedReport } from './operations/feeds.ts';
import { findInvoiceDocument } from './operations/invoices.ts';
import { createListingStore } from './operations/listing-store.ts';
import { createReports, findReportDocument } from './operations/reports.ts';
import { buildRoutes } from './operations/routes.ts';
import { createSupplySources } from './operations/supply-sources.ts';
import { createRateLimits, defaultLimits } from './rate-limits.ts';
import { createCounter, createRecorder } from './records.ts';
import type { Routes } from './router.ts';
import {
  ACCESS_TOKEN_HEADER,
  type NextFeed,
  type Sandbox,
  type SandboxCredentials,
  type SandboxOptions,
} from './sandbox.ts';
import { createDocumentListener } from './signed/document-listener.ts';
import { createSignedAddresses } from './signed/signed-address.ts';
import { createUploadStore } from './signed/upload-store.ts';
import { buildClientId, buildClientSecret, buildRefreshToken, TokenBook } from './tokens/token-book.ts';
import { IN_MEMORY, momentOf } from './world/kept-world.ts';
import { type Market, marketOf } from './world/markets.ts';
import { createWorld, type World } from './world/world.ts';
import { yesterdayOf } from './world/yesterday.ts';

/** Monotonic, so that a clock that is set back does not stop the buckets. */
const steadyNow = (): number => performance.timeOrigin + performance.now();

/** @throws Error with the system's code when the port cannot be had. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const parts = createParts(options);
  const { counter, reports, kiosk, feeds, addresses, stopped, world, now } = parts;
  const documents = await openServer(
    createDocumentListener({
      ...parts,
      find: (id) =>
        findReportDocument(reports, id) ??
        findKioskDocument(kiosk, id) ??
        findFeedReport(feeds, id) ??
        findInvoiceDocument(world, id),
      tokenHeaders: ['authorization', (options.accessTokenHeader ?? ACCESS_TOKEN_HEADER).toLowerCase()],
      stopped: stopped.signal,
    }),
    0,
  );
  const routes = await buildRoutes({ ...parts, addresses: addresses.at(documents.url) });
  const defaults = defaultLimits(routes.played.map(({ operation }) => operation));
  const limits = createRateLimits(options.rateLimits ?? {}, now, defaults);
  const handler = createHandler({ ...parts, routes, limits, stopped: stopped.signal });
  const service = await openServer(handler, options.port ?? 0, () => counter.connection()).catch(
    async (error: unknown) => {
      await documents.close();
      throw error;
    },
  );
  return describeSandbox({ ...parts, routes }, service, documents);
}

type Parts = ReturnType<typeof createParts>;

/** Everything but the servers: what the sandbox knows, counts and remembers. */
function createParts(options: SandboxOptions) {
  const now = options.now ?? steadyNow;
  const credentials = buildCredentials(options.credentials);
  const lifetimeSeconds = options.tokenLifetimeSeconds ?? 3600;
  const book = new TokenBook(credentials.refreshToken, now, lifetimeSeconds * 1000, options.rotate ?? true);
  const keeping = options.keeping ?? IN_MEMORY;
  const { world, takesPart } = populate(options, momentOf(keeping, now()));
  const stopped = new AbortController();
  // Every late answer waits for it.
  setMaxListeners(0, stopped.signal);
  const listings = createListingStore(world, options.readsUntilVisible ?? 0, keeping);
  const uploads = createUploadStore();
  const nextFeeds: NextFeed[] = [];
  return {
    listings,
    uploads,
    feeds: createFeeds({ listings, uploads }, now, options.feedSpeed ?? 1),
    nextFeeds,
    options,
    now,
    book,
    lifetimeSeconds,
    world,
    takesPart,
    stopped,
    credentials,
    supplySources: createSupplySources(buildSupplySources(takesPart[0] ?? marketOf('US')), keeping),
    reports: createReports(world, now, options.reportSpeed ?? 1),
    kiosk: createKiosk(world, now, options.reportSpeed ?? 1),
    addresses: createSignedAddresses(now),
    faults: createFaults(),
    counter: createCounter(),
    recorder: createRecorder(options.record ?? false),
  };
}

/** Makes the world of the seller, and the marketplaces in which they sell. */
function populate(options: SandboxOptions, now: number): { world: World; takesPart: readonly Market[] } {
  const { home = 'US', moreListings } = options;
  const countries = options.countries ?? [home, ...marketOf(home).alsoIn];
  const markets = countries.map(marketOf);
  // The whole world of the United States is written by hand, for every test.
  const isAbroad = home !== 'US';
  const byHand = isAbroad ? buildHomeListings(now, markets) : buildListings(now);
  return {
    world: createWorld(byHand, countries, now, moreListings),
    takesPart: isAbroad ? markets : [...new Set([...BY_HAND.map(marketOf), ...markets])],
  };
}

function buildCredentials(given: SandboxOptions['credentials'] = {}): SandboxCredentials {
  return {
    clientId: given.clientId ?? buildClientId(),
    clientSecret: given.clientSecret ?? buildClientSecret(),
    refreshToken: given.refreshToken ?? buildRefreshToken(),
  };
}

function describeSandbox(
  parts: Parts & { routes: Routes },
  service: OpenServer,
  documents: OpenServer,
): Sandbox {
  const { credentials, world, counter, recorder, faults, book, supplySources, stopped } = parts;
  const { nextFeeds, uploads } = parts;
  return {
    baseUrl: service.url,
    authUrl: service.url,
    documentsUrl: documents.url,
    credentials,
    sellerId: SELLER_ID,
    marketplaceId: world.markets[0]?.id ?? MARKETPLACES.US,
    stats: counter.read,
    plays: (id) => parts.routes.played.some(({ operation }) => operation.id === id),
    recorded: recorder.read,
    faults,
    nextFeed: (next) => void nextFeeds.push(next),
    uploaded: (id) => uploads.find(id)?.arrived,
    expireTokens: () => book.expireAll(),
    revokeAccessToken: (token) => book.revoke(token),
    acceptsRefreshToken: (token) => book.acceptsRefreshToken(token),
    written: (id) => supplySources.written.get(id),
    yesterday: (id, now) => yesterdayOf(world, id, now),
    async close() {
      stopped.abort();
      await Promise.all([service.close(), documents.close()]);
    },
  };
}

// A port of loopback that answers until it is closed, whatever is sent to it.

type OpenServer = Awaited<ReturnType<typeof openServer>>;

/**
 * @param port 0: any free one.
 * @throws Error with the system's code when the port cannot be had.
 */
async function openServer(listener: RequestListener, port: number, onConnection: () => void = () => {}) {
  const server = createServer(listener);
  // Longer than the pauses between a person's questions, so that connections get reused.
  server.keepAliveTimeout = 30_000;
  server.on('connection', onConnection);
  // Not HTTP at all: end that connection, keep serving the others.
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    /** `http://127.0.0.1:<port>` */
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`,
    /** Ends every connection; resolves within a second. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
