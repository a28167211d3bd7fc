/** Finds the documents of an answer: in base64, compressed or not, and at signed addresses. */

import { promisify } from 'node:util';
import { constants, gunzip, inflate } from 'node:zlib';
import { codeOf } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';
import { formatPath, type Segments } from '../../base/json-difference.ts';
import { DocumentError } from '../../data/documents/document-error.ts';
import {
  certainKind,
  type FileKind,
  fileKind,
  isPlainText,
  UNKNOWN_KIND,
} from '../../data/documents/file-kind.ts';
import type { Operation } from '../../service/facts/operation.ts';
import {
  answersUploadAddress,
  collectDocumentKind,
  isAddressMember,
  isContent,
  isOpaque,
  subjectOf,
} from './document-members.ts';

/** The limit of saved documents of one answer. */
export const MAX_DOCUMENTS = 100;

interface DocumentLocation {
  /** The dotted path from the answer's root, which has untrusted text in its member names. */
  at: string;
  /** The subject: `label`. */
  subject: string;
}

export interface AnswerDocument extends DocumentLocation, InlineDocument {
  from: 'answer';
  /** Returns the unpacked bytes. @throws DocumentError for a document above the limit */
  read(): Promise<Uint8Array>;
}

interface AddressedDocument extends DocumentLocation {
  from: 'address';
  address: string;
  /** The kind that the address suggests: `PDF`. */
  guess: string | undefined;
  /** True if the address itself is shown. */
  isShown: boolean;
}

export type FoundDocument = AnswerDocument | AddressedDocument;

/** A text of the answer that may be a document. */
interface DocumentText {
  holder: object;
  key: string;
  text: string;
  /** Set if the text is an address. */
  address: string | undefined;
  segments: Segments;
}

/**
 * Returns the documents in the order of the answer.
 * @param answer as it came, before anything of it is masked or cut
 * @param showsCollected addresses of documents for collect_data stay, because anyone who has one can read the
 * document
 */
export async function findDocuments(operation: Operation, answer: unknown, showsCollected = true) {
  const root = { answer };
  const documents: FoundDocument[] = [];
  const indexes = new Map<object, Map<string, number>>();
  for (const { holder, key, text, address, segments } of listCandidates(root)) {
    const found = inspect(operation, { text, address }, segments.slice(1), showsCollected);
    const document = found instanceof Promise ? await found : found;
    if (document === undefined) continue;
    const own = indexes.get(holder) ?? new Map<string, number>();
    indexes.set(holder, own.set(key, documents.length));
    documents.push(document);
  }
  return {
    documents,
    /**
     * Returns the answer with each document replaced by a description; the answer itself if there is none.
     */
    withWords(describe: (document: FoundDocument, index: number) => string): unknown {
      if (documents.length === 0) return answer;
      const replace = (value: unknown): unknown => {
        if (typeof value !== 'object' || value === null) return value;
        const own = indexes.get(value);
        const member = (key: string, inner: unknown) => {
          const index = own?.get(key);
          const document = index === undefined ? undefined : documents[index];
          if (index === undefined || document === undefined) return replace(inner);
          return document.from === 'address' && document.isShown ? inner : describe(document, index);
        };
        if (Array.isArray(value)) return value.map((inner, at) => member(String(at), inner));
        return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, member(key, inner)]));
      };
      const replaced = replace(root);
      return isJsonObject(replaced) ? replaced.answer : answer;
    },
  };
}

/** Looks at every text once. */
function listCandidates(root: object): DocumentText[] {
  const found: DocumentText[] = [];
  const path: Segments[number][] = [];
  const visit = (holder: unknown, name: string) => {
    if (Array.isArray(holder)) {
      for (let at = 0; at < holder.length; at += 1) lookAt(holder, at, holder[at], name);
    } else if (isJsonObject(holder)) {
      for (const key in holder) lookAt(holder, key, holder[key], key);
    }
  };
  const lookAt = (holder: object, segment: string | number, value: unknown, name: string) => {
    if (typeof value === 'string') {
      if (isOrdinary(value) || isOpaque(name)) return;
      const address = readAddress(value);
      if (address === undefined && !mayBeDocument(value, isContent(name))) return;
      found.push({ holder, key: String(segment), text: value, address, segments: [...path, segment] });
    } else if (typeof value === 'object' && value !== null) {
      path.push(segment);
      visit(value, name);
      path.pop();
    }
  };
  visit(root, '');
  return found;
}

