/** Reads the text of a document, whole or line by line: in bounded pieces, in the charset of its bytes. */

import { TextReader } from '../../../../data/documents/charset.ts';
import { DOCUMENT_LIMITS } from '../../../../data/documents/limits.ts';
import { isWrapped, unwrap } from '../../../../data/documents/quoting.ts';
import { RecordReader } from '../../../../data/documents/record-reader.ts';

const PIECE_BYTES = 1024 * 1024;

/** @param contentType its charset is a hint where the bytes do not show theirs */
function* piecesOf(bytes: Uint8Array, contentType: string): Generator<string> {
  const reader = new TextReader(/;\s*charset="?([\w-]+)/i.exec(contentType)?.[1]);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield reader.decode(
      Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(PIECE_BYTES, bytes.length - at)),
    );
  }
  yield reader.end();
}

export const decodeText = (bytes: Uint8Array, contentType: string): string =>
  [...piecesOf(bytes, contentType)].join('');

/** Yields lines that are not blank, without their ends. */
export function* linesOf(bytes: Uint8Array, contentType: string): Generator<string> {
  let rest = '';
  for (const piece of piecesOf(bytes, contentType)) {
    const text = rest + piece;
    // A carriage return at the end of a piece may be the first half of a line end.
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = whole.includes('\r') ? whole.split(/\r\n|\n|\r/) : whole.split('\n');
    rest = (lines.pop() ?? '') + text.slice(whole.length);
    for (const line of lines) if (/\S/.test(line)) yield line;
  }
  if (/\S/.test(rest)) yield rest.replace(/\r$/, '');
}

/**
 * Yields the records of a CSV that are not blank, as cells without their quotes, which may contain line
 * breaks.
 * @throws DocumentError for a row that is too long
 */
export function* csvRecordsOf(bytes: Uint8Array, contentType: string): Generator<string[]> {
  const reader = new RecordReader('csv', ',', DOCUMENT_LIMITS);
  for (const piece of piecesOf(bytes, contentType)) yield* filled(reader.push(piece));
  yield* filled(reader.end());
}

function* filled(records: ReturnType<RecordReader['push']>): Generator<string[]> {
  for (const { fields, joined } of records) {
    if (!fields.some((field) => /\S/.test(field))) continue;
    yield fields.map((field, at) =>
      (joined.has(at) || !isWrapped(field.trim()) ? field : unwrap(field.trim())).trim(),
    );
  }
}
