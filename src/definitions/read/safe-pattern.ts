/**
 * Which patterns of a file are checked: those of a grammar so plain that no text can make them slow. Node's expressions
 * go back and try again, and a pattern with several ways to match a text may try them all.
 */

import { hasHidden } from '../../base/text/escape-text.ts';

const LONGEST_PATTERN = 500;
/** Alternatives and optional parts: each may double the work. */
const MOST_CHOICES = 6;
/** Characters that the fixed parts stand for. */
const LONGEST_TEXT = 256;

/**
 * One piece of a pattern, from the start: a class, an escape, a character, or a bracket, and how often it stands there.
 * Look-arounds, references to groups, and named or lazy parts are none of them.
 */
const PIECE =
  /(\[\^?(?:\\[\w\W]|[^\\\]])+\]|\\[dDwWsS]|\\[^\w]|[^\\()[\]{}*+?|^$]|\^|\$|\((?:\?:)?|\||\))(\{\d{1,3}\}|\{\d{1,3},\d{0,3}\}|[*+?])?/y;

interface Cost {
  /** Parts that may take as many characters as they like. */
  open: number;
  choices: number;
  length: number;
}

/**
 * At most one part of variable length, and then from the start of the text; no bracket is repeated, few are optional.
 * The steps of a match are then at most 2^MOST_CHOICES * LONGEST_TEXT for each character of the text.
 */
export function isSafePattern(pattern: string): boolean {
  if (pattern.length > LONGEST_PATTERN || hasHidden(pattern)) return false;
  const cost = costOf(pattern);
  if (cost === undefined || cost.choices > MOST_CHOICES || cost.length > LONGEST_TEXT) return false;
  // A pattern that may begin anywhere is tried everywhere; with alternatives outside brackets only one is anchored.
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

/** False for what the grammar does not have: a bracket, or an anchor, that is repeated. */
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
