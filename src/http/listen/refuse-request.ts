/** Who is turned away before anything is read: other hosts, other sites, and what is not asked in the one way there is. */

import type { IncomingMessage } from 'node:http';

export interface Refusal {
  status: number;
  /** Bounded, for the counters. */
  reason: RefusalReason;
  text: string;
  headers?: Readonly<Record<string, string>>;
  /** Instead of the text as an error of JSON-RPC. */
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
  /** What people connect to. */
  endpoint: URL;
  /** The port that is listened on. */
  port: number;
  isLocal: boolean;
}

/** @returns what checks Host, Origin and target of a request, before its path and its body are looked at */
export function createRequestCheck({ endpoint, port, isLocal }: OwnAddress) {
  const hosts = new Set([endpoint.host]);
  const origins = new Set([endpoint.origin]);
  for (const name of isLocal ? ['localhost', '127.0.0.1', '[::1]'] : []) {
    hosts.add(`${name}:${port}`);
    origins.add(`${endpoint.protocol}//${name}:${port}`);
  }
  // A default port may be said.
  if (endpoint.port === '') hosts.add(`${endpoint.hostname}:${endpoint.protocol === 'https:' ? 443 : 80}`);
  return ({ headersDistinct, headers, url = '' }: IncomingMessage): Refusal | undefined => {
    // Two: Node keeps the first; what stands before us might have judged the second.
    const [host = '', second] = headersDistinct.host ?? [];
    if (second !== undefined || !hosts.has(host.toLowerCase()))
      return { status: 421, reason: 'host', text: `This host is not served here; ${endpoint.host} is.` };
    const { origin } = headers;
    if (origin !== undefined && !origins.has(origin))
      return { status: 403, reason: 'origin', text: 'Pages of other sites may not call this server.' };
    if (!url.startsWith('/')) return { status: 400, reason: 'target', text: 'A path is expected.' };
    // Of two, Node keeps the first.
    if ((headersDistinct.authorization?.length ?? 0) > 1)
      return { status: 400, reason: 'credentials', text: 'There is more than one Authorization header.' };
    return undefined;
  };
}
