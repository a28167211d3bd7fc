/**
 * Decodes the bytes of a document into text: UTF-8 where they are valid, else the charset that fits; a label
 * is a hint.
 */

import { isAscii, isUtf8 } from 'node:buffer';

/** Charset labels that reports use and `TextDecoder` does not know. */
const OTHER_NAMES: Readonly<Record<string, string>> = { cp932: 'shift_jis', 'windows-932': 'shift_jis' };

/** Charsets in which bytes below 128 are not always ASCII, so the bytes do not show which of them it is. */
const NOT_OVER_ASCII = new Set(['utf-16le', 'utf-16be', 'iso-2022-jp']);

const NOTHING = Buffer.alloc(0);

/** Decodes one document, piece by piece. */
export class TextReader {
  readonly #label: string | undefined;
  readonly #notes: string[] = [];
  #charset: string | undefined;
  /**
   * Decodes text that is neither ASCII nor UTF-8; a call without bytes returns what the decoder still
   * buffers.
   */
  #decode: ((bytes?: Buffer) => string) | undefined;
  #carry: Buffer = NOTHING;
  #started = false;
  #replaced = 0;

  /** @param label the charset that the service named; an unknown label counts as none */
  constructor(label: string | undefined) {
    this.#label = encodingOf(label);
    if (label !== undefined && this.#label === undefined) {
      this.#notes.push('The charset that the service named is not known, so it was told from the bytes.');
    }
  }

  /** The name that `TextDecoder` uses; undefined while every byte was ASCII. */
  get charset(): string | undefined {
    return this.#charset;
  }

  get notes(): string[] {
    const characters = this.#replaced === 1 ? '1 character was' : `${this.#replaced} characters were`;
    const lost = `${characters} damaged already in the document and read as "\uFFFD".`;
    return this.#replaced === 0 ? this.#notes : [...this.#notes, lost];
  }

  /** Returns the text of the next bytes; a character cut in two comes with the following bytes. */
  decode(piece: Buffer): string {
    const bytes = this.#carry.length === 0 ? piece : Buffer.concat([this.#carry, piece]);
    this.#carry = NOTHING;
    return this.#text(this.#started ? bytes : this.#start(bytes), false);
  }

  /** Returns the text that is left at the end. */
  end(): string {
    const bytes = this.#carry;
    this.#carry = NOTHING;
    return this.#text(bytes, true) + (this.#decode?.() ?? '');
  }

  /** Lets a byte order mark choose the charset and removes it from the text. */
  #start(bytes: Buffer): Buffer {
    this.#started = true;
    const mark = byteOrderMark(bytes);
    if (mark !== undefined) this.#use(mark.charset);
    else if (this.#label !== undefined && NOT_OVER_ASCII.has(this.#label)) this.#use(this.#label);
    return bytes.subarray(mark?.bytes ?? 0);
  }

  #text(bytes: Buffer, last: boolean): string {
    if (this.#decode !== undefined) return this.#decode(bytes);
    if (isAscii(bytes)) return bytes.toString('latin1');
    const whole = last ? bytes : bytes.subarray(0, bytes.length - cutCharacter(bytes));
    if (this.#charset === undefined && !isAscii(whole)) {
      this.#decide(whole);
      return this.#text(bytes, last);
    }
    this.#carry = bytes.subarray(whole.length);
    return this.#utf8(whole);
  }

  /** Chooses the charset. Only ASCII came before, so nothing has to be read again. */
  #decide(bytes: Buffer): void {
    const found = this.#find(bytes);
    if (this.#label !== undefined && this.#label !== found) {
      this.#notes.push(
        `The service called the document ${this.#label}, but its bytes are ${found}, as which it was read.`,
      );
    }
    this.#use(found);
  }

  #find(bytes: Buffer): string {
    if (isUtf8(bytes) || looksUtf8(bytes)) return 'utf-8';
    if (fitsShiftJis(bytes)) return 'shift_jis';
    const label = this.#label;
    if (label === undefined || label === 'utf-8') return 'windows-1252';
    return decodeStrictly(bytes, label) === undefined ? 'windows-1252' : label;
  }

  #use(charset: string): void {
    this.#charset = charset;
    if (charset === 'utf-8') return;
    const decoder = new TextDecoder(charset);
    this.#decode = (bytes) => decoder.decode(bytes, { stream: bytes !== undefined });
  }

  #utf8(bytes: Buffer): string {
    const text = bytes.toString('utf8');
    if (!isUtf8(bytes)) this.#replaced += text.split('\uFFFD').length - 1;
    return text;
  }
}

function encodingOf(label: string | undefined): string | undefined {
  const name = label?.trim().toLowerCase() ?? '';
  try {
    return OTHER_NAMES[name] ?? new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}

function byteOrderMark(bytes: Buffer): { charset: string; bytes: number } | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { charset: 'utf-8', bytes: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { charset: 'utf-16le', bytes: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { charset: 'utf-16be', bytes: 2 };
  return undefined;
}

/** Counts the bytes at the end that begin a UTF-8 character but do not complete it. */
function cutCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return byte >= 0xf0 ? back : byte >= 0xe0 ? (back < 3 ? back : 0) : back < 2 ? back : 0;
  }
  return 0;
}

/**
 * Returns undefined if some bytes are invalid in the charset; a character that is cut at the end is no error.
 */
export function decodeStrictly(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

// The functions below find the charset of bytes that are not valid UTF-8.

/** Damaged UTF-8 has at least this many valid characters for each broken one; Cp1252 hardly ever has any. */
const WHOLE_FOR_BROKEN = 4;

/** Returns true for UTF-8 in which a few characters are broken, as in titles that were cut by bytes. */
function looksUtf8(bytes: Buffer): boolean {
  let whole = 0;
  let broken = 0;
  for (const character of bytes.toString('utf8')) {
    if (character === '\uFFFD') broken++;
    else if (character > '\u007f') whole++;
  }
  return whole >= broken * WHOLE_FOR_BROKEN;
}

const KANA = /[\u3041-\u30ff]/g;
const HALF_WIDTH_OR_PRIVATE = /[\uff61-\uff9f\ue000-\uf8ff]/g;

/**
 * Returns true for Japanese in Shift_JIS: it is valid throughout and has kana, which no longer Japanese text
 * lacks. A few letters of Cp1252 can be valid too, but they become rare signs, half-width kana or private-use
 * characters.
 */
function fitsShiftJis(bytes: Buffer): boolean {
  const text = decodeStrictly(bytes, 'shift_jis');
  return text !== undefined && count(text, KANA) > count(text, HALF_WIDTH_OR_PRIVATE);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
