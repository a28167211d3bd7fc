/** The listener for whoever runs the server: alive, ready, and the counters; apart from what people connect to. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopback } from '../../base/loopback.ts';
import { type GuardedServer, startGuardedServer } from '../listen/guarded-server.ts';
import type { HostAndPort } from '../where.ts';
import type { Metrics } from './metrics.ts';

/** Names nobody and no account: whoever runs the server finds those in the log. */
export interface Readiness {
  /** Says why nobody should be sent here now; undefined while someone can be served. */
  why?: string | undefined;
  /** Says what is wrong though the others are served. */
  note?: string | undefined;
}

export interface MonitorOptions extends HostAndPort {
  metrics: Pick<Metrics, 'text' | 'contentType'>;
  readiness(): Promise<Readiness>;
  onError(error: unknown): void;
}

export function startMonitor({ metrics, readiness, ...options }: MonitorOptions): Promise<GuardedServer> {
  const pages: Readonly<Record<string, () => Promise<Page>>> = {
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

/** A page in a browser of this machine would come by a name of its own that leads here; any port, since one may be handed on. */
function isOfThisMachine(host = ''): boolean {
  return isLoopback(host.toLowerCase().replace(/:\d{1,5}$/, ''));
}

interface Page {
  status: number;
  text: string;
  type?: string;
}

async function answer(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  pages: Readonly<Record<string, () => Promise<Page>>>,
): Promise<void> {
  const isRead = method === 'GET' || method === 'HEAD';
  const page = Object.hasOwn(pages, url) ? pages[url] : undefined;
  const nothing: Page = isRead ? { status: 404, text: 'Not found.\n' } : { status: 405, text: 'Only GET.\n' };
  write({ method }, response, isRead && page !== undefined ? await page() : nothing);
}

function write(
  { method }: Pick<IncomingMessage, 'method'>,
  response: ServerResponse,
  { status, text, type = 'text/plain; charset=utf-8' }: Page,
): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  response.end(method === 'HEAD' ? '' : text);
}
