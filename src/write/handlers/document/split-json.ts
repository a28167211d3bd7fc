/** Splits a JSON text into pieces, so that strings can be replaced while all else stays as written. */

import { createScanner } from 'jsonc-parser';

export interface JsonPiece {
  /** The piece as it is in the text. */
  written: string;
  /** The value of a string, without its quotes and escapes; undefined for any other piece. */
  value?: string;
  /** True for a string that is the name of a member. */
  isName?: boolean;
}

// The library's names are members of a constant enum, which does not exist at run time.
const STRING = 10;
const COLON = 6;
const END = 17;

/**
 * Returns all pieces in their order, which together are the text. Parsing it and writing it again would round
 * long numbers, and drop the first of two members with one name.
 */
export function splitJson(text: string): JsonPiece[] {
  const scanner = createScanner(text, false);
  const pieces: JsonPiece[] = [];
  let lastString: JsonPiece | undefined;
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    const start = scanner.getTokenOffset();
    const written = text.slice(start, start + scanner.getTokenLength());
    const piece: JsonPiece = kind === STRING ? { written, value: scanner.getTokenValue() } : { written };
    if (kind === STRING) lastString = piece;
    if (kind === COLON && lastString !== undefined) lastString.isName = true;
    pieces.push(piece);
  }
  return pieces;
}
