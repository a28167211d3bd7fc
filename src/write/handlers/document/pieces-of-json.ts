/** A JSON text in pieces, so that strings of it can be replaced and all else leaves as it was written. */

import { createScanner } from 'jsonc-parser';

export interface PieceOfJson {
  /** As it stands in the text. */
  written: string;
  /** The value of a string, without its quotes and escapes; undefined for any other piece. */
  value?: string;
  /** The string is the name of a member. */
  isName?: boolean;
}

// The library's own names are of a constant enum, which is gone when it is compiled.
const STRING = 10;
const COLON = 6;
const END = 17;

/**
 * All pieces in their order: joined they are the text. Parsing it and writing it again would round long numbers and drop the
 * first of two members of one name.
 */
export function piecesOfJson(text: string): PieceOfJson[] {
  const scanner = createScanner(text, false);
  const pieces: PieceOfJson[] = [];
  let lastString: PieceOfJson | undefined;
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    const start = scanner.getTokenOffset();
    const written = text.slice(start, start + scanner.getTokenLength());
    const piece: PieceOfJson = kind === STRING ? { written, value: scanner.getTokenValue() } : { written };
    if (kind === STRING) lastString = piece;
    if (kind === COLON && lastString !== undefined) lastString.isName = true;
    pieces.push(piece);
  }
  return pieces;
}