/**
 * True for nearly every text: it begins neither like an address nor like anything that `mayBeDocument`
 * accepts.
 */
const isOrdinary = (text: string) =>
  text.length < MIN_LENGTH ? !ADDRESS_BEGINNINGS.test(text) : !BEGINNINGS.test(text);

const ADDRESS_BEGINNINGS = /^(?:https?:|aHR0c)/i;
const BEGINNINGS = /^(?:https?:|aHR0c|\s{0,9}(?:data:|\^XA)|\s*(?:[a-z0-9+/_-](?:[\r\n][ \t\r\n]*)?){24})/i;

function inspect(
  operation: Operation,
  { text, address }: Pick<DocumentText, 'text' | 'address'>,
  segments: Segments,
  showsCollected: boolean,
): FoundDocument | undefined | Promise<FoundDocument | undefined> {
  const names = segments.filter((segment) => typeof segment === 'string');
  if (address === undefined) return inspectInline(operation, text, segments, names);
  if (answersUploadAddress(operation)) return undefined;
  if (!isSigned(address) && !isAddressMember(names, operation)) return undefined;
  const isShown = showsCollected && collectDocumentKind(operation) !== undefined;
  const location = locate(operation, segments, names);
  return { ...location, from: 'address', address, guess: guessKind(address), isShown };
}

async function inspectInline(
  operation: Operation,
  text: string,
  segments: Segments,
  names: readonly string[],
): Promise<FoundDocument | undefined> {
  const inline = await inspectText(text, isContent(names.at(-1) ?? ''));
  const location = inline && locate(operation, segments, names);
  return location && { ...location, ...inline, from: 'answer', read: () => readText(text) };
}

const locate = (operation: Operation, segments: Segments, names: readonly string[]): DocumentLocation => ({
  at: formatPath(segments),
  subject: subjectOf(names, operation),
});

// A signed address is a key to a document: anyone who has it can download the document until it expires.

const MAX_ADDRESS = 8_192;

/**
 * Parameters that sign an address, with those that accompany them: S3, CloudFront and older S3, Google,
 * Azure.
 */
const SIGNATURES: readonly (readonly [signature: string, beside: readonly string[]])[] = [
  ['x-amz-signature', []],
  ['x-goog-signature', []],
  ['signature', ['expires', 'key-pair-id', 'awsaccesskeyid', 'policy']],
  ['sig', ['se', 'sv']],
];

/**
 * Returns the address if the text is one, or is one in base64, as in customizations of direct fulfillment.
 */
function readAddress(text: string): string | undefined {
  if (text.length > MAX_ADDRESS) return undefined;
  const plain = /^aHR0c[A-Za-z0-9+/_-]{15,}={0,2}$/.test(text)
    ? Buffer.from(text, 'base64').toString()
    : text;
  return /^https?:\/\/\S{3,}$/i.test(plain) && URL.canParse(plain) ? plain : undefined;
}

function isSigned(address: string): boolean {
  if (!address.includes('?')) return false;
  const names = new Set([...new URL(address).searchParams.keys()].map((name) => name.toLowerCase()));
  return SIGNATURES.some(
    ([signature, beside]) =>
      names.has(signature) && (beside.length === 0 || beside.some((name) => names.has(name))),
  );
}

/** Returns `PDF` for `/labels/1.pdf?...`, which is only a guess at the content. */
function guessKind(address: string): string | undefined {
  const [, ending] = /\.([a-z]{3,4})$/i.exec(new URL(address).pathname) ?? [];
  const name = ending?.toUpperCase() ?? '';
  return GUESSED.has(name) ? name : undefined;
}

