/**
 * Decodes the text of a document, whole or line by line, in bounded pieces and in the charset of its bytes.
 */

import { isUtf8 } from 'node:buffer';

/** One step decodes this many bytes. */
const PIECE_BYTES = 1024 * 1024;

/**
 * Returns the name of the charset: a byte order mark shows UTF-16, and bytes that are not UTF-8 count as the
 * charset of Windows.
 */
function charsetOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

export const decodeText = (bytes: Uint8Array): string => new TextDecoder(charsetOf(bytes)).decode(bytes);

/** Yields the lines that are not blank, without their line ends. */
export function* linesOf(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder(charsetOf(bytes));
  let rest = '';
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const isLast = at + PIECE_BYTES >= bytes.length;
    const text = rest + decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: !isLast });
    // A carriage return at the end of a piece may be the first half of a line end.
    const whole = isLast || !text.endsWith('\r') ? text : text.slice(0, -1);
    const lines = whole.includes('\r') ? whole.split(/\r\n|\n|\r/) : whole.split('\n');
    rest = isLast ? '' : (lines.pop() ?? '') + text.slice(whole.length);
    for (const line of lines) if (/\S/.test(line)) yield line;
  }
}
