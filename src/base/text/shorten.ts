/** Shortens texts to a number of tokens or characters, and counts what is missing. */

import { byteLength } from '../json.ts';

/** Counts the tokens of a text: UTF-8 bytes / 3, rounded up. */
export function tokensOf(text: string): number {
  return Math.ceil(byteLength(text) / 3);
}

/** Closes a « that a cut left open, so that following text does not seem to be the service's. */
function closed(shown: string): string {
  return shown.lastIndexOf('«') > shown.lastIndexOf('»') ? `${shown}»` : shown;
}

/** The bytes reserved for the note about what is missing. */
const NOTE_BYTES = 90;

/**
 * Returns the beginning of a text that fits into `maxTokens` (UTF-8 bytes / 3), with the number of missing
 * characters.
 */
export function shortenToTokens(text: string, maxTokens: number): string {
  if (byteLength(text) <= maxTokens * 3) return text;
  const bytes = Buffer.from(text, 'utf8');
  let room = Math.max(0, Math.floor(maxTokens * 3 - NOTE_BYTES));
  while (isInsideCharacter(bytes[room])) room -= 1;
  const shown = bytes.toString('utf8', 0, room);
  return `${closed(shown)}... (${text.length - shown.length} more characters)`;
}

/** Every byte of a UTF-8 character except its first is 10xxxxxx. */
const isInsideCharacter = (byte = 0) => (byte & 0xc0) === 0x80;

/** Matches half of a surrogate pair at a cut. */
const HALF_A_PAIR = /[\uD800-\uDBFF]$/;

/** Cuts after `most` characters, never within a surrogate pair. */
export const cutBehind = (text: string, max: number) => text.slice(0, max).replace(HALF_A_PAIR, '');

/**
 * Returns the first `most` characters of a text and the number of missing ones, including `rest` that were
 * cut before.
 */
export function shortenToCharacters(text: string, max: number, rest = 0): string {
  if (text.length + rest <= max) return text;
  const shown = cutBehind(text, max);
  return `${closed(shown)}... (${text.length + rest - shown.length} more characters)`;
}

/** Returns the first values that fit into `maxTokens` as JSON. */
export function takeValues<T>(values: Iterable<T>, maxTokens: number): T[] {
  let left = maxTokens;
  const taken: T[] = [];
  for (const value of values) {
    left -= tokensOf(JSON.stringify(value)) + 1;
    if (left < 0) break;
    taken.push(value);
  }
  return taken;
}

/** Returns the first lines that fit into `maxTokens`; `remark`, of up to 90 bytes, states how many do not. */
export function takeLines(
  lines: readonly string[],
  maxTokens: number,
  remark: (missing: number) => string,
): string[] {
  const taken: string[] = [];
  let left = maxTokens * 3;
  for (const line of lines) {
    left -= byteLength(line) + 1;
    const isLast = taken.length === lines.length - 1;
    if (left < (isLast ? 0 : NOTE_BYTES)) break;
    taken.push(line);
  }
  const missing = lines.length - taken.length;
  return missing === 0 ? taken : [...taken, remark(missing)];
}

/** The same facts for a reader and for a program. */
interface BothForms {
  lines: readonly string[];
  data: unknown;
}

/**
 * Builds the first level of detail at which both forms fit into `maxTokens`, or the last level if none does.
 */
export function fitLevel<Level, Made extends BothForms>(
  levels: readonly Level[],
  maxTokens: number,
  make: (level: Level) => Made,
): Made {
  for (const [at, level] of levels.entries()) {
    const made = make(level);
    const tokens = Math.max(tokensOf(made.lines.join('\n')), tokensOf(JSON.stringify(made.data)));
    if (tokens <= maxTokens || at === levels.length - 1) return made;
  }
  throw new Error('There is no level of detail');
}