const GUESSED: ReadonlySet<string> = new Set([
  'CSV',
  'PDF',
  'PNG',
  'TSV',
  'TXT',
  'XLSX',
  'XML',
  'ZIP',
  'ZPL',
]);

// The functions below distinguish a document in base64 from an id or token by its decoded and unpacked
// content.

/** The minimum number of characters of a printable document. */
const MIN_LENGTH = 24;

/** The minimum in a member named for documents: from here on even unknown bytes count as one. */
const LONG_CONTENT = 200;

/** The minimum in any member: no id and no page token is as long, since they are sent in addresses. */
const LONG = 16_000;

/** The number of characters that suffice to see how it begins. */
const BEGINNING = 96;

const ALPHABET = /^(?:[A-Za-z0-9+/]+|[A-Za-z0-9_-]+)={0,3}$/;
/** Matches line ends of base64; spaces within a line belong to words. */
const LINE_ENDS = /[\r\n]+[ \t]*/g;
const asOneLine = (text: string) => text.trim().replace(LINE_ENDS, '');

/** Matches `data:application/pdf;base64,JVBER...`; the type in it is not trusted. */
const DATA_URL = /^\s{0,9}data:(?:[\w.+-]+\/[\w.+-]+)?(?:;[\w.+-]+=[\w."+-]*)*(;base64)?,/i;

interface InlineDocument {
  kind: FileKind;
  /** The unpacked size; undefined if it cannot be read here. */
  bytes: number | undefined;
  /** The reason why it cannot be read: it is above the limit, or not whole. */
  fault?: 'too-large' | 'damaged';
}

/** A quick test: false for any text that cannot be a document, without decoding more than its beginning. */
function mayBeDocument(text: string, isContent: boolean): boolean {
  if (text.length < MIN_LENGTH) return false;
  if (DATA_URL.test(text.slice(0, 200)) || isLabelText(text)) return true;
  const run = firstRun(text);
  if (run.length < MIN_LENGTH) return false;
  if (isContent || text.length >= LONG) return true;
  const start = decode(run);
  return isPacked(start) || certainKind(start) !== undefined;
}

/**
 * Returns the document in a text; undefined if there is none.
 * @param isContent its member is named for documents
 */
async function inspectText(text: string, isContent: boolean): Promise<InlineDocument | undefined> {
  const isGiven = isContent || DATA_URL.test(text.slice(0, 200));
  const packed = decodeDocument(text);
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
 * Recognizes base64 that is damaged or cut within a group by its beginning. It is never shown, since anyone
 * could decode the rest.
 */
function inspectDamaged(text: string, isGiven: boolean): InlineDocument | undefined {
  const url = DATA_URL.exec(text.slice(0, 200));
  const run = firstRun(url === null ? text : text.slice(url[0].length));
  if (run.length < MIN_LENGTH) return undefined;
  const kind = certainKind(decode(run));
  const isBytes = (isGiven || text.length >= LONG) && run.length === BEGINNING && isLineOfBase64(text);
  if (kind === undefined && !isBytes && url?.[1] === undefined) return undefined;
  return { kind: kind ?? UNKNOWN_KIND, bytes: undefined, fault: 'damaged' };
}

/** Returns the base64 characters at the start of a text, up to the inspected length. */
const firstRun = (text: string) =>
  /^[A-Za-z0-9+/_-]*/.exec(asOneLine(text.slice(0, 2 * BEGINNING)).slice(0, BEGINNING))?.[0] ?? '';

/**
 * Returns the unpacked document.
 * @throws DocumentError for one that is larger than `MAX_DOCUMENT_BYTES`, or not whole
 */
async function readText(text: string): Promise<Uint8Array> {
  const packed = decodeDocument(text);
  if (packed === undefined) throw damagedError();
  const unpacked = await unpack(packed);
  if ('bytes' in unpacked) return unpacked.bytes;
  if (unpacked.fault === 'damaged') throw damagedError();
  const maxMB = MAX_DOCUMENT_BYTES / 1_000_000;
  throw new DocumentError('too-large', `It has more than ${maxMB} MB unpacked, which is the limit.`, '');
}

function damagedError(): DocumentError {
  return new DocumentError('damaged', 'It is damaged or cut short in the answer of the service.', '');
}

/** True for a text that begins like a line of base64, which is longer than any word. */
const isLineOfBase64 = (text: string) =>
  /^\s*[A-Za-z0-9+/_-]{40}/.test(text.slice(0, 2 * BEGINNING)) && hasAllKinds(text.slice(0, BEGINNING));

/** Bytes use the whole alphabet, words do not. */
const hasAllKinds = (text: string) => /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text);

/** Some answers contain a label in a printer's own language (ZPL) as it is. */
const isLabelText = (text: string) => /^\s{0,9}\^XA/.test(text) && text.includes('^XZ');

/** Returns undefined for a text that is not base64. */
function decodeDocument(text: string): Uint8Array | undefined {
  if (isLabelText(text)) return Buffer.from(text, 'utf8');
  const url = DATA_URL.exec(text.slice(0, 200));
  const content = url === null ? text : text.slice(url[0].length);
  if (url !== null && url[1] === undefined) return percentDecoded(content);
  if (!hasLinesOfBase64(content)) return undefined;
  const plain = asOneLine(content);
  return ALPHABET.test(plain) && countLetters(plain) % 4 !== 1 ? decode(plain) : undefined;
}

/** Counts the characters before the padding. */
function countLetters(plain: string): number {
  const filling = plain.indexOf('=');
  return filling === -1 ? plain.length : filling;
}

/** All lines but the last have whole groups of four and are longer than any word. */
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

/** Decodes both alphabets of base64. */
const decode = (plain: string): Uint8Array => Buffer.from(plain, 'base64');

// The functions below unpack a document, or report why they cannot.

/** The limit of one unpacked document in an answer. */
const MAX_DOCUMENT_BYTES = 50_000_000;

/** The number of times that a document may be compressed; twice occurs. */
const MAX_LAYERS = 2;

type Unpacked = { bytes: Uint8Array } | { fault: 'too-large' } | { fault: 'damaged'; start: Uint8Array };

const isGzip = ([first, second]: Uint8Array) => first === 0x1f && second === 0x8b;

/** Checks the two bytes of a zlib header, which contain a checksum. */
const isZlib = ([first = 0, second = 0]: Uint8Array) =>
  (first & 0x0f) === 8 && first >> 4 <= 7 && (first * 256 + second) % 31 === 0;

const isPacked = (bytes: Uint8Array) => isGzip(bytes) || isZlib(bytes);

const unpackers = { gzip: promisify(gunzip), zlib: promisify(inflate) };

/** Returns bytes that are not compressed as they are, even if they begin like zlib. */
async function unpack(bytes: Uint8Array, layers = 0): Promise<Unpacked> {
  if (bytes.length > MAX_DOCUMENT_BYTES) return { fault: 'too-large' };
  if (layers === MAX_LAYERS || !isPacked(bytes)) return { bytes };
  const unpacker = isGzip(bytes) ? unpackers.gzip : unpackers.zlib;
  try {
    return await unpack(await unpacker(bytes, { maxOutputLength: MAX_DOCUMENT_BYTES }), layers + 1);
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return { fault: 'too-large' };
    return isGzip(bytes) ? { fault: 'damaged', start: await readStart(bytes) } : { bytes };
  }
}

/** Returns the readable start of a compressed document whose end is missing. */
async function readStart(bytes: Uint8Array): Promise<Uint8Array> {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_DOCUMENT_BYTES };
  return unpackers.gzip(bytes, options).catch(() => new Uint8Array());
}
