/** Tells a document in base64 from an id or a token that only looks like one: by what it decodes and unpacks to. */

import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { DocumentError } from '../../documents/document-error.ts';
import {
  certainKind,
  type FileKind,
  fileKind,
  isPlainText,
  UNKNOWN_KIND,
} from '../../documents/file-kind.ts';

/** Of one document in an answer, unpacked. */
const MOST_DOCUMENT_BYTES = 50_000_000;

/** Shorter ones hold nothing that anybody would print. */
const SHORTEST = 24;

/** Of a member that is named as one of documents: from here on even unknown bytes are one. */
const LONG_CONTENT = 200;

/** Of any member: no id and no page token is as long, since they go into addresses. */
const LONG = 16_000;

/** Characters that are enough to see how it begins. */
const BEGINNING = 96;

/** Times that a document is packed: twice happens. */
const MOST_LAYERS = 2;

const ALPHABET = /^(?:[A-Za-z0-9+/]+|[A-Za-z0-9_-]+)={0,3}$/;
/** Of base64 in lines; spaces within one belong to words. */
const LINE_ENDS = /[\r\n]+[ \t]*/g;
const asOneLine = (text: string) => text.trim().replace(LINE_ENDS, '');

/** `data:application/pdf;base64,JVBER...`; the type is not believed. */
const DATA_URL = /^data:(?:[\w.+-]+\/[\w.+-]+)?(?:;[\w.+-]+=[\w."+-]*)*(;base64)?,/i;

export interface InlineDocument {
  kind: FileKind;
  /** Unpacked; undefined where it is larger than is unpacked here. */
  bytes: number | undefined;
}

/** Quick: false for whatever cannot be a document, without decoding more than its beginning. */
export function mayBeDocument(text: string, isContent: boolean): boolean {
  if (text.length < SHORTEST) return false;
  if (DATA_URL.test(text.slice(0, 200)) || isLabelText(text)) return true;
  const plain = asOneLine(text.slice(0, BEGINNING));
  if (!ALPHABET.test(plain)) return false;
  if (isContent || text.length >= LONG) return true;
  const start = decode(plain);
  return isPacked(start) || certainKind(start) !== undefined;
}

/** What it is; undefined for what is none. @param isContent its member is named as one that holds documents */
export async function inspectText(text: string, isContent: boolean): Promise<InlineDocument | undefined> {
  const packed = bytesOf(text);
  if (packed === undefined) return undefined;
  const isGiven = isContent || DATA_URL.test(text.slice(0, 200));
  const bytes = await unpack(packed);
  if (bytes === undefined) return isGiven ? { kind: UNKNOWN_KIND, bytes: undefined } : undefined;
  const certain = certainKind(bytes);
  if (certain !== undefined) return { kind: certain, bytes: bytes.length };
  if (!isGiven && text.length < LONG) return undefined;
  if (isPlainText(bytes)) return { kind: fileKind(bytes), bytes: bytes.length };
  return text.length >= LONG_CONTENT && hasAllKinds(text)
    ? { kind: UNKNOWN_KIND, bytes: bytes.length }
    : undefined;
}

/** The document itself, unpacked. @throws DocumentError for one that is larger than `MOST_DOCUMENT_BYTES` */
export async function readText(text: string): Promise<Uint8Array> {
  const bytes = await unpack(bytesOf(text) ?? new Uint8Array());
  if (bytes !== undefined) return bytes;
  const most = MOST_DOCUMENT_BYTES / 1_000_000;
  throw new DocumentError('too-large', `It has more than ${most} MB unpacked, which is the limit.`, '');
}

/** Bytes use the whole alphabet, words do not. */
const hasAllKinds = (text: string) => /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text);

/** A label in a printer's own language stands in some answers as it is. */
const isLabelText = (text: string) => /^\s{0,9}\^XA/.test(text) && text.includes('^XZ');

/** Undefined for what is no base64. */
function bytesOf(text: string): Uint8Array | undefined {
  if (isLabelText(text)) return Buffer.from(text, 'utf8');
  const url = DATA_URL.exec(text.slice(0, 200));
  const content = url === null ? text : text.slice(url[0].length);
  if (url !== null && url[1] === undefined) return percentDecoded(content);
  if (!hasLinesOfBase64(content)) return undefined;
  const plain = asOneLine(content);
  return ALPHABET.test(plain) && lettersOf(plain) % 4 !== 1 ? decode(plain) : undefined;
}

/** Without what fills the last group up. */
function lettersOf(plain: string): number {
  const filling = plain.indexOf('=');
  return filling === -1 ? plain.length : filling;
}

/** All but the last have whole groups of four, and no words are as long. */
function hasLinesOfBase64(text: string): boolean {
  const lines = text.trim().split(LINE_ENDS);
  return lines.slice(0, -1).every(({ length }) => length >= 40 && length % 4 === 0);
}

function percentDecoded(text: string): Uint8Array | undefined {
  try {
    return Buffer.from(decodeURIComponent(text), 'utf8');
  } catch {
    return undefined;
  }
}

/** Both alphabets. */
const decode = (plain: string): Uint8Array => Buffer.from(plain, 'base64');

const isGzip = ([first, second]: Uint8Array) => first === 0x1f && second === 0x8b;

/** The two bytes of a header that zlib writes, which check themselves. */
const isZlib = ([first = 0, second = 0]: Uint8Array) =>
  (first & 0x0f) === 8 && first >> 4 <= 7 && (first * 256 + second) % 31 === 0;

const isPacked = (bytes: Uint8Array) => isGzip(bytes) || isZlib(bytes);

const unpackers = { gzip: promisify(gunzip), zlib: promisify(inflate) };

/** Undefined for what is larger; what is not packed, or not whole, is given as it is. */
async function unpack(bytes: Uint8Array, layers = 0): Promise<Uint8Array | undefined> {
  if (bytes.length > MOST_DOCUMENT_BYTES) return undefined;
  if (layers === MOST_LAYERS || !isPacked(bytes)) return bytes;
  try {
    const unpacker = isGzip(bytes) ? unpackers.gzip : unpackers.zlib;
    return await unpack(await unpacker(bytes, { maxOutputLength: MOST_DOCUMENT_BYTES }), layers + 1);
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLarge ? undefined : bytes;
  }
}
