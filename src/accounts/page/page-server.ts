/** The page's HTTP side: limits, which requests are let in, the form they bring, and the headers of every answer. */

import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { accountInputSchema } from '../account-input.ts';
import { buildContentSecurityPolicy } from './document.ts';

/** Longest time for the headers of a request to arrive: a browser sends them at once, in one piece. */
export const HEADERS_TIMEOUT_MS = 2_000;

/** How often Node looks who is too slow: how much longer than allowed a connection can last. */
const CHECK_INTERVAL_MS = 250;

/** Open connections at a time, of which a browser needs a handful. */
export const MAX_CONNECTIONS = 256;

/** A person's browser sends a small form within moments; whoever is slower or bigger is cut off. */
export function serverLimits(requestTimeoutMs: number): ServerOptions {
  return {
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
    connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, requestTimeoutMs),
    maxHeaderSize: 16_384,
  };
}

/**
 * Keeps room for a person while any other user of the machine may connect: where there are too many connections, the
 * one goes that has owed its headers for longest. Node's own `maxConnections` would turn away whoever comes last.
 */
function makeRoom(server: Server): void {
  const open = new Set<Socket>();
  // In the order in which they came.
  const withoutHeaders = new Set<Socket>();
  const forget = (socket: Socket) => {
    open.delete(socket);
    withoutHeaders.delete(socket);
  };
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    withoutHeaders.add(socket);
    socket.once('close', () => forget(socket));
    if (open.size <= MAX_CONNECTIONS) return;
    const [oldest = socket] = withoutHeaders;
    // Now, since more may connect before its `close`.
    forget(oldest);
    oldest.destroy();
  });
  server.on('request', ({ socket }: IncomingMessage) => void withoutHeaders.delete(socket));
}

/** Port of its own on 127.0.0.1, chosen by the system. */
export function listen(server: Server): Promise<number> {
  makeRoom(server);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject);
      // Accepting can fail later too (too many open files); the page then simply does not answer.
      server.on('error', () => {});
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('no port'));
      else resolve(address.port);
    });
  });
}

export function pageHeaders(): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': buildContentSecurityPolicy(),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // One answer per connection: no socket outlives the page.
    Connection: 'close',
  };
}

/** Why a request is turned away, as plain text for whoever sent it. */
export interface Refusal {
  status: number;
  text: string;
  headers?: Readonly<Record<string, string>>;
}

/** What a request is held against. */
export interface Expected {
  /** `127.0.0.1:PORT`; a name in its place would be a rebinding attempt. */
  host: string;
  path: string;
}

const notFound: Refusal = { status: 404, text: 'Not found.' };

/** Checks all that can be known before the body; undefined when the request may go on. */
export function refuseRequest(request: IncomingMessage, expected: Expected): Refusal | undefined {
  // Two Host headers: Node keeps the first; what stands before us might have judged the second.
  if (request.headersDistinct.host?.length !== 1 || request.headers.host !== expected.host) {
    return { status: 421, text: 'This address is not served here.' };
  }
  if (!sameText(request.url ?? '', expected.path)) return notFound;
  const { method } = request;
  if (method === 'GET' || method === 'HEAD') return refuseView(request);
  if (method === 'POST') return refuseCrossSite(request, expected) ?? refuseBody(request);
  return { status: 405, text: 'Only GET and POST.', headers: { Allow: 'GET, HEAD, POST' } };
}

/** The page is opened as a page, never inside another one or as a script, image or fetch. */
function refuseView(request: IncomingMessage): Refusal | undefined {
  const use = request.headers['sec-fetch-dest'];
  if (use === undefined || use === 'document') return undefined;
  return { status: 403, text: 'Open this page by its address.' };
}

/**
 * Under `Referrer-Policy: no-referrer` browsers send `Origin: null` even from the page's own form. It is believed
 * only together with `Sec-Fetch-Site: same-origin`, which no page can set.
 */
function refuseCrossSite(request: IncomingMessage, expected: Expected): Refusal | undefined {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const own = origin === `http://${expected.host}` || (origin === 'null' && site === 'same-origin');
  if (own && (site === undefined || site === 'same-origin')) return undefined;
  return { status: 403, text: 'This form can be sent from its own page only.' };
}

function refuseBody(request: IncomingMessage): Refusal | undefined {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const plain = request.headers['content-encoding'] === undefined;
  if (type === 'application/x-www-form-urlencoded' && plain) return undefined;
  return { status: 415, text: 'A form is expected.' };
}

/** Compares without telling by its time how much was right. */
export function sameText(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Far more than six fields of 4,096 characters, percent-encoded, can need in earnest. */
export const longestBody = 65_536;

const known = new Set(['csrfToken', ...Object.keys(accountInputSchema.shape), 'step', 'withoutSellerId']);

export type PostedForm = { fields: Readonly<Record<string, string>> } | { refusal: Refusal };

/** @throws Error when the sender goes away before the end. */
export async function readForm(request: IncomingMessage): Promise<PostedForm> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop must not cut the connection: the refusal still has to go out.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > longestBody) return { refusal: { status: 413, text: 'That is more than the form can hold.' } };
    chunks.push(bytes);
  }
  return parseForm(Buffer.concat(chunks).toString('utf8'));
}

function parseForm(body: string): PostedForm {
  const fields: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(body)) {
    if (!known.has(name) || name in fields) {
      return { refusal: { status: 400, text: 'The form holds a field twice or one that is not asked for.' } };
    }
    fields[name] = value;
  }
  return { fields };
}
