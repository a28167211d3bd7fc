/**
 * Reads a document on disk as a stream of batches in bounded memory: it unpacks, decodes and splits into rows
 * or items.
 */

import { stat } from 'node:fs/promises';
import { TextReader } from './charset.ts';
import { type DetectedFormat, detectFormat, isText } from './detect-format.ts';
import type {
  DocumentBatch,
  DocumentHead,
  DocumentProgress,
  DocumentReader,
  DocumentReadOptions,
  DocumentSummary,
} from './document.ts';
import { JsonItems, JsonLines } from './json-items.ts';
import { DOCUMENT_LIMITS, type DocumentLimits } from './limits.ts';
import { RowReader } from './row-reader.ts';
import { Unpacker } from './unpack.ts';

/** The number of bytes read to detect the format, and the max until the first line ends. */
const START_BYTES = 64 * 1024;
const MAX_START_BYTES = 1024 * 1024;

/**
 * Rows are cut out of this much text at once: with more, the garbage collector finds many still in use and
 * copies them.
 */
const ROWS_CHARACTERS = 64 * 1024;

/** @param file is opened on the first read; nothing else may write to it meanwhile */
export function readDocument(file: string, options: DocumentReadOptions): DocumentReader {
  return new FileDocumentReader(file, options);
}

/** Turns pieces of text into batches. */
interface BatchSource {
  push(text: string): DocumentBatch[];
  end(): DocumentBatch[];
}

class FileDocumentReader implements DocumentReader {
  readonly #file: string;
  readonly #options: DocumentReadOptions;
  readonly #limits: DocumentLimits;
  readonly #unpacker: Unpacker;
  readonly #pieces: AsyncGenerator<Buffer, void, undefined>;
  readonly #text: TextReader;
  #opening: Promise<OpenedStart> | undefined;
  #detected: DetectedFormat = { format: 'other', delimiter: ',' };
  #table: RowReader | undefined;
  #isText = true;
  #items = 0;
  #ofBytes = 0;

  constructor(file: string, options: DocumentReadOptions) {
    this.#file = file;
    this.#options = options;
    this.#limits = { ...DOCUMENT_LIMITS, ...options.limits };
    this.#unpacker = new Unpacker(file, this.#limits);
    this.#pieces = this.#unpacker.pieces();
    this.#text = new TextReader(options.charset);
  }

  async head(): Promise<DocumentHead> {
    this.#opening ??= this.#open();
    await this.#opening;
    return { format: this.#detected.format, columns: this.#table?.columns ?? [] };
  }

  async *batches(): AsyncGenerator<DocumentBatch, void, undefined> {
    this.#opening ??= this.#open();
    const { first, source, isWhole } = await this.#opening;
    try {
      for (const batch of first) yield this.#counted(batch);
      if (isWhole) return;
      for await (const piece of this.#pieces) {
        for (const batch of source === undefined ? [asBytes(piece)] : this.#push(source, piece)) {
          yield this.#counted(batch);
        }
      }
      for (const batch of this.#rest(source)) yield this.#counted(batch);
    } finally {
      await this.#pieces.return();
    }
  }

  *#push(source: BatchSource, piece: Buffer): Generator<DocumentBatch, void, undefined> {
    const text = this.#text.decode(piece);
    // Text without rows passes unchanged: it is not cut between the halves of a character.
    const most = source === this.#table ? ROWS_CHARACTERS : text.length;
    for (let at = 0; at < text.length; at += most) yield* source.push(text.slice(at, at + most));
  }

  progress(): DocumentProgress {
    return {
      rows: this.#table?.rows ?? this.#items,
      bytes: this.#unpacker.readBytes,
      ofBytes: this.#ofBytes,
    };
  }

  summary(): DocumentSummary {
    const { note } = this.#detected;
    const text = this.#isText ? this.#text : undefined;
    const otherQuoting = this.#table?.otherQuoting;
    if (otherQuoting !== undefined) this.#options.quoting?.set(this.#file, otherQuoting);
    return {
      unpackedBytes: this.#unpacker.unpackedBytes,
      notes: [...(note === undefined ? [] : [note]), ...(text?.notes ?? []), ...(this.#table?.notes() ?? [])],
      ...(otherQuoting === undefined ? {} : { isMisread: true }),
    };
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => {});
    await this.#pieces.return();
  }

  async #open(): Promise<OpenedStart> {
    try {
      this.#ofBytes = (await stat(this.#file)).size;
      return this.#begin(await this.#readStart());
    } catch (error) {
      await this.#pieces.return();
      throw error;
    }
  }

  /** Detects the format and reads the header. */
  #begin({ bytes, text, isWhole }: DocumentStart): OpenedStart {
    this.#detected = detectFormat(text, this.#options.format);
    const source = this.#source(text);
    if (source === undefined) return { first: bytes.map(asBytes), source, isWhole };
    const first = source.push(text);
    return { first: isWhole ? [...first, ...this.#rest(source)] : first, source, isWhole };
  }

  #rest(source: BatchSource | undefined): DocumentBatch[] {
    return source === undefined ? [] : [...source.push(this.#text.end()), ...source.end()];
  }

  async #readStart(): Promise<DocumentStart> {
    const bytes: Buffer[] = [];
    let text = '';
    for (let read = 0; read < START_BYTES || (read < MAX_START_BYTES && !hasWholeLine(text)); ) {
      const next = await this.#pieces.next();
      if (next.done === true) return { bytes, text, isWhole: true };
      bytes.push(next.value);
      read += next.value.length;
      text += this.#text.decode(next.value);
    }
    return { bytes, text, isWhole: false };
  }

  /** Returns undefined if the bytes are passed on unchanged. */
  #source(start: string): BatchSource | undefined {
    const { format, delimiter } = this.#detected;
    if (format === 'tab' || format === 'csv') {
      this.#table = new RowReader(format, delimiter, this.#limits, this.#options.quoting?.get(this.#file));
      return this.#table;
    }
    if (format === 'json') return new JsonItems(this.#limits);
    if (format === 'jsonl') return new JsonLines(this.#limits);
    this.#isText = isText(start);
    return this.#isText ? TEXT : undefined;
  }

  #counted(batch: DocumentBatch): DocumentBatch {
    if (batch.kind === 'items') this.#items += batch.items.length;
    return batch;
  }
}

/** The beginning of the document as read. */
interface DocumentStart {
  bytes: Buffer[];
  text: string;
  /** Whether the document has nothing more. */
  isWhole: boolean;
}

interface OpenedStart {
  /** The batches of the beginning. */
  first: DocumentBatch[];
  source: BatchSource | undefined;
  isWhole: boolean;
}

const TEXT: BatchSource = {
  push: (text) => (text === '' ? [] : [{ kind: 'text', text }]),
  end: () => [],
};

function asBytes(bytes: Uint8Array): DocumentBatch {
  return { kind: 'bytes', bytes };
}

function hasWholeLine(text: string): boolean {
  return /[\r\n]/.test(text.trimStart());
}
