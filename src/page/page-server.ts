/**
 * Serves a page for the user on loopback. Its address opens it once, by a button, and a cookie binds it to
 * that browser.
 */

import { randomBytes, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { CancelledError } from '../base/errors.ts';
import { contentSecurityPolicy, html, keyIcon, renderDocument } from './document.ts';

/** The maximum time for the headers of a request to arrive; a browser sends them at once, in one piece. */
export const HEADERS_TIMEOUT_MS = 2_000;

/** The interval at which Node checks for slow connections, by which one can exceed its limit. */
const CHECK_INTERVAL_MS = 250;

/** The maximum number of open connections; a browser needs a handful. */
export const MAX_CONNECTIONS = 256;

const REQUEST_TIMEOUT_MS = 15_000;

/** The maximum body size, far more than six percent-encoded fields of 4,096 characters need. */
const MAX_BODY_BYTES = 65_536;

/** A request from the page itself, with the page's cookie. */
export interface PageRequest {
  method: 'GET' | 'POST';
  /** Empty for the page itself; otherwise the resource that its script reads or sends: `rows`. */
  name: string;
  query: URLSearchParams;
  /** The fields of a posted form. */
  fields: Readonly<Record<string, string>>;
  /** The value of a posted JSON text, which the receiver has to validate. */
  json: unknown;
  /** Aborts when the page closes; work in progress is then abandoned. */
  signal: AbortSignal;
  /** The path that a form of the page posts to. */
  path: string;
}

export interface PageAnswer {
  status: number;
  type: 'text/html' | 'text/plain' | 'application/json';
  body: string;
  /** True when the page is finished: it ends once this answer was sent. */
  isEnd?: boolean;
}

export const jsonAnswer = (value: unknown): PageAnswer => ({
  status: 200,
  type: 'application/json',
  body: JSON.stringify(value),
});

export interface PageOptions {
  /**
   * The page that anyone with the address sees before its button is pressed; it reveals nothing about the
   * content.
   */
  door: { title: string; text: string; button: string };
  /** The content security policy of the page (`contentSecurityPolicy`). */
  policy: string;
  /** Answers a request. It may take long and must not throw; calls may be concurrent. */
  answer(request: PageRequest): PageAnswer | Promise<PageAnswer>;
  /** Closes the page. */
  signal: AbortSignal;
  /** The lifetime since the last `renew`; by default until `signal` aborts. */
  lifetimeMs?: number | undefined;
  /** Milliseconds since the epoch. */
  now?: (() => number) | undefined;
  /** The maximum time for one request to arrive, in milliseconds. */
  requestTimeoutMs?: number | undefined;
}

/**
 * The outcome of a page. `done` means that an answer was the last. An answer in progress at expiry is still
 * sent, and may be the last.
 */
export type PageOutcome = 'done' | 'expired' | 'cancelled';

/**
 * Opens the page.
 * @throws CancelledError when `signal` has aborted or aborts before the page is open
 */
export async function openPage(options: PageOptions): Promise<OpenPage> {
  const { signal } = options;
  if (signal.aborted) throw new CancelledError('The page was cancelled before it opened');
  const page = new OpenPage(options);
  const close = () => page.close();
  signal.addEventListener('abort', close, { once: true });
  void page.done.finally(() => signal.removeEventListener('abort', close));
  await page.open();
  return page;
}

/** The path and cookie of the browser that opened the page, which the next browser to open it replaces. */
interface PageAccess {
  path: string;
  cookie: string;
}

/** Controls access to the page, and answers nothing after its end. */
export class OpenPage {
  /** Settles once, after the last socket is closed; never rejects. */
  readonly done: Promise<PageOutcome>;
  /** True after the page was opened for the first time. */
  isVisited = false;
  #resolve: (end: PageOutcome) => void = () => {};
  #end: PageOutcome | undefined;
  #answering = 0;
  #isExpired = false;
  #closesAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #host = '';
  /** The path that opens the page and was not used yet, if any. */
  #door: string | undefined;
  /** The used paths, which get another answer than unknown ones. */
  readonly #used: string[] = [];
  #room: PageAccess | undefined;
  readonly #closing = new AbortController();
  readonly #server: Server;
  readonly #options: PageOptions;

  constructor(options: PageOptions) {
    this.#options = options;
    this.#server = createServer(serverLimits(options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS));
    this.done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#server.on('request', (request, response) => void this.#take(request, response));
    this.renew();
  }

  /**
   * The address that opens the page once; a new one after it was used. Opening it ends the access of the
   * previous browser.
   */
  get url(): string {
    this.#door ??= secretPath();
    return `http://${this.#host}${this.#door}`;
  }

  /** False once it has ended. */
  get isOpen(): boolean {
    return this.#end === undefined;
  }

  /** The local time at which it currently closes: `14:32`. */
  get closesAt(): string {
    return new Date(this.#closesAt).toTimeString().slice(0, 5);
  }

  /** Restarts its lifetime. */
  renew(): void {
    const { lifetimeMs, now = Date.now } = this.#options;
    if (!this.isOpen || lifetimeMs === undefined) return;
    this.#isExpired = false;
    this.#closesAt = now() + lifetimeMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#expire(), lifetimeMs);
  }

  async open(): Promise<void> {
    try {
      this.#host = `127.0.0.1:${await listen(this.#server)}`;
    } catch (error) {
      this.close();
      this.#resolve('cancelled');
      throw error;
    }
    if (this.#end === undefined) return;
    this.#shut(this.#end);
    throw new CancelledError('The page was closed before it opened');
  }

  close(): void {
    this.#finish('cancelled');
  }

  #expire(): void {
    this.#isExpired = true;
    if (this.#answering === 0) this.#finish('expired');
  }

  #finish(end: PageOutcome): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    clearTimeout(this.#timer);
    this.#closing.abort();
    // Closing a server that is about to listen would leave it half open, so `open` closes it then.
    if (this.#server.listening) this.#shut(end);
  }

  #shut(end: PageOutcome): void {
    this.#server.close(() => this.#resolve(end));
    this.#server.closeAllConnections();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A client that disconnects is no failure of ours.
    response.on('error', () => {});
    const { pathname, query } = splitTarget(request.url ?? '');
    const refusal = refuseRequest(request, this.#host) ?? this.#refusePath(request, pathname);
    if (refusal !== undefined) return this.#refuse(response, refusal);
    const body = request.method === 'POST' ? await readBody(request).catch(() => undefined) : NO_BODY;
    if (body === undefined) return void response.destroy();
    if ('refusal' in body) return this.#refuse(response, body.refusal);
    if (isSame(pathname, this.#door)) return this.#atDoor(request, response, pathname);
    // Another browser may have opened the page while the body arrived.
    if (this.#room === undefined || !pathname.startsWith(this.#room.path))
      return this.#refuse(response, GONE);
    const { path } = this.#room;
    await this.#inside(response, {
      method: request.method === 'POST' ? 'POST' : 'GET',
      name: pathname.slice(path.length),
      query,
      ...body,
      signal: this.#closing.signal,
      path,
    });
  }

  #refusePath(request: IncomingMessage, pathname: string): PageRefusal | undefined {
    if (isSame(pathname, this.#door)) {
      return request.method === 'POST' ? undefined : refuseUse(request, 'document');
    }
    if (this.#used.some((one) => isSame(pathname, one))) return USED;
    const access = this.#room;
    // The comparison ends at the room's own length, because the rest of the path is no secret.
    if (access === undefined || !isSame(pathname.slice(0, access.path.length), access.path)) return NOT_FOUND;
    if (!cookiesOf(request).some((cookie) => isSame(cookie, access.cookie))) return OTHER_BROWSER;
    if (request.method === 'POST') return undefined;
    return refuseUse(request, pathname.length === access.path.length ? 'document' : 'empty');
  }

  /**
   * Answers with the button's page or handles its click. A link preview, a prefetch or a scanner only gets
   * the former.
   */
  #atDoor(request: IncomingMessage, response: ServerResponse, door: string): void {
    if (request.method !== 'POST') {
      const body = renderDoor(this.#options.door, door);
      this.#send(response, { status: 200, type: 'text/html', body }, DOOR);
      return;
    }
    this.#door = undefined;
    this.#used.push(door);
    const access = { path: `${secretPath()}/`, cookie: secretText() };
    this.#room = access;
    this.isVisited = true;
    response.setHeader(
      'Set-Cookie',
      `${COOKIE}=${access.cookie}; HttpOnly; SameSite=Strict; Path=${access.path}`,
    );
    response.setHeader('Location', access.path);
    this.#send(response, { status: 303, type: 'text/plain', body: 'It opens.\n' });
  }

  async #inside(response: ServerResponse, request: PageRequest): Promise<void> {
    this.#answering += 1;
    const answer = await this.#options.answer(request);
    const after = () => {
      this.#answering -= 1;
      if (answer.isEnd) this.#finish('done');
      else if (this.#isExpired && this.#answering === 0) this.#finish('expired');
    };
    response.once('close', after);
    if (response.destroyed) {
      response.off('close', after);
      after();
    } else this.#send(response, answer);
  }

  #refuse(response: ServerResponse, { status, text, headers = {} }: PageRefusal): void {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    this.#send(response, { status, type: 'text/plain', body: `${text}\n` });
  }

  #send(response: ServerResponse, { status, type, body }: PageAnswer, policy = this.#options.policy): void {
    response.writeHead(status, {
      ...HEADERS,
      'Content-Security-Policy': policy,
      'Content-Type': `${type}; charset=utf-8`,
    });
    response.end(body);
  }
}

const HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Each connection carries one answer, so that no socket outlives the page.
  Connection: 'close',
} as const;

const DOOR = contentSecurityPolicy({});

function renderDoor({ title, text, button }: PageOptions['door'], door: string): string {
  return renderDocument(
    title,
    html`<header>${keyIcon()}<h1>${title}</h1></header>
<p>${text}</p>
<form method="post" action="${door}"><button type="submit" autofocus>${button}</button></form>
<footer>seller-commerce-mcp, on your own computer. This address opens the page once, in this browser.</footer>`,
  );
}

// Path and cookie are the secrets of one page.

/**
 * The cookie name. One name suffices because no two pages share a path; cookies belong to the host, whatever
 * its port.
 */
const COOKIE = 'page';

const secretText = () => randomBytes(32).toString('base64url');
const secretPath = () => `/${secretText()}`;

/** Returns all cookies of this name, because another server of this machine may have set one too. */
function cookiesOf({ headers }: IncomingMessage): string[] {
  return (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${COOKIE}=`))
    .map((pair) => pair.slice(COOKIE.length + 1));
}

/** Compares in constant time, so that the time does not reveal a partial match. */
function isSame(given: string, expected: string | undefined): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected ?? '');
  return expected !== undefined && a.length === b.length && timingSafeEqual(a, b);
}

function splitTarget(target: string): { pathname: string; query: URLSearchParams } {
  const at = target.indexOf('?');
  if (at < 0) return { pathname: target, query: new URLSearchParams() };
  return { pathname: target.slice(0, at), query: new URLSearchParams(target.slice(at)) };
}

// Refusals are plain text for the sender.

interface PageRefusal {
  status: number;
  text: string;
  headers?: Readonly<Record<string, string>>;
}

const NOT_FOUND: PageRefusal = { status: 404, text: 'Not found.' };
const USED: PageRefusal = {
  status: 410,
  text: 'This address was used: it opens the page once, in one browser. If that was not you, ask for a new address: it closes the page for whoever has it open.',
};
const OTHER_BROWSER: PageRefusal = {
  status: 403,
  text: 'This page is open in the browser that its address was opened in.',
};
const GONE: PageRefusal = { status: 409, text: 'This page was opened anew, by another address.' };

/** Checks the request before its path and body. */
function refuseRequest(request: IncomingMessage, host: string): PageRefusal | undefined {
  // Node uses the first of two Host headers, but a proxy in front may have checked the second.
  if (request.headersDistinct.host?.length !== 1 || request.headers.host !== host) {
    return { status: 421, text: 'This address is not served here.' };
  }
  const { method } = request;
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (method === 'POST') return refuseCrossSite(request, host) ?? refuseBody(request);
  return { status: 405, text: 'Only GET and POST.', headers: { Allow: 'GET, HEAD, POST' } };
}

/**
 * Allows the page only as a document, never in a frame or as a script, and its data only for its own script.
 */
function refuseUse({ headers }: IncomingMessage, expected: 'document' | 'empty'): PageRefusal | undefined {
  const use = headers['sec-fetch-dest'];
  const site = headers['sec-fetch-site'];
  const isOwn = expected === 'document' || site === undefined || site === 'same-origin';
  if ((use === undefined || use === expected) && isOwn) return undefined;
  return { status: 403, text: 'Open this page by its address.' };
}

/**
 * Refuses posts from other sites. Under `Referrer-Policy: no-referrer` browsers send `Origin: null` even from
 * the page's own form. That is accepted only with `Sec-Fetch-Site: same-origin`, which no page can set.
 */
function refuseCrossSite({ headers }: IncomingMessage, host: string): PageRefusal | undefined {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  const own = origin === `http://${host}` || (origin === 'null' && site === 'same-origin');
  if (own && (site === undefined || site === 'same-origin')) return undefined;
  return { status: 403, text: 'This form can be sent from its own page only.' };
}

const FORM = 'application/x-www-form-urlencoded';
const JSON_TEXT = 'application/json';

const typeOf = ({ headers }: IncomingMessage) => headers['content-type']?.split(';')[0]?.trim().toLowerCase();

function refuseBody(request: IncomingMessage): PageRefusal | undefined {
  const type = typeOf(request);
  const plain = request.headers['content-encoding'] === undefined;
  if ((type === FORM || type === JSON_TEXT) && plain) return undefined;
  return { status: 415, text: 'A form is expected.' };
}

const NO_BODY = { fields: {}, json: undefined };

type PostedBody = Pick<PageRequest, 'fields' | 'json'> | { refusal: PageRefusal };

/**
 * Reads the body.
 * @throws Error when the sender disconnects before the end.
 */
async function readBody(request: IncomingMessage): Promise<PostedBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop must not close the connection, because the refusal still has to be sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BODY_BYTES)
      return { refusal: { status: 413, text: 'That is more than the form can hold.' } };
    chunks.push(bytes);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return typeOf(request) === JSON_TEXT ? parseJson(text) : parseForm(text);
}

function parseForm(text: string): PostedBody {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) return { refusal: { status: 400, text: 'The form holds a field twice.' } };
    fields.set(name, value);
  }
  // The object has no reachable prototype members.
  return { fields: Object.fromEntries(fields), json: undefined };
}

