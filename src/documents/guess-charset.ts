/** Which charset bytes fit that are not valid UTF-8, and Cp1252, which Node 20 decodes as Latin-1. */

/** Damaged UTF-8 has at least this many whole characters for each broken one; Cp1252 hardly ever has any. */
const WHOLE_FOR_BROKEN = 4;

/** True for UTF-8 in which a few characters are broken, as in titles that were cut by bytes. */
export function looksUtf8(bytes: Buffer): boolean {
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
 * True for Japanese in Shift_JIS: valid throughout, and with kana, which no Japanese text of some length lacks. A few
 * letters of Cp1252 can be valid too, but become rare signs, half-width kana or characters for private use.
 */
export function fitsShiftJis(bytes: Buffer): boolean {
  let text: string;
  try {
    text = new TextDecoder('shift_jis', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return false;
  }
  return count(text, KANA) > count(text, HALF_WIDTH_OR_PRIVATE);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** What Cp1252 has at 0x80 to 0x9f, where Latin-1 has control characters; five places are empty and stay as they are. */
const AT_80 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Node 20's own decoder of this name leaves out exactly these: prices lost their euro sign. */
export function decodeCp1252(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (sign) => AT_80[sign.charCodeAt(0) - 0x80] ?? sign);
}
