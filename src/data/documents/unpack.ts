/** Unpacks the bytes of a document: gzip is detected by its first bytes, never by a name or a header. */

import { once } from 'node:events';
import { createReadStream, type ReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { codeOf } from '../../base/errors.ts';
import { TextReader } from './charset.ts';
import { DocumentError } from './document-error.ts';
import { fileKind } from './file-kind.ts';
import { DOCUMENT_LIMITS, type DocumentLimits, MAX_GZIP_LAYERS } from './limits.ts';

/**
 * One piece is parsed while another thread unpacks the next. Larger pieces do not fit into the cache of a
 * processor.
 */
const PIECE_BYTES = 64 * 1024;

/** Reads a file once as unpacked bytes. */
export class Unpacker {
  readonly #limits: DocumentLimits;
  readonly #file: string;
  #source: ReadStream | undefined;
  readonly #layers: Gunzip[] = [];
  #unpacked = 0;

  constructor(file: string, limits: DocumentLimits) {
    this.#limits = limits;
    this.#file = file;
  }

  /** The number of bytes read from the file. */
  get readBytes(): number {
    return this.#layers[0]?.bytesWritten ?? this.#source?.bytesRead ?? 0;
  }

  get unpackedBytes(): number {
    return this.#unpacked;
  }

  /**
   * Yields pieces; leaving early closes the file.
   * @throws DocumentError; the system's error if the file cannot be read
   */
  async *pieces(): AsyncGenerator<Buffer, void, undefined> {
    const source = createReadStream(this.#file, { highWaterMark: PIECE_BYTES });
    this.#source = source;
    try {
      const stream = await this.#open(source);
      for await (const piece of stream) {
        if (!Buffer.isBuffer(piece)) continue;
        this.#count(piece.length);
        yield piece;
      }
    } catch (error) {
      throw this.#explain(error);
    } finally {
      for (const stream of [source, ...this.#layers]) stream.destroy();
    }
  }

  async #open(stream: Readable): Promise<Readable> {
    if (!(await startsLikeGzip(stream))) return stream;
    if (this.#layers.length === MAX_GZIP_LAYERS) {
      throw new DocumentError(
        'too-large',
        `The document is packed with gzip more than ${MAX_GZIP_LAYERS} times, which no report is.`,
        'Nothing was loaded. Ask for a new report.',
      );
    }
    const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
    this.#layers.push(gunzip);
    stream.on('error', (error) => gunzip.destroy(error)).pipe(gunzip);
    return this.#open(gunzip);
  }

  #count(bytes: number): void {
    this.#unpacked += bytes;
    const { unpackedBytes, ratio, ratioFromBytes } = this.#limits;
    if (this.#unpacked > unpackedBytes) {
      throw new DocumentError(
        'too-large',
        `The document has more than ${unpackedBytes / 1_000_000} MB unpacked, which is the limit.`,
      );
    }
    if (this.#layers.length === 0 || this.#unpacked < ratioFromBytes) return;
    if (this.#unpacked > ratio * this.readBytes) {
      throw new DocumentError(
        'too-large',
        `The document unpacks to more than ${ratio} times its size, as no real report does.`,
        'Nothing was loaded. Ask for a new report; if it stays, report it to the service.',
      );
    }
  }

  #explain(error: unknown): unknown {
    const code = codeOf(error);
    if (code === 'Z_BUF_ERROR') {
      return new DocumentError('truncated', 'The packed document ends too early.', undefined, {
        cause: error,
      });
    }
    if (code.startsWith('Z_')) {
      return new DocumentError('damaged', `The packed document is damaged (${code}).`, undefined, {
        cause: error,
      });
    }
    return error;
  }
}

/** Reads the first bytes and puts them back. */
async function startsLikeGzip(stream: Readable): Promise<boolean> {
  await once(stream, 'readable');
  const first: unknown = stream.read();
  // An empty file yields no bytes.
  if (!Buffer.isBuffer(first)) return false;
  stream.unshift(first);
  return first[0] === 0x1f && first[1] === 0x8b;
}

/**
 * Opens a downloaded file and detects its kind.
 * @throws DocumentError if its beginning is damaged; the system's error if the file cannot be read
 */
export async function openUnpacked(file: string) {
  const pieces = new Unpacker(file, DOCUMENT_LIMITS).pieces();
  const first = await pieces.next();
  const start = first.value ?? new Uint8Array();
  return {
    kind: fileKind(start),
    /** Iterates once; leaving early closes the file. @throws DocumentError */
    async *pieces(): AsyncGenerator<Uint8Array, void, undefined> {
      try {
        yield start;
        yield* pieces;
      } finally {
        await pieces.return();
      }
    },
    /** Closes a file whose pieces are not read. */
    async close() {
      await pieces.return();
    },
  };
}

/** Returns the whole document as text. @param unpackedBytes max size. @throws DocumentError */
export async function readText(
  file: string,
  charset: string | undefined,
  unpackedBytes: number,
): Promise<string> {
  const reader = new TextReader(charset);
  let text = '';
  for await (const piece of new Unpacker(file, { ...DOCUMENT_LIMITS, unpackedBytes }).pieces()) {
    text += reader.decode(piece);
  }
  return text + reader.end();
}
