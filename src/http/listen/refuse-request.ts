/** Refuses requests before reading their body: other hosts, other sites, and unsupported request targets. */

import type { IncomingMessage } from 'node:http';

export interface HttpRefusal {
  status: number;
  /** One of a fixed set, so that the counters stay limited. */
  reason: RefusalReason;
  text: string;
  headers?: Readonly<Record<string, string>>;
  /** Replaces the text as a JSON-RPC error. */
  body?: string;
}

export type RefusalReason =
  | 'host'
  | 'origin'
  | 'target'
  | 'method'
  | 'credentials'
  | 'token'
  | 'provider'
  | 'no access'
  | 'accounts'
  | 'path'
  | 'type'
  | 'size'
  | 'json'
  | 'batch'
  | 'busy'
  | 'ending';

export interface OwnAddress {
  /** The address that users connect to. */
  endpoint: URL;
  /** The port that the server listens on. */
  port: number;
  isLocal: boolean;
}

/**
 * Creates the check.
 * @returns a function that checks Host, Origin and target of a request, before its path and body
 */
export function createRequestCheck({ endpoint, port, isLocal }: OwnAddress) {
  const hosts = new Set([endpoint.host]);
  const origins = new Set([endpoint.origin]);
  for (const name of isLocal ? ['localhost', '127.0.0.1', '[::1]'] : []) {
    hosts.add(`${name}:${port}`);
    origins.add(`${endpoint.protocol}//${name}:${port}`);
  }
  // Clients may write the default port explicitly.
  if (endpoint.port === '') hosts.add(`${endpoint.hostname}:${endpoint.protocol === 'https:' ? 443 : 80}`);
  return ({ headersDistinct, headers, url = '' }: IncomingMessage): HttpRefusal | undefined => {
    // Node uses the first of two Host headers, but a proxy in front may have checked the second.
    const [host = '', second] = headersDistinct.host ?? [];
    if (second !== undefined || !hosts.has(host.toLowerCase()))
      return { status: 421, reason: 'host', text: `This host is not served here; ${endpoint.host} is.` };
    const { origin } = headers;
    if (origin !== undefined && !origins.has(origin))
      return { status: 403, reason: 'origin', text: 'Pages of other sites may not call this server.' };
    if (!url.startsWith('/')) return { status: 400, reason: 'target', text: 'A path is expected.' };
    // Node uses the first of two headers.
    if ((headersDistinct.authorization?.length ?? 0) > 1)
      return { status: 400, reason: 'credentials', text: 'There is more than one Authorization header.' };
    return undefined;
  };
}
