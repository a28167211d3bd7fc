/** Starts the embedded sandbox: a real HTTP service on loopback that answers as the interface document says. */

import { setMaxListeners } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createFaults } from './faults.ts';
import { createFeeds, type FeedStore, type StoredFeed } from './feed-processing/feed-store.ts';
import { processFeed } from './feed-processing/process-feed.ts';
import { buildListings, SELLER_ID } from './fixtures/listings.ts';
import { DEFAULT_MARKETPLACE } from './fixtures/marketplaces.ts';
import { createHandler } from './handler.ts';
import { findInvoiceDocument } from './operations/invoices.ts';
import { createListingStore } from './operations/listing-store.ts';
import { buildRoutes } from './operations/routes.ts';
import { createSupplySources } from './operations/supply-source-store.ts';
import { createRateLimits } from './rate-limits.ts';
import { createCounter, createRecorder } from './records.ts';
import { createReplay } from './replay.ts';
import { createReports, type ReportDocument } from './reports/report-store.ts';
import { createDocumentListener } from './signed/document-listener.ts';
import { createSignedAddresses } from './signed/signed-address.ts';
import { createUploadStore } from './signed/upload-store.ts';
import { buildClientId, buildClientSecret, buildRefreshToken, TokenBook } from './tokens/token-book.ts';
import { ACCESS_TOKEN_HEADER, type Sandbox, type SandboxCredentials, type SandboxOptions } from './types.ts';
import { DEFAULT_COUNTRIES } from './world/markets.ts';
import { createWorld, type World } from './world/world.ts';

/** Monotonic, so that a clock that is set back does not stop the buckets. */
const steadyNow = (): number => performance.timeOrigin + performance.now();

/** @throws Error with the system's code when the port cannot be had. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const parts = createParts(options);
  const { counter, reports, feeds, addresses, stopped, world } = parts;
  const documents = await openServer(
    createDocumentListener({
      ...parts,
      find: (id) => reports.findDocument(id) ?? findFeedReport(feeds, id) ?? findInvoiceDocument(world, id),
      tokenHeaders: ['authorization', options.accessTokenHeader ?? ACCESS_TOKEN_HEADER].map(lowerCase),
      stopped: stopped.signal,
    }),
    0,
  );
  const routes = buildRoutes({
    ...parts,
    addressOf: (id, announce) => `${documents.url}${addresses.sign(id, announce)}`,
    uploadAddressOf: ({ id, contentType, md5 }) => {
      const signed = [
        ...(contentType === undefined ? [] : ['content-type']),
        ...(md5 === undefined ? [] : ['content-md5']),
      ];
      return `${documents.url}${addresses.signUpload(id, signed)}`;
    },
    formAddressOf: ({ id }) => `${documents.url}${addresses.signForm(id)}`,
  });
  const handler = createHandler({ ...parts, routes, stopped: stopped.signal });
  const service = await openServer(handler, options.port ?? 0, () => counter.connection()).catch(
    async (error: unknown) => {
      await documents.close();
      throw error;
    },
  );
  return describeSandbox(parts, service, documents);
}

/** Packed, as the service does it. */
function findFeedReport(feeds: FeedStore, id: string): ReportDocument | undefined {
  const report = feeds.findReport(id);
  if (report === undefined) return undefined;
  const { text, contentType } = report;
  return { id, text, type: { charset: 'UTF-8', contentType, isCompressed: true } };
}

const lowerCase = (name: string): string => name.toLowerCase();

type Parts = ReturnType<typeof createParts>;

/** Everything but the servers: what the sandbox knows, counts and remembers. */
function createParts(options: SandboxOptions) {
  const now = options.now ?? steadyNow;
  const credentials = buildCredentials(options.credentials);
  const lifetimeSeconds = options.tokenLifetimeSeconds ?? 3600;
  const book = new TokenBook(credentials.refreshToken, now, lifetimeSeconds * 1000, options.rotate ?? true);
  const world: World = createWorld(
    buildListings(now()),
    options.countries ?? DEFAULT_COUNTRIES,
    now(),
    options.moreListings,
  );
  const stopped = new AbortController();
  // Every late answer waits for it.
  setMaxListeners(0, stopped.signal);
  const listings = createListingStore(world, options.readsUntilVisible ?? 0);
  const uploads = createUploadStore();
  const process = ({ id: feedId, feedType, marketplaceIds, documentId }: StoredFeed) => {
    const document = uploads.find(documentId)?.arrived;
    return processFeed(listings, { feedType, marketplaceIds, document, sellerId: SELLER_ID, feedId });
  };
  return {
    listings,
    uploads,
    feeds: createFeeds(process, now, options.feedSpeed ?? 1),
    options,
    now,
    book,
    lifetimeSeconds,
    world,
    stopped,
    tokens: { book, credentials, lifetimeSeconds },
    supplySources: createSupplySources(now),
    reports: createReports(world, now, options.reportSpeed ?? 1),
    addresses: createSignedAddresses(now),
    replay: createReplay(options.replay ?? [], options.replayFirst),
    limits: createRateLimits(options.rateLimits ?? {}, now),
    faults: createFaults(),
    counter: createCounter(),
    recorder: createRecorder(options.record ?? false),
  };
}

function buildCredentials(given: SandboxOptions['credentials'] = {}): SandboxCredentials {
  return {
    clientId: given.clientId ?? buildClientId(),
    clientSecret: given.clientSecret ?? buildClientSecret(),
    refreshToken: given.refreshToken ?? buildRefreshToken(),
  };
}

function describeSandbox(parts: Parts, service: OpenServer, documents: OpenServer): Sandbox {
  const { tokens, world, counter, recorder, faults, book, supplySources, stopped } = parts;
  const { feeds, uploads } = parts;
  return {
    baseUrl: service.url,
    authUrl: service.url,
    documentsUrl: documents.url,
    credentials: tokens.credentials,
    sellerId: SELLER_ID,
    marketplaceId: world.markets[0]?.id ?? DEFAULT_MARKETPLACE,
    stats: counter.read,
    recorded: recorder.read,
    faults: { next: faults.next, clear: faults.clear, left: faults.left },
    nextFeed: feeds.next,
    uploaded: (id) => uploads.find(id)?.arrived,
    expireTokens: () => book.expireAll(),
    revokeAccessToken: (token) => book.revoke(token),
    acceptsRefreshToken: (token) => book.acceptsRefreshToken(token),
    written: (id) => supplySources.written(id),
    async close() {
      stopped.abort();
      await Promise.all([service.close(), documents.close()]);
    },
  };
}

// A port of loopback that answers until it is closed, whatever is sent to it.

interface OpenServer {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Ends every connection; resolves within a second. */
  close(): Promise<void>;
}

/**
 * @param port 0: any free one.
 * @throws Error with the system's code when the port cannot be had.
 */
async function openServer(
  listener: RequestListener,
  port: number,
  onConnection: () => void = () => {},
): Promise<OpenServer> {
  const server = createServer(listener);
  // Longer than the pauses between a person's questions, so that connections get reused.
  server.keepAliveTimeout = 30_000;
  server.on('connection', onConnection);
  // Not HTTP at all: end that connection, keep serving the others.
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });
  const url = `http://127.0.0.1:${await listen(server, port)}`;
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
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
