/** A page for the person on loopback: an address that opens it once, by a button, for the cookie that it is shown to. */

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

/** Longest time for the headers of a request to arrive: a browser sends them at once, in one piece. */
export const HEADERS_TIMEOUT_MS = 2_000;

/** How often Node looks who is too slow: how much longer than allowed a connection can last. */
const CHECK_INTERVAL_MS = 250;

/** Open connections at a time, of which a browser needs a handful. */
export const MAX_CONNECTIONS = 256;

const REQUEST_TIMEOUT_MS = 15_000;

/** Far more than six fields of 4,096 characters, percent-encoded, can need in earnest. */
const LONGEST_BODY = 65_536;

/** What came with the cookie of the page, from the page itself. */
export interface PageRequest {
  method: 'GET' | 'POST';
  /** Empty for the page itself; else what its script reads or sends: `rows`. */
  name: string;
  query: URLSearchParams;
  /** Of a posted form. */
  fields: Readonly<Record<string, string>>;
  /** Of a posted JSON text; whoever reads it checks it. */
  json: unknown;
  /** Of the page: what is under way is given up when it aborts. */
  signal: AbortSignal;
  /** Where a form of the page posts to. */
  path: string;
}

export interface PageAnswer {
  status: number;
  type: 'text/html' | 'text/plain' | 'application/json';
  body: string;
  /** True when nothing is left to do on the page: it ends once this was sent. */
  isEnd?: boolean;
}

export const jsonAnswer = (value: unknown): PageAnswer => ({
  status: 200,
  type: 'application/json',
  body: JSON.stringify(value),
});

export interface PageOptions {
  /** What is seen of the page before its button is pressed, by whoever has the address: nothing of what it is about. */
  door: { title: string; text: string; button: string };
  /** What the page may do beside being read (`contentSecurityPolicy`). */
  policy: string;
  /** May take its time; throws nothing. Called for one request after the other or at once, as they come. */
  answer(request: PageRequest): PageAnswer | Promise<PageAnswer>;
  /** Closes the page. */
  signal: AbortSignal;
  /** From the last `renew`; as long as `signal` where it is left out. */
  lifetimeMs?: number | undefined;
  /** Milliseconds since the epoch. */
  now?: (() => number) | undefined;
  /** Longest time for one request to arrive, in milliseconds. */
  requestTimeoutMs?: number | undefined;
}

/** `done`: an answer was the last. An answer under way when the time is over is still given, and may be the last. */
export type PageEnd = 'done' | 'expired' | 'cancelled';

/** @throws CancelledError when `signal` has aborted or aborts before the page is open */
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

/** Where the page is for whoever came in by an address: a path and a cookie, which go with the next who comes in. */
interface Room {
  path: string;
  cookie: string;
}

/** Guards who is let in, and that nothing is answered after the end. */
export class OpenPage {
  /** Settles once, after the last socket is closed; never rejects. */
  readonly done: Promise<PageEnd>;
  /** True once somebody has opened it. */
  isVisited = false;
  #resolve: (end: PageEnd) => void = () => {};
  #end: PageEnd | undefined;
  #answering = 0;
  #isExpired = false;
  #closesAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #host = '';
  /** The way in that was not used yet, if any. */
  #door: string | undefined;
  /** Ways in that were used: they are told from paths that never were. */
  readonly #used: string[] = [];
  #room: Room | undefined;
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

  /** Opens the page once; another one when the last was used. Who comes in by it turns out who came before. */
  get url(): string {
    this.#door ??= secretPath();
    return `http://${this.#host}${this.#door}`;
  }

  /** False from the moment that it ends. */
  get isOpen(): boolean {
    return this.#end === undefined;
  }

