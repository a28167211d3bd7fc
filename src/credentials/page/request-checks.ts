/** What a request must look like before the page answers it: no rebinding, no framing, no cross-site post. */

import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

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
