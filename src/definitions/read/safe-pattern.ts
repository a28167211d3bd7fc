/**
 * Accepts only patterns of a grammar so simple that no text can make them slow. Node's regular expressions
 * backtrack, so a pattern that matches a text in several ways may try them all.
 */

import { hasHidden } from '../../base/text/escape-text.ts';

const MAX_PATTERN_LENGTH = 500;
/** The maximum number of alternatives and optional parts, each of which may double the work. */
const MAX_CHOICES = 6;
/** The maximum number of characters that the fixed parts match. */
const MAX_FIXED_LENGTH = 256;

/**
 * One piece of a pattern, from the start: a class, an escape, a character or a bracket, with its quantifier.
 * Look-arounds, back-references, and named or lazy parts do not match.
 */
const PIECE =
  /(\[\^?(?:\\[\w\W]|[^\\\]])+\]|\\[dDwWsS]|\\[^\w]|[^\\()[\]{}*+?|^$]|\^|\$|\((?:\?:)?|\||\))(\{\d{1,3}\}|\{\d{1,3},\d{0,3}\}|[*+?])?/y;

interface Cost {
  /** The number of parts without an upper limit of characters. */
  open: number;
  choices: number;
  length: number;
}

/**
 * Accepts at most one part of variable length, and then only in an anchored pattern, with no repeated bracket
 * and few optional ones. A match then takes at most 2^MAX_CHOICES * MAX_FIXED_LENGTH steps per character of
 * the text.
 */
export function isSafePattern(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN_LENGTH || hasHidden(pattern)) return false;
  const cost = costOf(pattern);
  if (cost === undefined || cost.choices > MAX_CHOICES || cost.length > MAX_FIXED_LENGTH) return false;
  // A pattern that is not anchored is tried at every position. With alternatives outside brackets, only one
  // is anchored.
  const isAnchored = pattern.startsWith('^') && !hasOuterAlternative(pattern);
  if (!isAnchored && (cost.open > 0 || cost.choices > 0)) return false;
  return cost.open <= 1 && compiles(pattern);
}

function costOf(pattern: string): Cost | undefined {
  const cost: Cost = { open: 0, choices: 0, length: 0 };
  let at = 0;
  while (at < pattern.length) {
    PIECE.lastIndex = at;
    const [whole, piece = '', times = ''] = PIECE.exec(pattern) ?? [];
    if (whole === undefined || !add(cost, piece, times)) return undefined;
    at += whole.length;
  }
  return cost;
}

/** Returns false for a repeated bracket or anchor, which the grammar excludes. */
function add(cost: Cost, piece: string, times: string): boolean {
  if (piece === '|') cost.choices += 1;
  if (['|', '(', '(?:', '^', '$'].includes(piece)) return times === '';
  if (times === '?') cost.choices += 1;
  if (piece === ')') return times === '' || times === '?';
  const [, fixed] = /^\{(\d+)\}$/.exec(times) ?? [];
  if (times !== '' && times !== '?' && fixed === undefined) cost.open += 1;
  cost.length += Number(fixed ?? 1);
  return true;
}

function hasOuterAlternative(pattern: string): boolean {
  let depth = 0;
  for (let at = 0; at < pattern.length; ) {
    PIECE.lastIndex = at;
    const [whole = ' ', piece = ''] = PIECE.exec(pattern) ?? [];
    if (piece.startsWith('(')) depth += 1;
    if (piece === ')') depth -= 1;
    if (piece === '|' && depth === 0) return true;
    at += whole.length;
  }
  return false;
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
