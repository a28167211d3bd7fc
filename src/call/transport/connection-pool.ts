/** The sockets: kept open between calls, through the proxy that the environment names, never for loopback. */

import type { Agent, Dispatcher, EnvHttpProxyAgent } from 'undici';
import { isLoopback } from '../../base/loopback.ts';

export interface PoolSettings {
  connectTimeoutMs: number;
  /** Certificate authorities (PEM) instead of the trusted ones; for private services and tests. */
  ca?: string;
}

export interface ConnectionPool {
  for(url: URL): Dispatcher;
  destroy(): Promise<void>;
}

/** Sockets per host; further calls wait for one. */
const CONNECTIONS = 64;

/** Loads undici, so call it when the first request is about to leave. */
export async function openPool(settings: PoolSettings): Promise<ConnectionPool> {
  const undici = await import('./undici.ts');
  const tls = {
    timeout: settings.connectTimeoutMs,
    ca: settings.ca,
  };
  // Silence is ended by the deadline of the call, not by undici's own timers.
  const options = { connections: CONNECTIONS, headersTimeout: 0, bodyTimeout: 0, connect: tls };
  const direct: Agent = new undici.Agent(options);
  let proxied: EnvHttpProxyAgent | undefined;
  return {
    for(url) {
      if (isLoopback(url.hostname)) return direct;
      proxied ??= new undici.EnvHttpProxyAgent({
        ...options,
        proxyTls: { timeout: settings.connectTimeoutMs },
        requestTls: tls,
      });
      return proxied;
    },
    async destroy() {
      await Promise.all([direct.destroy(), proxied?.destroy()]);
    },
  };
}
