/** The sockets of downloads and uploads: apart from the service's, closed when idle, and never into a private network. */

import { type lookup, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import { isLoopback } from '../../base/loopback.ts';
import type { PoolSettings } from '../transport/connection-pool.ts';
import { notAllowed, type Unused } from './allowed-address.ts';
import { isPrivateAddress } from './private-address.ts';

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
  const tls = { timeout, ca };
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

// Looks names up as Node does, and refuses those that lead into a private network, at the moment of connecting.

/**
 * For a socket. Looked up here and connected to at once, so a name server cannot give one answer to a check and another
 * to the connection.
 */
function guardLookup(lookup: typeof systemLookup = systemLookup, unused?: Unused): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) return callback(error ?? new Error('no address'), []);
      if (addresses.some(({ address }) => isPrivateAddress(address))) {
        return callback(notAllowed('leads into a private network', unused), []);
      }
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
