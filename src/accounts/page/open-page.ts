/** A page on loopback where a person enters an account's secrets, so that they never pass through the assistant. */

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { CancelledError } from '../../base/errors.ts';
import type { Region } from '../../service/facts/regions.ts';
import { listen, pageHeaders, type Refusal, readForm, refuseRequest, serverLimits } from './page-server.ts';
import { type PageFrame, renderBusy } from './render.ts';
import {
  type Answer,
  answerSubmission,
  type PageState,
  renderState,
  type SubmissionSteps,
} from './submission.ts';

/** From the last time that it was offered: a person who has to look for the values first is not cut off. */
export const PAGE_LIFETIME_MS = 900_000;

/** How a page ended: `saved` as soon as the credentials are stored, whatever the person did about the ids. */
export type PageEnd = 'saved' | 'expired' | 'cancelled';

export interface CredentialsPageOptions extends SubmissionSteps {
  account: string;
  /** Chosen beforehand in the form; the person can change it. */
  region?: Region;
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

const REQUEST_TIMEOUT_MS = 15_000;

/** @throws CancelledError when `signal` has aborted or aborts before the page is open */
export async function openCredentialsPage(options: CredentialsPageOptions): Promise<CredentialsPage> {
  const { signal } = options;
  if (signal.aborted) throw new CancelledError('The credentials page was cancelled before it opened');
  const page = new CredentialsPage(options);
  const close = () => page.close();
  signal.addEventListener('abort', close, { once: true });
  void page.done.finally(() => signal.removeEventListener('abort', close));
  await page.open();
  return page;
}

/** Guards the order of things: one submission at a time, one end, nothing after it. */
export class CredentialsPage {
  /** Settles once, after the last socket is closed; never rejects. */
  readonly done: Promise<PageEnd>;
  /** True once somebody has loaded it. */
  isVisited = false;
  #resolve: (end: PageEnd) => void = () => {};
  #end: PageEnd | undefined;
  #busy = false;
  #expired = false;
  #closesAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #host = '';
  readonly #aborter = new AbortController();
  readonly #path = `/${randomBytes(32).toString('base64url')}`;
  readonly #csrfToken = randomBytes(32).toString('base64url');
  readonly #state: PageState = { shown: {}, kept: {} };
  readonly #server: Server;
  readonly #options: CredentialsPageOptions;

  constructor(options: CredentialsPageOptions) {
    this.#server = createServer(serverLimits(options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS));
    this.#options = options;
    if (options.region !== undefined) this.#state.shown = { region: options.region };
    this.done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#server.on('request', (request, response) => void this.#answer(request, response));
    this.renew();
  }

  /** Address with the one-time path; whoever has it can use the page. */
  get url(): string {
    return `http://${this.#host}${this.#path}`;
  }

  /** False from the moment that it ends; an ended page is never offered again. */
  get isOpen(): boolean {
    return this.#end === undefined;
  }

  /** True once the credentials are stored, also while the page still asks for more. */
  get isStored(): boolean {
    return this.#state.stored !== undefined;
  }

  /** Local time at which it closes as things stand: `14:32`. */
  get closesAt(): string {
    return new Date(this.#closesAt).toTimeString().slice(0, 5);
  }

  /** It is offered again: its time begins anew. A submission under way may still finish after the time. */
  renew(): void {
    if (!this.isOpen) return;
    const { lifetimeMs = PAGE_LIFETIME_MS, now = Date.now } = this.#options;
    this.#expired = false;
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
    throw new CancelledError('The credentials page was closed before it opened');
  }

  #expire(): void {
    this.#expired = true;
    if (!this.#busy) this.#finish('expired');
  }

  close(): void {
    this.#finish('cancelled');
  }

  #finish(end: PageEnd): void {
    if (this.#end !== undefined) return;
    this.#end = this.isStored ? 'saved' : end;
    clearTimeout(this.#timer);
    this.#aborter.abort();
    this.#state.kept = {};
    // Closing a server that is about to listen would leave it half open: `open` does it then.
    if (this.#server.listening) this.#shut(this.#end);
  }

  #shut(end: PageEnd): void {
    this.#server.close(() => this.#resolve(end));
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A sender who goes away is no failure of ours.
    response.on('error', () => {});
    const refusal = refuseRequest(request, { host: this.#host, path: this.#path });
    if (refusal !== undefined) return this.#refuse(response, refusal);
    if (request.method !== 'POST') {
      this.isVisited = true;
      return this.#send(response, 200, 'text/html', renderState(this.#frame(), this.#state));
    }
    const form = await readForm(request).catch(() => undefined);
    if (form === undefined) return void response.destroy();
    if ('refusal' in form) return this.#refuse(response, form.refusal);
    if (this.#busy) return this.#send(response, 409, 'text/html', renderBusy());
    await this.#submit(response, form.fields);
  }

  #frame(): PageFrame {
    const { account, service } = this.#options;
    return {
      account,
      path: this.#path,
      csrfToken: this.#csrfToken,
      closesAt: this.closesAt,
      service,
    };
  }

  async #submit(response: ServerResponse, fields: Readonly<Record<string, string>>): Promise<void> {
    this.#busy = true;
    const answer = await answerSubmission(fields, {
      frame: this.#frame(),
      steps: this.#options,
      state: this.#state,
      signal: this.#aborter.signal,
    });
    // After the last step the page stays shut to others until it is closed.
    this.#busy = answer.isEnd;
    response.once('close', () => this.#afterAnswer(answer));
    if (response.destroyed) this.#afterAnswer(answer);
    else this.#send(response, answer.status, answer.type, answer.body);
  }

  #afterAnswer(answer: Answer): void {
    if (answer.isEnd) this.#finish('saved');
    else if (this.#expired) this.#finish('expired');
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
