/** The sockets of downloads and uploads: apart from the service's, closed when idle, and never into a private network. */

import type { lookup } from 'node:dns';
import type { Dispatcher } from 'undici';
import { isLoopback } from '../../loopback.ts';
import type { PoolSettings } from '../transport/connection-pool.ts';
import type { Unused } from './allowed-address.ts';
import { guardLookup } from './guarded-lookup.ts';

export interface DownloadPoolSettings extends PoolSettings {
  /** Without a byte. */
  silenceMs: number;
  /** Instead of the system's name server, for tests. */
  lookup?: typeof lookup | undefined;
  /** What did not happen, for the words on an address that is not allowed. */
  unused?: Unused | undefined;
}

export interface DownloadPool {
  for(url: URL): Dispatcher;
  destroy(): Promise<void>;
}

/** Loads undici, so call it when the first request is about to leave. */
export async function openDownloadPool(settings: DownloadPoolSettings): Promise<DownloadPool> {
  const { Agent, EnvHttpProxyAgent } = await import('../transport/undici.ts');
  const { connectTimeoutMs: timeout, ca, silenceMs } = settings;
  const tls = { timeout, ...(ca === undefined ? {} : { ca }) };
  const options = { headersTimeout: silenceMs, bodyTimeout: silenceMs };
  const local = new Agent({ ...options, connect: tls });
  // A proxy looks names up itself, so the guard is for connections without one.
  const outside = new EnvHttpProxyAgent({
    ...options,
    connect: { ...tls, lookup: guardLookup(settings.lookup, settings.unused) },
    proxyTls: { timeout },
    requestTls: tls,
  });
  return {
    for: (url) => (isLoopback(url.hostname) ? local : outside),
    async destroy() {
      await Promise.all([local.destroy(), outside.destroy()]);
    },
  };
}
