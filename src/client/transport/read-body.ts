/** Collects a response body, decompressed, and stops at the limit while it still arrives. */

import zlib from 'node:zlib';

export type BodyFailure = 'BODY_TOO_LARGE' | 'BODY_CUT_SHORT' | 'BAD_ENCODING';

export class BodyReader {
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
    const finish = () => done(Buffer.concat(this.#chunks));
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
  return 'code' in error && error.code === 'Z_BUF_ERROR';
}
