/** A listener that strangers may reach: bounded in time, size and connections, and ended so that running work finishes. */

import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { ConfigError, codeOf } from '../../base/errors.ts';
import type { HostAndPort } from '../where.ts';

export interface GuardedServerOptions extends HostAndPort {
  limits?: Partial<Limits>;
  /** A failure of its own is told to the client as such; nothing of it leaves. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  onError(error: unknown): void;
}

export interface Limits {
  /** Until the headers are there. */
  headersMs: number;
  /** Until the whole request is there. */
  requestMs: number;
  /** Between two requests of a connection. */
  idleMs: number;
  /** Without a byte in either direction. */
  silenceMs: number;
  connections: number;
}

const LIMITS: Limits = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 65_000,
  silenceMs: 120_000,
  connections: 4_096,
};

/** A token of 4 KB and all that proxies add. */
const MOST_HEADER_BYTES = 16_384;

export interface GuardedServer {
  port: number;
  /** Requests that have no whole answer yet. */
  running(): number;
  connections(): number;
  /** Takes nothing new; resolves when what runs has its answer, or its time is over. */
  drain(mostMs: number): Promise<void>;
  close(): Promise<void>;
}

export async function startGuardedServer(options: GuardedServerOptions): Promise<GuardedServer> {
  const limits = { ...LIMITS, ...options.limits };
  const server = createServer(serverOptions(limits));
  server.keepAliveTimeout = limits.idleMs;
  // Their bytes are bounded; Node leaves out what is beyond 2,000, and a second Host with it.
  server.maxHeadersCount = 0;
  server.timeout = limits.silenceMs;
  const open = boundConnections(server, limits.connections);
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
    async drain(mostMs) {
      server.close();
      server.closeIdleConnections();
      if (running.size === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, mostMs);
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

function serverOptions({ headersMs, requestMs }: Limits): ServerOptions {
  return {
    headersTimeout: Math.min(headersMs, requestMs),
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(1_000, headersMs),
    maxHeaderSize: MOST_HEADER_BYTES,
    requireHostHeader: true,
  };
}

/**
 * Closes the connection that has had no request in flight for longest where there are too many, whether it
 * owes its first headers or has had its answers, because Node's own `maxConnections` would turn away new
 * clients. The proxy before it bounds the connections of one address.
 */
function boundConnections(server: Server, most: number): ReadonlyMap<Socket, unknown> {
  const open = new Map<Socket, { running: number }>();
  // The order is that in which they fell idle.
  const idle = new Set<Socket>();
  const forget = (socket: Socket) => {
    open.delete(socket);
    idle.delete(socket);
  };
  server.on('connection', (socket: Socket) => {
    open.set(socket, { running: 0 });
    idle.add(socket);
    socket.once('close', () => forget(socket));
    if (open.size <= most) return;
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

/** @throws ConfigError where the port is taken, or may not be listened on */
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
      // Accepting can fail later too (too many open files); the others are served all the same.
      server.on('error', () => {});
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
