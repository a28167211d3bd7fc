/** Tells a document in base64 from an id or a token that only looks like one: by what it decodes and unpacks to. */

import { DocumentError } from '../../documents/document-error.ts';
import {
  certainKind,
  type FileKind,
  fileKind,
  isPlainText,
  UNKNOWN_KIND,
} from '../../documents/file-kind.ts';
import { isPacked, MOST_DOCUMENT_BYTES, unpack } from './unpack-bytes.ts';

/** Shorter ones hold nothing that anybody would print. */
const SHORTEST = 24;

/** Of a member that is named as one of documents: from here on even unknown bytes are one. */
const LONG_CONTENT = 200;

/** Of any member: no id and no page token is as long, since they go into addresses. */
const LONG = 16_000;

/** Characters that are enough to see how it begins. */
const BEGINNING = 96;

const ALPHABET = /^(?:[A-Za-z0-9+/]+|[A-Za-z0-9_-]+)={0,3}$/;
/** Of base64 in lines; spaces within one belong to words. */
const LINE_ENDS = /[\r\n]+[ \t]*/g;
const asOneLine = (text: string) => text.trim().replace(LINE_ENDS, '');

/** `data:application/pdf;base64,JVBER...`; the type is not believed. */
const DATA_URL = /^\s{0,9}data:(?:[\w.+-]+\/[\w.+-]+)?(?:;[\w.+-]+=[\w."+-]*)*(;base64)?,/i;

export interface InlineDocument {
  kind: FileKind;
  /** Unpacked; undefined where it cannot be read here. */
  bytes: number | undefined;
  /** Why it cannot: it is larger than is unpacked here, or not whole. */
  fault?: 'too-large' | 'damaged';
}

/** Quick: false for whatever cannot be a document, without decoding more than its beginning. */
export function mayBeDocument(text: string, isContent: boolean): boolean {
  if (text.length < SHORTEST) return false;
  if (DATA_URL.test(text.slice(0, 200)) || isLabelText(text)) return true;
  const run = firstRun(text);
  if (run.length < SHORTEST) return false;
  if (isContent || text.length >= LONG) return true;
  const start = decode(run);
  return isPacked(start) || certainKind(start) !== undefined;
}

/** What it is; undefined for what is none. @param isContent its member is named as one that holds documents */
export async function inspectText(text: string, isContent: boolean): Promise<InlineDocument | undefined> {
  const isGiven = isContent || DATA_URL.test(text.slice(0, 200));
  const packed = bytesOf(text);
  if (packed === undefined) return inspectDamaged(text, isGiven);
  const unpacked = await unpack(packed);
  if ('fault' in unpacked) {
    const { fault } = unpacked;
    const kind = fault === 'damaged' ? certainKind(unpacked.start) : undefined;
    return isGiven || kind !== undefined
      ? { kind: kind ?? UNKNOWN_KIND, bytes: undefined, fault }
      : undefined;
  }
  const { bytes } = unpacked;
  const certain = certainKind(bytes);
  if (certain !== undefined) return { kind: certain, bytes: bytes.length };
  if (!isGiven && text.length < LONG) return undefined;
  if (isPlainText(bytes)) return { kind: fileKind(bytes), bytes: bytes.length };
  return text.length >= LONG_CONTENT && hasAllKinds(text)
    ? { kind: UNKNOWN_KIND, bytes: bytes.length }
    : undefined;
}

/**
 * Base64 with something in it that is none, or cut within a group, is no text either: it is told by how it begins, and
 * never shown, since the rest of it can be read by anybody.
 */
function inspectDamaged(text: string, isGiven: boolean): InlineDocument | undefined {
  const url = DATA_URL.exec(text.slice(0, 200));
  const run = firstRun(url === null ? text : text.slice(url[0].length));
  if (run.length < SHORTEST) return undefined;
  const kind = certainKind(decode(run));
  const isBytes = (isGiven || text.length >= LONG) && run.length === BEGINNING && isLineOfBase64(text);
  if (kind === undefined && !isBytes && url?.[1] === undefined) return undefined;
  return { kind: kind ?? UNKNOWN_KIND, bytes: undefined, fault: 'damaged' };
}

/** The letters of base64 with which a text begins, as far as they are looked at. */
const firstRun = (text: string) =>
  /^[A-Za-z0-9+/_-]*/.exec(asOneLine(text.slice(0, 2 * BEGINNING)).slice(0, BEGINNING))?.[0] ?? '';

/** The document itself, unpacked. @throws DocumentError for one that is larger than `MOST_DOCUMENT_BYTES`, or not whole */
export async function readText(text: string): Promise<Uint8Array> {
  const packed = bytesOf(text);
  if (packed === undefined) throw damaged();
  const unpacked = await unpack(packed);
  if ('bytes' in unpacked) return unpacked.bytes;
  if (unpacked.fault === 'damaged') throw damaged();
  const most = MOST_DOCUMENT_BYTES / 1_000_000;
  throw new DocumentError('too-large', `It has more than ${most} MB unpacked, which is the limit.`, '');
}

function damaged(): DocumentError {
  return new DocumentError('damaged', 'It is damaged or cut short in the answer of the service.', '');
}

/** No word is as long as a line of it. */
const isLineOfBase64 = (text: string) =>
  /^\s*[A-Za-z0-9+/_-]{40}/.test(text.slice(0, 2 * BEGINNING)) && hasAllKinds(text.slice(0, BEGINNING));

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
