/** Keeps texts within a number of tokens or characters, and counts what is missing. */

import { byteLength } from '../json.ts';

/** Tokens of a text: UTF-8 bytes / 3, rounded up. */
export function tokensOf(text: string): number {
  return Math.ceil(byteLength(text) / 3);
}

/** What a cut has opened between « and » is closed again, so that nothing behind it seems to be the service's. */
function closed(kept: string): string {
  return kept.lastIndexOf('«') > kept.lastIndexOf('»') ? `${kept}»` : kept;
}

/** Bytes kept for what says how much is missing. */
const REMARK_BYTES = 90;

/** The beginning of a text that fits into so many tokens (UTF-8 bytes / 3), and how many characters are missing. */
export function shortenToTokens(text: string, maxTokens: number): string {
  if (byteLength(text) <= maxTokens * 3) return text;
  const bytes = Buffer.from(text, 'utf8');
  let room = Math.max(0, Math.floor(maxTokens * 3 - REMARK_BYTES));
  while (isInsideCharacter(bytes[room])) room -= 1;
  const kept = bytes.toString('utf8', 0, room);
  return `${closed(kept)}... (${text.length - kept.length} more characters)`;
}

/** In UTF-8, every byte of a character but its first is 10xxxxxx. */
const isInsideCharacter = (byte = 0) => (byte & 0xc0) === 0x80;

/** What a cut leaves of a character of two units. */
const HALF_A_PAIR = /[\uD800-\uDBFF]$/;

/** Cut behind so many characters, never within one of two units. */
export const cutBehind = (text: string, most: number) => text.slice(0, most).replace(HALF_A_PAIR, '');

/** The first `most` characters of a text, and how many are missing, `rest` characters included that were cut before. */
export function shortenToCharacters(text: string, most: number, rest = 0): string {
  if (text.length + rest <= most) return text;
  const kept = cutBehind(text, most);
  return `${closed(kept)}... (${text.length + rest - kept.length} more characters)`;
}

/** The first values that fit into so many tokens as JSON. */
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

/** The first lines that fit into so many tokens; `remark`, of up to 90 bytes, says how many do not. */
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
    if (left < (isLast ? 0 : REMARK_BYTES)) break;
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

/** Returns what is made at the first level of detail at which both forms fit into so many tokens; at the last one where none does. */
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
