/**
 * Parses the paths of `select`: member names joined by dots. On an array, a number is an index and `0-49` a
 * range (`50-` to its end); `*` or a plain name selects in every element. On a text, a range selects
 * characters (UTF-16 units). A name with other characters is written as a JSON string:
 * `attributes."odd.name"`.
 */

import { escapeInJson } from '../../../base/text/escape-text.ts';

export interface Segment {
  text: string;
  /** True if written as a JSON string, which is always a member name. */
  literal: boolean;
}

/** A range that includes both ends; `to` may be Infinity. */
export interface IndexRange {
  from: number;
  to: number;
}

const MAX_PATH_CHARACTERS = 4_000;
const TOKEN = /(?:^|\.)("(?:[^"\\]|\\.)*"|[^."[\]]+)|\[("(?:[^"\\]|\\.)*"|[^"[\]]+)\]/y;
const PLAIN = /^[\w$@][\w$@/:-]*$/;

/** Parses a path; undefined when it is not one. The empty path is the whole value. */
export function parsePath(path: string): Segment[] | undefined {
  if (path.length > MAX_PATH_CHARACTERS) return undefined;
  const segments: Segment[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < path.length) {
    const match = TOKEN.exec(path);
    const segment = match === null ? undefined : parseSegment(match[1] ?? match[2] ?? '');
    if (segment === undefined) return undefined;
    segments.push(segment);
  }
  return segments;
}

function parseSegment(text: string): Segment | undefined {
  if (!text.startsWith('"')) return { text, literal: false };
  try {
    return { text: String(JSON.parse(text)), literal: true };
  } catch {
    return undefined;
  }
}

/**
 * Formats a member name as a segment: plain if possible, otherwise a JSON string without hidden characters.
 */
export function nameSegment(name: string): string {
  if (PLAIN.test(name)) return name;
  return escapeInJson(JSON.stringify(name));
}

export function formatSegment(segment: Segment): string {
  if (!segment.literal) return segment.text;
  const plain = nameSegment(segment.text);
  // A quoted number stays quoted: on an array it would be an index otherwise.
  return /^\d/.test(plain) ? JSON.stringify(segment.text) : plain;
}

export function joinPath(base: string, segment: string): string {
  if (base === '') return segment;
  return segment === '' ? base : `${base}.${segment}`;
}

/** Parses `5`, `0-49` or `50-`. */
export function rangeOf({ text, literal }: Segment): IndexRange | undefined {
  const match = literal ? null : /^(\d{1,10})(-(\d{0,10}))?$/.exec(text);
  if (match === null) return undefined;
  const from = Number(match[1]);
  if (match[2] === undefined) return { from, to: from };
  const to = match[3] === '' ? Infinity : Number(match[3]);
  return to < from ? undefined : { from, to };
}

export function isEach(segment: Segment): boolean {
  return segment.text === '*' && !segment.literal;
}

/** Groups consecutive indexes into ranges, in the given order. */
export function runsOf(indexes: readonly number[]): IndexRange[] {
  const runs: IndexRange[] = [];
  for (const index of indexes) {
    const last = runs.at(-1);
    if (last !== undefined && last.to + 1 === index) last.to = index;
    else runs.push({ from: index, to: index });
  }
  return runs;
}

export function formatRange(from: number, to: number): string {
  return from === to ? `${from}` : `${from}-${to}`;
}
