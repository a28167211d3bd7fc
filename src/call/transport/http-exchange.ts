/** One request over undici as bytes: when it left, what came back, decompressed, and when to stop reading. */

import zlib from 'node:zlib';
import type { Dispatcher } from 'undici';
import { codeOf } from '../../base/errors.ts';

type RequestHeaders = Record<string, string>;

/** Why a body is missing although the headers came. */
export type BodyFailure = 'BODY_TOO_LARGE' | 'BODY_CUT_SHORT' | 'BAD_ENCODING';

export interface RawAnswer {
  status: number;
  headers: RequestHeaders;
  body: Buffer;
  failure?: BodyFailure;
}

/** How far a request came; `error` is what undici threw, or a failure of the body. */
export type ExchangeEnd =
  | { kind: 'answer'; answer: RawAnswer }
  | { kind: 'failure'; error: unknown; sent: boolean; answer: RawAnswer | undefined };

const NOTHING = Buffer.alloc(0);

export class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #limit: number;
  readonly #settle: (ending: ExchangeEnd) => void;
  readonly #whyTooLate: () => Error | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #reader: BodyReader | undefined;
  #answer: RawAnswer | undefined;
  #sent = false;
  #done = false;

  /** @param whyTooLate returns why the request must not leave; it is called just before the first byte */
  constructor(
    limit: number,
    settle: (ending: ExchangeEnd) => void,
    whyTooLate: () => Error | undefined = () => undefined,
  ) {
    this.#limit = limit;
    this.#settle = settle;
    this.#whyTooLate = whyTooLate;
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
    if (this.#done) {
      controller.abort(new Error('no longer wanted'));
      return;
    }
    const late = this.#whyTooLate();
    if (late === undefined) this.#sent = true;
    else this.abort(late);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    received: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    const headers = joinHeaders(received);
    this.#answer = { status, headers, body: NOTHING };
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

  #finish(ending: ExchangeEnd): void {
    if (this.#done) return;
    this.#done = true;
    if (ending.kind === 'failure' || ending.answer.failure !== undefined) this.#reader?.destroy();
    this.#settle(ending);
  }
}

function joinHeaders(received: Record<string, string | string[] | undefined>): RequestHeaders {
  const headers: RequestHeaders = {};
  for (const [name, value] of Object.entries(received)) {
    if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}

/** Collects a body, decompressed, and stops at the limit while it still arrives. */
class BodyReader {
  readonly #limit: number;
  readonly #fail: (reason: BodyFailure) => void;
  readonly #encoding: string;
  readonly #chunks: Buffer[] = [];
  #decoder: Decoder | undefined;
  #arrived = 0;
  #decoded = 0;

  /** @param limit largest body in bytes, both on the wire and decompressed. @param fail called once at most. */
  constructor(encoding: string, limit: number, fail: (reason: BodyFailure) => void) {
    this.#encoding = encoding.trim().toLowerCase();
    this.#limit = limit;
    this.#fail = fail;
  }

  write(chunk: Buffer): void {
    this.#arrived += chunk.length;
    if (this.#arrived > this.#limit) this.#fail('BODY_TOO_LARGE');
    else if (this.#encoding === '' || this.#encoding === 'identity') this.#keep(chunk);
    else this.#decode(chunk);
  }

  /** Hands over the whole body once the decoder is through. */
  end(done: (body: Buffer) => void): void {
    const finish = () => {
      const [only] = this.#chunks;
      done(only !== undefined && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks));
    };
    this.#decoder?.once('end', finish).end();
    if (this.#decoder === undefined) finish();
  }

  destroy(): void {
    this.#decoder?.destroy();
    this.#chunks.length = 0;
  }

  #keep(chunk: Buffer): void {
    this.#decoded += chunk.length;
    if (this.#decoded > this.#limit) this.#fail('BODY_TOO_LARGE');
    else this.#chunks.push(chunk);
  }

  #decode(chunk: Buffer): void {
    this.#decoder ??= this.#open(chunk);
    this.#decoder?.write(chunk);
  }

  #open(first: Buffer): Decoder | undefined {
    const decoder = openDecoder(this.#encoding, first);
    if (decoder === undefined) {
      this.#fail('BAD_ENCODING');
      return undefined;
    }
    decoder.on('data', (chunk: Buffer) => this.#keep(chunk));
    decoder.on('error', (error) => this.#fail(endedEarly(error) ? 'BODY_CUT_SHORT' : 'BAD_ENCODING'));
    return decoder;
  }
}

type Decoder = zlib.Gunzip | zlib.Inflate | zlib.InflateRaw | zlib.BrotliDecompress;

function openDecoder(encoding: string, first: Buffer): Decoder | undefined {
  if (encoding === 'gzip' || encoding === 'x-gzip') return zlib.createGunzip();
  if (encoding === 'br') return zlib.createBrotliDecompress();
  if (encoding !== 'deflate') return undefined;
  // `deflate` means zlib's wrapping, which starts with an 8 in its low bits; some services send it bare.
  return ((first[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw();
}

function endedEarly(error: Error): boolean {
  return codeOf(error) === 'Z_BUF_ERROR';
}
