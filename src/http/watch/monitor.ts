/** The operator's listener with liveness, readiness and metrics, separate from the users' address. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopback } from '../../base/loopback.ts';
import { type GuardedServer, startGuardedServer } from '../listen/guarded-server.ts';
import type { HostAndPort } from '../server-address.ts';
import type { Metrics } from './metrics.ts';

/** The state of readiness. It names no user and no account; the operator finds those in the log. */
export interface Readiness {
  /** The reason why no traffic should be routed here; undefined while some user can be served. */
  why?: string | undefined;
  /** A problem that does not affect other users. */
  note?: string | undefined;
}

export interface MonitorOptions extends HostAndPort {
  metrics: Pick<Metrics, 'text' | 'contentType'>;
  readiness(): Promise<Readiness>;
  onError(error: unknown): void;
}

export function startMonitor({ metrics, readiness, ...options }: MonitorOptions): Promise<GuardedServer> {
  const pages: Readonly<Record<string, () => Promise<OpsPage>>> = {
    '/healthz': async () => ({ status: 200, text: 'alive\n' }),
    '/readyz': async () => {
      const { why, note } = await readiness();
      if (why !== undefined) return { status: 503, text: `not ready: ${why}\n` };
      return { status: 200, text: note === undefined ? 'ready\n' : `ready, but ${note}: see the log\n` };
    },
    '/metrics': async () => ({ status: 200, text: await metrics.text(), type: metrics.contentType }),
  };
  return startGuardedServer({
    ...options,
    handle: async (request, response) =>
      isLoopback(options.host) && !isOfThisMachine(request.headers.host)
        ? write(request, response, { status: 421, text: 'This host is not served here.\n' })
        : answer(request, response, pages),
  });
}

/**
 * Accepts only loopback host names, because a page in a local browser could use its own name that resolves
 * here. Any port is accepted, because it may be forwarded.
 */
function isOfThisMachine(host = ''): boolean {
  return isLoopback(host.toLowerCase().replace(/:\d{1,5}$/, ''));
}

interface OpsPage {
  status: number;
  text: string;
  type?: string;
}

async function answer(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  pages: Readonly<Record<string, () => Promise<OpsPage>>>,
): Promise<void> {
  const isRead = method === 'GET' || method === 'HEAD';
  const page = Object.hasOwn(pages, url) ? pages[url] : undefined;
  const none: OpsPage = isRead ? { status: 404, text: 'Not found.\n' } : { status: 405, text: 'Only GET.\n' };
  write({ method }, response, isRead && page !== undefined ? await page() : none);
}

function write(
  { method }: Pick<IncomingMessage, 'method'>,
  response: ServerResponse,
  { status, text, type = 'text/plain; charset=utf-8' }: OpsPage,
): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  response.end(method === 'HEAD' ? '' : text);
}
