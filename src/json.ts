/** What JSON is to every room: guards, text, size, and the one limit of nesting, checked at each door. */

export type JsonObject = Record<string, unknown>;

/**
 * Deepest nesting that is taken in, wherever a value enters: arguments, answers, definitions. No operation of the
 * service comes near, hosts read no deeper, and every walk behind the doors may recurse.
 */
export const MAX_DEPTH = 64;

/** True for a JSON object: not null, not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON of a value, compact. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

/** Bytes as UTF-8. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** For values that a parser has let in: true when they nest deeper than `levels`. */
export function isDeeperThan(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** For text before it is parsed: counts brackets outside strings, on the bytes, in one pass without recursion. */
export function nestsDeeperThan(bytes: Uint8Array, levels = MAX_DEPTH): boolean {
  if (bytes.length <= levels) return false;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (inString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > levels) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return false;
}
