/** The sockets: kept open between calls, through the proxy that the environment names, never for loopback. */

import type { LookupFunction } from 'node:net';
import type { Dispatcher, EnvHttpProxyAgent } from 'undici';
import { isLoopback } from '../../base/loopback.ts';

export interface PoolSettings {
  connectTimeoutMs: number;
  /** Certificate authorities (PEM) instead of the trusted ones; for private services and tests. */
  ca?: string;
}

export type ConnectionPool = Awaited<ReturnType<typeof openPool>>;

/** How long a socket may be silent, in milliseconds, and what is true of those that do not go through a proxy. */
interface SocketOptions {
  headersTimeout: number;
  bodyTimeout: number;
  /** Sockets per host, where there is a limit; further calls wait for one. */
  connections?: number;
  /** Looks names up; a proxy does it itself. */
  lookup?: LookupFunction;
}

/** Silence is ended by the deadline of the call, not by undici's own timers. */
const SERVICE_SOCKETS: SocketOptions = { connections: 64, headersTimeout: 0, bodyTimeout: 0 };

/** Loads undici, so call it when the first request is about to leave. */
export async function openPool(
  { connectTimeoutMs: timeout, ca }: PoolSettings,
  { lookup, ...options }: SocketOptions = SERVICE_SOCKETS,
) {
  const undici = await import('./undici.ts');
  const tls = { timeout, ca };
  const direct = new undici.Agent({ ...options, connect: tls });
  let outside: EnvHttpProxyAgent | undefined;
  return {
    for(url: URL): Dispatcher {
      if (isLoopback(url.hostname)) return direct;
      outside ??= new undici.EnvHttpProxyAgent({
        ...options,
        connect: { ...tls, lookup },
        proxyTls: { timeout },
        requestTls: tls,
      });
      return outside;
    },
    async destroy() {
      await Promise.all([direct.destroy(), outside?.destroy()]);
    },
  };
}