function parseJson(text: string): PostedBody {
  try {
    return { fields: {}, json: JSON.parse(text) };
  } catch {
    return { refusal: { status: 400, text: 'That is no JSON.' } };
  }
}

// Other users of the machine may connect, so limits ensure that the user is still served.

/**
 * Returns the server's limits. A browser sends a small form within moments; slower or larger requests are cut
 * off.
 */
function serverLimits(requestTimeoutMs: number): ServerOptions {
  return {
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
    connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, requestTimeoutMs),
    maxHeaderSize: 16_384,
  };
}

/**
 * Limits the connections by closing the one that has owed its headers for longest, because other users of the
 * machine may connect. Node's own `maxConnections` would refuse the newest instead.
 */
function limitConnections(server: Server): void {
  const open = new Set<Socket>();
  // The set is in order of arrival.
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
    // It is forgotten at once, because more may connect before its `close` event.
    forget(oldest);
    oldest.destroy();
  });
  server.on('request', ({ socket }: IncomingMessage) => void withoutHeaders.delete(socket));
}

/** Listens on a port of 127.0.0.1 that the system chooses. */
function listen(server: Server): Promise<number> {
  limitConnections(server);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject);
      // Accepting a connection can fail later too (too many open files); the page then does not answer.
      server.on('error', () => {});
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('no port'));
      else resolve(address.port);
    });
  });
}
