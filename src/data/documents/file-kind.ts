/**
 * Detects the kind of a file from its content alone: its name for users and the extension that its file name
 * needs.
 */

import { decodeStrictly } from './charset.ts';
import { detectFormat } from './detect-format.ts';

export interface FileKind {
  /** The name for users: `PDF`, `CSV`; `unknown` for unrecognized bytes. */
  name: string;
  /** The extension, which has no dot. */
  ending: string;
  mimeType: string;
}

const kind = (name: string, ending: string, mimeType: string): FileKind => ({ name, ending, mimeType });

const ZIP = kind('ZIP', 'zip', 'application/zip');
const ZPL = kind('ZPL', 'zpl', 'x-application/zpl');
const EPL = kind('EPL', 'epl', 'x-application/epl');
const XML = kind('XML', 'xml', 'application/xml');
const HTML = kind('HTML', 'html', 'text/html');
const TEXT = kind('text', 'txt', 'text/plain');

export const UNKNOWN_KIND = kind('unknown', 'dat', 'application/octet-stream');

/**
 * Signatures are long enough that no id or token begins so by chance. Common libraries misjudge shorter ones
 * (BMP, MP3).
 */
const SIGNATURES: readonly (readonly [begin: string, kind: FileKind])[] = [
  ['%PDF-', kind('PDF', 'pdf', 'application/pdf')],
  ['\xef\xbb\xbf%PDF-', kind('PDF', 'pdf', 'application/pdf')],
  ['\x89PNG\r\n\x1a\n', kind('PNG', 'png', 'image/png')],
  ['\xff\xd8\xff', kind('JPEG', 'jpg', 'image/jpeg')],
  ['GIF87a', kind('GIF', 'gif', 'image/gif')],
  ['GIF89a', kind('GIF', 'gif', 'image/gif')],
  ['II*\0', kind('TIFF', 'tif', 'image/tiff')],
  ['MM\0*', kind('TIFF', 'tif', 'image/tiff')],
  ['PK\x03\x04', ZIP],
];

/** A ZIP that is a workbook contains this part. */
const WORKBOOK = 'xl/workbook';
const EXCEL = kind('Excel', 'xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');

const TABLE_KINDS = {
  tab: kind('TSV', 'tsv', 'text/tab-separated-values'),
  csv: kind('CSV', 'csv', 'text/csv'),
  json: kind('JSON', 'json', 'application/json'),
  jsonl: kind('JSON lines', 'jsonl', 'application/x-ndjson'),
  xml: XML,
  other: UNKNOWN_KIND,
} as const;

/** The number of bytes at the beginning that are inspected. */
const START_BYTES = 64 * 1024;

/** @param start the beginning; in a ZIP, the part that identifies a workbook may follow later */
export function fileKind(start: Uint8Array): FileKind {
  const signed = signedKind(start);
  if (signed !== undefined) return signed;
  const text = decodeStart(start.subarray(0, START_BYTES));
  if (text === undefined) return UNKNOWN_KIND;
  return markedKind(text) ?? tableKind(text);
}

/**
 * Returns the kind of content that has a signature, or can only be markup or printer commands; undefined for
 * anything else.
 */
export function certainKind(start: Uint8Array): FileKind | undefined {
  if (!CERTAIN_FIRST_BYTES.has(start[0] ?? 0)) return undefined;
  const signed = signedKind(start);
  if (signed !== undefined) return signed;
  const text = decodeStart(start.subarray(0, START_BYTES));
  return text === undefined ? undefined : markedKind(text);
}

/**
 * The possible first bytes of such content: signatures, byte order marks, markup, commands, and blanks before
 * them.
 */
const CERTAIN_FIRST_BYTES: ReadonlySet<number> = new Set([
  ...SIGNATURES.map(([begin]) => begin.charCodeAt(0)),
  ...Buffer.from('<~^N \t\n\v\f\r', 'latin1'),
  ...Buffer.from('\xa0\xc2\xe1\xe2\xe3\xef\xfe\xff', 'latin1'),
]);

/** Returns true for printable UTF-8, so not for bytes that only happen to be letters. */
export function isPlainText(bytes: Uint8Array): boolean {
  const text = decodeStrictly(bytes, 'utf-8');
  return text !== undefined && isPrintable(text);
}

function signedKind(start: Uint8Array): FileKind | undefined {
  const first = latin1(start.subarray(0, 16));
  const found = SIGNATURES.find(([begin]) => first.startsWith(begin))?.[1];
  if (found !== ZIP) return found;
  return latin1(start).includes(WORKBOOK) ? EXCEL : ZIP;
}

function markedKind(text: string): FileKind | undefined {
  const begin = text.trimStart();
  if (/^<!doctype html|^<html[\s>]/i.test(begin)) return HTML;
  if (/^<\?xml\s/i.test(begin) || /^<[A-Za-z_][\w.:-]{0,99}(?:\s[^<>]{0,999})?\/?>/.test(begin)) return XML;
  // Zebra's commands begin with ^ or ~; downloads of graphics may come before the label itself.
  if (/^[~^][A-Z]/.test(begin) && /\^XA/.test(begin.slice(0, 4_000))) return ZPL;
  if (/^N\r?\n/.test(begin) && /^(?:A|B|LO|GW|q|Q|b|X)\d/m.test(begin.slice(0, 4_000))) return EPL;
  return undefined;
}

function tableKind(text: string): FileKind {
  const { format } = detectFormat(text, 'auto');
  if (format === 'tab' && !/^[^\r\n]*\t/.test(text)) return TEXT;
  // One line that contains a comma is a sentence rather than a table.
  if (format === 'csv' && !/[\r\n]/.test(text.trim())) return TEXT;
  return TABLE_KINDS[format];
}

/** Returns undefined for bytes that are no text in any charset that the service uses. */
function decodeStart(bytes: Uint8Array): string | undefined {
  const text = decodeStrictly(bytes, 'utf-8') ?? decodeWide(bytes) ?? latin1(bytes);
  return isPrintable(text) ? text : undefined;
}

function decodeWide([first, second, ...rest]: Uint8Array): string | undefined {
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isWide
    ? new TextDecoder(first === 0xff ? 'utf-16le' : 'utf-16be').decode(Uint8Array.from(rest))
    : undefined;
}

/** Allows tabs, line and page breaks, and the two characters that start a printer command. */
function isPrintable(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a text does not hold
  return !/[\0\x01\x03-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/.test(text);
}

const latin1 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
