/** Lists the code points that must never reach a reader unescaped, written down apart from the tested code. */

const RANGES: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xe000, 0xf8ff],
  [0xfe00, 0xfe0d],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0xfffe, 0xffff],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0x1fffe, 0x1ffff],
  [0xe0000, 0xe0fff],
  [0xf0000, 0x10ffff],
];

/** Hidden code points of a text, as hexadecimal; `lines` lets line feeds, returns and tabs pass. */
export function hiddenIn(text: string, lines = false): string[] {
  return Array.from(text, (char) => char.codePointAt(0) ?? 0)
    .filter((code) => !(lines && (code === 0x0a || code === 0x0d || code === 0x09)))
    .filter((code) => RANGES.some(([from, to]) => code >= from && code <= to))
    .map((code) => code.toString(16));
}
