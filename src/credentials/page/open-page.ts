/** A page on loopback where a person enters an account's secrets, so that they never pass through the assistant. */

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { CancelledError } from '../../errors.ts';
import { listen, pageHeaders, type Refusal, readForm, refuseRequest, serverLimits } from './page-server.ts';
import { type PageFrame, renderBusy, renderForm } from './render.ts';
import { type Answer, answerSubmission, type SubmissionSteps } from './submission.ts';

/** How a page ended. */
export type PageEnd = 'saved' | 'expired' | 'cancelled';

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

/** The pages that one owner has open, one per account: a newer one closes the older. */
export interface AccountPages {
  /** @throws CancelledError when `signal` has aborted, or the page was replaced before it was open */
  open(options: CredentialsPageOptions): Promise<CredentialsPage>;
  /** Closes them all; they can be opened again. */
  close(): void;
}

export function createAccountPages(): AccountPages {
  const open = new Map<string, AbortController>();
  return {
    open: async (options) => {
      const replaced = new AbortController();
      open.get(options.account)?.abort();
      open.set(options.account, replaced);
      const forget = () => {
        if (open.get(options.account) === replaced) open.delete(options.account);
      };
      try {
        const signal = AbortSignal.any([options.signal, replaced.signal]);
        const page = await openCredentialsPage({ ...options, signal });
        void page.done.then(forget);
        return page;
      } catch (error) {
        forget();
        throw error;
      }
    },
    close: () => {
      for (const replaced of open.values()) replaced.abort();
    },
  };
}

/** @throws CancelledError when `signal` has aborted or aborts before the page is open */
export async function openCredentialsPage(options: CredentialsPageOptions): Promise<CredentialsPage> {
  const { signal, lifetimeMs = 300_000, now = Date.now, requestTimeoutMs = 15_000 } = options;
  if (signal.aborted) throw new CancelledError('The credentials page was cancelled before it opened');
  const page = new OpenPage(createServer(serverLimits(requestTimeoutMs)), options, now() + lifetimeMs);
  const close = () => page.end('cancelled');
  signal.addEventListener('abort', close, { once: true });
  const timer = setTimeout(() => page.expire(), lifetimeMs);
  const done = page.done.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', close);
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

/**
 * Waits for the page's end, at most `maxMs` milliseconds (older clients give up on a call after 60 s); `waiting` when
 * it is still open then, which changes nothing for the page. @throws CancelledError when `signal` aborts
 */
export function waitForCredentials(
  done: Promise<PageEnd>,
  maxMs = 45_000,
  signal?: AbortSignal,
): Promise<PageEnd | 'waiting'> {
  return new Promise((resolve, reject) => {
    const cancel = () => {
      clearTimeout(timer);
      reject(new CancelledError('The call was cancelled while it waited for the credentials page'));
    };
    const finish = (end: PageEnd | 'waiting') => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      resolve(end);
    };
    const timer = setTimeout(finish, maxMs, 'waiting');
    if (signal?.aborted) return cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    done.then(finish, () => finish('cancelled'));
  });
}