  /** Local time at which it closes as things stand: `14:32`. */
  get closesAt(): string {
    return new Date(this.#closesAt).toTimeString().slice(0, 5);
  }

  /** Its time begins anew. */
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

  #finish(end: PageEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    clearTimeout(this.#timer);
    this.#closing.abort();
    // Closing a server that is about to listen would leave it half open: `open` does it then.
    if (this.#server.listening) this.#shut(end);
  }

  #shut(end: PageEnd): void {
    this.#server.close(() => this.#resolve(end));
    this.#server.closeAllConnections();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A sender who goes away is no failure of ours.
    response.on('error', () => {});
    const { pathname, query } = splitTarget(request.url ?? '');
    const refusal = refuseRequest(request, this.#host) ?? this.#refusePath(request, pathname);
    if (refusal !== undefined) return this.#refuse(response, refusal);
    const body = request.method === 'POST' ? await readBody(request).catch(() => undefined) : NO_BODY;
    if (body === undefined) return void response.destroy();
    if ('refusal' in body) return this.#refuse(response, body.refusal);
    if (isSame(pathname, this.#door)) return this.#atDoor(request, response, pathname);
    // Somebody may have come in by another address while the body was on its way.
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

  #refusePath(request: IncomingMessage, pathname: string): Refusal | undefined {
    if (isSame(pathname, this.#door)) {
      return request.method === 'POST' ? undefined : refuseUse(request, 'document');
    }
    if (this.#used.some((one) => isSame(pathname, one))) return USED;
    const room = this.#room;
    // Compared up to the room's own length: what follows is no secret.
    if (room === undefined || !isSame(pathname.slice(0, room.path.length), room.path)) return NOT_FOUND;
    if (!cookiesOf(request).some((cookie) => isSame(cookie, room.cookie))) return OTHER_BROWSER;
    if (request.method === 'POST') return undefined;
    return refuseUse(request, pathname.length === room.path.length ? 'document' : 'empty');
  }

  /** The button's page, and what the button does. A link preview, a prefetch or a scanner only ever gets the first. */
  #atDoor(request: IncomingMessage, response: ServerResponse, door: string): void {
    if (request.method !== 'POST') {
      const body = renderDoor(this.#options.door, door);
      this.#send(response, { status: 200, type: 'text/html', body }, DOOR);
      return;
    }
    this.#door = undefined;
    this.#used.push(door);
    const room = { path: `${secretPath()}/`, cookie: secretText() };
    this.#room = room;
    this.isVisited = true;
    response.setHeader(
      'Set-Cookie',
      `${COOKIE}=${room.cookie}; HttpOnly; SameSite=Strict; Path=${room.path}`,
    );
    response.setHeader('Location', room.path);
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

  #refuse(response: ServerResponse, { status, text, headers = {} }: Refusal): void {
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
  // One answer per connection: no socket outlives the page.
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

// Secrets of one page.

/** No two pages share a path, so that one name is enough: cookies are of the host, whatever its port. */
const COOKIE = 'page';

const secretText = () => randomBytes(32).toString('base64url');
const secretPath = () => `/${secretText()}`;

/** All of the name: another server of this machine may have set one too. */
function cookiesOf({ headers }: IncomingMessage): string[] {
  return (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${COOKIE}=`))
    .map((pair) => pair.slice(COOKIE.length + 1));
}

/** Compares without telling by its time how much was right. */
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

// Who is turned away, as plain text for whoever sent it.

interface Refusal {
  status: number;
  text: string;
  headers?: Readonly<Record<string, string>>;
}

const NOT_FOUND: Refusal = { status: 404, text: 'Not found.' };
const USED: Refusal = {
  status: 410,
  text: 'This address was used: it opens the page once, in one browser. If that was not you, ask for a new address: it closes the page for whoever has it open.',
};
const OTHER_BROWSER: Refusal = {
  status: 403,
  text: 'This page is open in the browser that its address was opened in.',
};
const GONE: Refusal = { status: 409, text: 'This page was opened anew, by another address.' };

/** Checks all that can be known before path and body. */
function refuseRequest(request: IncomingMessage, host: string): Refusal | undefined {
  // Two Host headers: Node keeps the first; what stands before us might have judged the second.
  if (request.headersDistinct.host?.length !== 1 || request.headers.host !== host) {
    return { status: 421, text: 'This address is not served here.' };
  }
  const { method } = request;
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (method === 'POST') return refuseCrossSite(request, host) ?? refuseBody(request);
  return { status: 405, text: 'Only GET and POST.', headers: { Allow: 'GET, HEAD, POST' } };
}

/** A page is opened as a page, never inside another one or as a script; what it reads, by its own script only. */
function refuseUse({ headers }: IncomingMessage, expected: 'document' | 'empty'): Refusal | undefined {
  const use = headers['sec-fetch-dest'];
  const site = headers['sec-fetch-site'];
  const isOwn = expected === 'document' || site === undefined || site === 'same-origin';
  if ((use === undefined || use === expected) && isOwn) return undefined;
  return { status: 403, text: 'Open this page by its address.' };
}

/**
 * Under `Referrer-Policy: no-referrer` browsers send `Origin: null` even from the page's own form. It is believed
 * only together with `Sec-Fetch-Site: same-origin`, which no page can set.
 */
function refuseCrossSite({ headers }: IncomingMessage, host: string): Refusal | undefined {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  const own = origin === `http://${host}` || (origin === 'null' && site === 'same-origin');
  if (own && (site === undefined || site === 'same-origin')) return undefined;
  return { status: 403, text: 'This form can be sent from its own page only.' };
}

const FORM = 'application/x-www-form-urlencoded';
const JSON_TEXT = 'application/json';

const typeOf = ({ headers }: IncomingMessage) => headers['content-type']?.split(';')[0]?.trim().toLowerCase();

function refuseBody(request: IncomingMessage): Refusal | undefined {
  const type = typeOf(request);
  const plain = request.headers['content-encoding'] === undefined;
  if ((type === FORM || type === JSON_TEXT) && plain) return undefined;
  return { status: 415, text: 'A form is expected.' };
}

const NO_BODY = { fields: {}, json: undefined };

type PostedBody = Pick<PageRequest, 'fields' | 'json'> | { refusal: Refusal };

/** @throws Error when the sender goes away before the end. */
async function readBody(request: IncomingMessage): Promise<PostedBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop must not cut the connection: the refusal still has to go out.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > LONGEST_BODY)
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
  // With no prototype to reach.
  return { fields: Object.fromEntries(fields), json: undefined };
}

function parseJson(text: string): PostedBody {
  try {
    return { fields: {}, json: JSON.parse(text) };
  } catch {
    return { refusal: { status: 400, text: 'That is no JSON.' } };
  }
}

// Limits: whoever else uses the machine may connect, and the person is served all the same.

/** A person's browser sends a small form within moments; whoever is slower or bigger is cut off. */
function serverLimits(requestTimeoutMs: number): ServerOptions {
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
function listen(server: Server): Promise<number> {
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
