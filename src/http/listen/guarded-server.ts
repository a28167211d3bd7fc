/**
 * A listener for untrusted clients, with limits on time, size and connections. It ends without interrupting
 * running requests.
 */

import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { ConfigError, codeOf } from '../../base/errors.ts';
import type { HostAndPort } from '../server-address.ts';

export interface GuardedServerOptions extends HostAndPort {
  limits?: Partial<ServerLimits>;
  /** Handles a request. A failure becomes a generic error for the client, which reveals nothing. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  onError(error: unknown): void;
}

export interface ServerLimits {
  /** The time limit until the headers have arrived. */
  headersMs: number;
  /** The time limit until the whole request has arrived. */
  requestMs: number;
  /** The time limit between two requests of a connection. */
  idleMs: number;
  /** The time limit without a byte in either direction. */
  silenceMs: number;
  connections: number;
}

const LIMITS: ServerLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 65_000,
  silenceMs: 120_000,
  connections: 4_096,
};

/** The maximum size of the headers: a token of 4 KB and the headers that proxies add. */
const MAX_HEADER_BYTES = 16_384;

export interface GuardedServer {
  port: number;
  /** The number of requests without a complete answer. */
  running(): number;
  connections(): number;
  /** Accepts nothing new; resolves when all running requests are answered, or the time is over. */
  drain(maxMs: number): Promise<void>;
  close(): Promise<void>;
}

export async function startGuardedServer(options: GuardedServerOptions): Promise<GuardedServer> {
  const limits = { ...LIMITS, ...options.limits };
  const server = createServer(serverOptions(limits));
  server.keepAliveTimeout = limits.idleMs;
  // Header bytes are limited already. A limit on the count would make Node drop headers beyond it, even a
  // second Host.
  server.maxHeadersCount = 0;
  server.timeout = limits.silenceMs;
  const open = limitConnections(server, limits.connections);
  const running = new Set<ServerResponse>();
  let whenDone = () => {};
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    running.add(response);
    response.once('close', () => {
      running.delete(response);
      whenDone();
    });
    options.handle(request, response).catch((error: unknown) => {
      // A client that aborts its request is no failure of the server.
      if (!request.complete && codeOf(error) === 'ECONNRESET') return void response.destroy();
      options.onError(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { Connection: 'close' }).end();
    });
  });
  const port = await listen(server, options);
  return {
    port,
    running: () => running.size,
    connections: () => open.size,
    async drain(maxMs) {
      server.close();
      server.closeIdleConnections();
      if (running.size === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, maxMs);
        whenDone = () => {
          server.closeIdleConnections();
          if (running.size > 0) return;
          clearTimeout(timer);
          resolve();
        };
      });
    },
    async close() {
      server.close();
      server.closeAllConnections();
      for (const socket of open.keys()) socket.destroy();
    },
  };
}

function serverOptions({ headersMs, requestMs }: ServerLimits): ServerOptions {
  return {
    headersTimeout: Math.min(headersMs, requestMs),
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(1_000, headersMs),
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: true,
  };
}

/**
 * Limits the connections by closing the one without a request in flight for longest, because Node's own
 * `maxConnections` would refuse new clients. The proxy in front limits the connections of one address.
 */
function limitConnections(server: Server, maxConnections: number): ReadonlyMap<Socket, unknown> {
  const open = new Map<Socket, { running: number }>();
  // The set is in the order in which connections fell idle.
  const idle = new Set<Socket>();
  const forget = (socket: Socket) => {
    open.delete(socket);
    idle.delete(socket);
  };
  server.on('connection', (socket: Socket) => {
    open.set(socket, { running: 0 });
    idle.add(socket);
    socket.once('close', () => forget(socket));
    if (open.size <= maxConnections) return;
    const [longest = socket] = idle;
    // It is forgotten at once, because more may connect before its `close` event.
    forget(longest);
    longest.destroy();
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const one = open.get(socket);
    if (one === undefined) return;
    idle.delete(socket);
    one.running += 1;
    response.once('close', () => {
      one.running -= 1;
      if (one.running === 0 && open.has(socket)) idle.add(socket);
    });
  });
  return open;
}

/**
 * Listens on the port.
 * @throws ConfigError when the port is taken or not permitted
 */
function listen(server: Server, { host, port }: HostAndPort): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE' ? 'something else listens there' : (error.code ?? error.message);
      reject(new ConfigError(`Nothing can listen on ${host}:${port}: ${why}.`, 'Choose another HOST:PORT.'));
    };
    server.once('error', fail);
    server.listen(port, host.replace(/^\[|\]$/g, ''), () => {
      server.off('error', fail);
      // Accepting a connection can fail later too (too many open files); other clients are still served.
      server.on('error', () => {});
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
