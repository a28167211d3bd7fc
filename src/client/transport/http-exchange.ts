/** Listens to undici for one request: when it left, what came back, and when to stop reading. */

import type { Dispatcher } from 'undici';
import { type BodyFailure, BodyReader } from './read-body.ts';

type Headers = Record<string, string>;

export interface RawAnswer {
  status: number;
  headers: Headers;
  body: Buffer;
  /** Why the body is missing although the headers came. */
  failure?: BodyFailure;
}

/** How far a request came; `error` is what undici threw, or a failure of the body. */
export type Ending =
  | { kind: 'answer'; answer: RawAnswer }
  | { kind: 'failure'; error: unknown; sent: boolean; answer: RawAnswer | undefined };

export class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #limit: number;
  readonly #settle: (ending: Ending) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #reader: BodyReader | undefined;
  #answer: RawAnswer | undefined;
  #sent = false;
  #done = false;

  constructor(limit: number, settle: (ending: Ending) => void) {
    this.#limit = limit;
    this.#settle = settle;
  }

  /** Ends the exchange from our side: the socket is destroyed if the request is on it. */
  abort(error: Error): void {
    if (this.#done) return;
    this.#finish({ kind: 'failure', error, sent: this.#sent, answer: this.#answer });
    this.#controller?.abort(error);
  }

  /** undici calls this just before the first byte is written; an abort here keeps the request from leaving. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#done) controller.abort(new Error('no longer wanted'));
    else this.#sent = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    received: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    const headers = joinHeaders(received);
    this.#answer = { status, headers, body: Buffer.alloc(0) };
    this.#reader = new BodyReader(headers['content-encoding'] ?? '', this.#limit, (reason) =>
      this.#cut(reason),
    );
    if (Number(headers['content-length']) > this.#limit) this.#cut('BODY_TOO_LARGE');
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#done) this.#reader?.write(chunk);
  }

  onResponseEnd(): void {
    if (this.#done || this.#answer === undefined) return;
    const answer = this.#answer;
    this.#reader?.end((body) => this.#finish({ kind: 'answer', answer: { ...answer, body } }));
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#finish({ kind: 'failure', error, sent: this.#sent, answer: this.#answer });
  }

  /** The body cannot be used; the status still can. */
  #cut(failure: BodyFailure): void {
    if (this.#done || this.#answer === undefined) return;
    this.#finish({ kind: 'answer', answer: { ...this.#answer, failure } });
    this.#controller?.abort(new Error(failure));
  }

  #finish(ending: Ending): void {
    if (this.#done) return;
    this.#done = true;
    if (ending.kind === 'failure' || ending.answer.failure !== undefined) this.#reader?.destroy();
    this.#settle(ending);
  }
}

function joinHeaders(received: Record<string, string | string[] | undefined>): Headers {
  const headers: Headers = {};
  for (const [name, value] of Object.entries(received)) {
    if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}
