/** A page on loopback where a person enters an account's secrets, so that they never pass through the assistant. */

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { CancelledError } from '../../errors.ts';
import { readForm } from './read-form.ts';
import { type PageFrame, renderBusy, renderForm } from './render.ts';
import { type Refusal, refuseRequest } from './request-checks.ts';
import { listen, pageHeaders, serverLimits } from './server.ts';
import { type Answer, answerSubmission, type SubmissionSteps } from './submission.ts';
import type { PageEnd } from './wait-for-credentials.ts';

export interface CredentialsPageOptions extends SubmissionSteps {
  account: string;
  /** Chosen beforehand in the form; the person can change it. */
  region?: 'na' | 'eu' | 'fe';
  /** Host of the service when the settings fix its address: no region is asked then. */
  service?: string;
  /** Closes the page: the end of the server, not of one tool call. */
  signal: AbortSignal;
  lifetimeMs?: number;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Longest time for one request to arrive, in milliseconds. */
  requestTimeoutMs?: number;
}

export interface CredentialsPage {
  /** Address with the one-time path; whoever has it can use the page. */
  url: string;
  /** Settles once, after the last socket is closed; never rejects. */
  done: Promise<PageEnd>;
  close(): void;
}

/** One page per account and process: a newer one closes the older. */
const openPages = new Map<string, () => void>();

/** @throws CancelledError when `signal` has aborted, or the page was replaced before it was open */
export async function openCredentialsPage(options: CredentialsPageOptions): Promise<CredentialsPage> {
  const { account, signal, lifetimeMs = 300_000, now = Date.now, requestTimeoutMs = 15_000 } = options;
  if (signal.aborted) throw new CancelledError('The credentials page was cancelled before it opened');
  const page = new OpenPage(createServer(serverLimits(requestTimeoutMs)), options, now() + lifetimeMs);
  openPages.get(account)?.();
  const close = () => page.end('cancelled');
  openPages.set(account, close);
  signal.addEventListener('abort', close, { once: true });
  const timer = setTimeout(() => page.expire(), lifetimeMs);
  const done = page.done.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', close);
    if (openPages.get(account) === close) openPages.delete(account);
  });
  return { url: await page.open(), done, close };
}

/** Guards the order of things: one submission at a time, one end, nothing after it. */
class OpenPage {
  readonly done: Promise<PageEnd>;
  #resolve: (end: PageEnd) => void = () => {};
  #end: PageEnd | undefined;
  #busy = false;
  #expired = false;
  #host = '';
  readonly #aborter = new AbortController();
  readonly #frame: PageFrame;
  readonly #server: Server;
  readonly #options: CredentialsPageOptions;

  constructor(server: Server, options: CredentialsPageOptions, closesAt: number) {
    this.#server = server;
    this.#options = options;
    this.#frame = {
      account: options.account,
      path: `/${randomBytes(32).toString('base64url')}`,
      csrfToken: randomBytes(32).toString('base64url'),
      closesAt: new Date(closesAt).toTimeString().slice(0, 5),
      service: options.service,
      verifies: options.verify !== undefined,
    };
    this.done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  async open(): Promise<string> {
    try {
      this.#host = `127.0.0.1:${await listen(this.#server)}`;
    } catch (error) {
      this.#resolve('cancelled');
      throw error;
    }
    if (this.#end === undefined) return `http://${this.#host}${this.#frame.path}`;
    this.#shut(this.#end);
    throw new CancelledError('The credentials page was closed before it opened');
  }

  /** A submission under way may still finish. */
  expire(): void {
    this.#expired = true;
    if (!this.#busy) this.end('expired');
  }

  end(end: PageEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#aborter.abort();
    // Closing a server that is about to listen would leave it half open: `open` does it then.
    if (this.#server.listening) this.#shut(end);
  }

  #shut(end: PageEnd): void {
    this.#server.close(() => this.#resolve(end));
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A sender who goes away is no failure of ours.
    response.on('error', () => {});
    const refusal = refuseRequest(request, { host: this.#host, path: this.#frame.path });
    if (refusal !== undefined) return this.#refuse(response, refusal);
    if (request.method !== 'POST') {
      return this.#send(
        response,
        200,
        'text/html',
        renderForm(this.#frame, { region: this.#options.region }),
      );
    }
    const form = await readForm(request).catch(() => undefined);
    if (form === undefined) return void response.destroy();
    if ('refusal' in form) return this.#refuse(response, form.refusal);
    if (this.#busy) return this.#send(response, 409, 'text/html', renderBusy());
    await this.#submit(response, form.fields);
  }

  async #submit(response: ServerResponse, fields: Readonly<Record<string, string>>): Promise<void> {
    this.#busy = true;
    const answer = await answerSubmission(fields, this.#frame, this.#options, this.#aborter.signal);
    // After a save the page stays shut to others until it is closed.
    this.#busy = answer.saved;
    response.once('close', () => this.#afterAnswer(answer));
    if (response.destroyed) this.#afterAnswer(answer);
    else this.#send(response, answer.status, answer.type, answer.body);
  }

  #afterAnswer(answer: Answer): void {
    if (answer.saved) this.end('saved');
    else if (this.#expired) this.end('expired');
  }

  #refuse(response: ServerResponse, { status, text, headers }: Refusal): void {
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
    this.#send(response, status, 'text/plain', `${text}\n`);
  }

  #send(response: ServerResponse, status: number, type: Answer['type'], body: string): void {
    response.writeHead(status, { ...pageHeaders(), 'Content-Type': `${type}; charset=utf-8` });
    response.end(body);
  }
}
