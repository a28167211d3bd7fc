/**
 * Chooses the lines of a list that fit, the shortest first, so that nothing long pushes anything short out,
 * and counts what is missing.
 */

import { byteLength } from '../../../base/json.ts';

/** One or more sent members on one line. */
export interface TextLine {
  /** The text with every value whole. */
  text: string;
  /** The text with long values cut and counted; the same text if none is long. */
  short: string;
  /** The number of values in it. */
  members: number;
}

export interface FittedLines {
  lines: string[];
  /** The number of members whose line is missing or has a cut value. */
  notShown: number;
}

/** The bytes reserved for the line that counts the missing lines. */
const REMARK_BYTES = 60;

/** Fits the lines in their order, each indented, within `bytes` altogether, line ends included. */
export function fitLines(lines: readonly TextLine[], bytes: number, indent = '  '): FittedLines {
  const sizeOf = (text: string) => byteLength(indent) + byteLength(text) + 1;
  const whole = lines.map(({ text }) => sizeOf(text));
  if (sum(whole) <= bytes) return { lines: lines.map(({ text }) => indent + text), notShown: 0 };

  const cut = lines.map(({ short }) => sizeOf(short));
  const isAllThere = sum(cut) <= bytes;
  const chosen = new Map<number, string>();
  let left = bytes - (isAllThere ? 0 : REMARK_BYTES);
  for (const at of bySize(cut)) {
    const size = cut[at] ?? 0;
    if (size > left) break;
    left -= size;
    chosen.set(at, lines[at]?.short ?? '');
  }
  for (const at of bySize(whole)) {
    const more = (whole[at] ?? 0) - (cut[at] ?? 0);
    if (!chosen.has(at) || more > left) continue;
    left -= more;
    chosen.set(at, lines[at]?.text ?? '');
  }
  const missing = lines.length - chosen.size;
  const remark = missing === 0 ? [] : [indent + moreLines(missing)];
  return {
    lines: [...[...chosen].sort(([a], [b]) => a - b).map(([, text]) => indent + text), ...remark],
    notShown: sum(lines.map(({ text, members }, at) => (chosen.get(at) === text ? 0 : members))),
  };
}

/**
 * Returns the bytes that each of several lines may take, so that all of them have room: short lines leave
 * their rest to the long ones.
 */
export function roomForEach(sizes: readonly number[], bytes: number): number {
  let left = bytes;
  for (const [at, size] of sizes.toSorted((one, other) => one - other).entries()) {
    const share = left / (sizes.length - at);
    if (size > share) return Math.floor(share);
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

/** Formats the line for the lines that have no room. */
export const moreLines = (missing: number) => `... and ${missing} more lines that are not listed here`;

/** Returns the indexes, the smallest first; equal ones in their order. */
function bySize(sizes: readonly number[]): number[] {
  return [...sizes.keys()].sort((a, b) => (sizes[a] ?? 0) - (sizes[b] ?? 0));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
