/** A listener that strangers may reach: bounded in time, size and connections, and ended so that running work finishes. */

import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import { ConfigError, codeOf } from '../../base/errors.ts';
import type { HostAndPort } from '../where.ts';

export interface GuardedServerOptions extends HostAndPort {
  tls?: { cert: Buffer; key: Buffer } | undefined;
  /** False where all come from one: a proxy counts them itself. */
  boundsAddresses: boolean;
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
  connectionsOfOneAddress: number;
}

const LIMITS: Limits = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 65_000,
  silenceMs: 120_000,
  connections: 4_096,
  connectionsOfOneAddress: 256,
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
  const { tls } = options;
  const server =
    tls === undefined
      ? createServer(serverOptions(limits))
      : createTlsServer({ ...serverOptions(limits), ...tls, handshakeTimeout: limits.headersMs });
  server.keepAliveTimeout = limits.idleMs;
  // Their bytes are bounded; Node leaves out what is beyond 2,000, and a second Host with it.
  server.maxHeadersCount = 0;
  server.timeout = limits.silenceMs;
  const open = boundConnections(server, limits, options.boundsAddresses);
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
      for (const socket of open) socket.destroy();
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
 * clients. One address has a share of the connections: above it, its own longest idle connection is closed,
 * so that silent clients do not lock out others behind the same address.
 */
function boundConnections(server: Server, limits: Limits, boundsAddresses: boolean): Set<Socket> {
  const open = new Set<Socket>();
  // In the order in which they fell idle; by the other end, since with TLS a request has another socket than its connection.
  const idle = new Map<string, Socket>();
  const byEnd = new Map<string, { socket: Socket; running: number }>();
  const byAddress = new Map<string, number>();
  const networks = new WeakMap<Socket, string>();
  /** Forgets the connection at once, because more may connect before its `close` event. */
  const drop = (end: string, socket: Socket) => {
    open.delete(socket);
    idle.delete(end);
    socket.destroy();
  };
  server.on('connection', (socket: Socket) => {
    const from = networkOf(socket.remoteAddress ?? '');
    const ofThis = (byAddress.get(from) ?? 0) + 1;
    if (boundsAddresses && ofThis > limits.connectionsOfOneAddress) {
      const longest = [...idle].find(([, one]) => networks.get(one) === from);
      if (longest === undefined) {
        socket.destroy();
        return;
      }
      drop(...longest);
    }
    networks.set(socket, from);
    byAddress.set(from, ofThis);
    open.add(socket);
    const end = endOf(socket);
    idle.set(end, socket);
    byEnd.set(end, { socket, running: 0 });
    socket.once('close', () => {
      open.delete(socket);
      idle.delete(end);
      byEnd.delete(end);
      const left = (byAddress.get(from) ?? 1) - 1;
      if (left > 0) byAddress.set(from, left);
      else byAddress.delete(from);
    });
    if (open.size <= limits.connections) return;
    const [longest = [end, socket] as const] = idle;
    drop(...longest);
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const end = endOf(socket);
    const one = byEnd.get(end);
    if (one === undefined) return;
    idle.delete(end);
    one.running += 1;
    response.once('close', () => {
      one.running -= 1;
      if (one.running === 0 && open.has(one.socket)) idle.set(end, one.socket);
    });
  });
  return open;
}

const endOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

/** One customer of a provider has a whole /64 of IPv6. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? [];
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== ''));
  const [before = [], after = []] = [first, last];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...after].slice(0, 4).join(':');
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
