/**
 * JSON for every package: type guards, text, size, and the one limit of nesting that every entry point
 * checks.
 */

export type JsonObject = Record<string, unknown>;

/**
 * The maximum nesting of values that enter anywhere: arguments, answers, definitions. No operation of the
 * service comes close and hosts parse no deeper, so that code behind the entry points may recurse.
 */
export const MAX_DEPTH = 64;

/** Returns true for a JSON object, which is neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is a JSON object, otherwise an empty object. */
export const toObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Returns the JSON objects of a list; an empty list for any other value. */
export const objectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** Returns a copy without undefined members, at the top level only. */
export function dropUndefined<T extends object>(object: T): T {
  const copy = { ...object };
  for (const name in copy) if (copy[name] === undefined) delete copy[name];
  return copy;
}

/** Parses JSON text; undefined when it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the compact JSON of a value. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

/** Returns the number of UTF-8 bytes. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Returns true when a parsed value nests deeper than `levels`. */
export function isDeeperThan(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

/**
 * Returns the index of the closing quote of a JSON string that continues at `from`, or the end of the text.
 */
export function endOfString(text: string, from: number): number {
  let end = from;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return Math.min(end, text.length);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const LAST_SPACE = 0x20;

/** Bounds of JSON text before it is parsed: `depth` levels, `values` values and member names together. */
export interface JsonBounds {
  depth: number;
  values: number;
}

/**
 * Checks text before it is parsed: counts brackets, values and member names outside strings, on the bytes, in
 * one pass without recursion. Returns undefined when both bounds hold. Counts are exact for JSON only.
 */
export function exceedsBounds(bytes: Uint8Array, bounds: JsonBounds): keyof JsonBounds | undefined {
  if (bytes.length <= Math.min(bounds.depth, bounds.values)) return undefined;
  let depth = 0;
  let values = 1;
  /**
   * True right after an opening bracket, where the next token is the first value unless it closes the
   * bracket.
   */
  let opened = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte <= LAST_SPACE) continue;
    const closes = byte === 0x5d || byte === 0x7d;
    if (opened && !closes) values++;
    opened = false;
    if (byte === QUOTE) i = endOfBytes(bytes, i + 1);
    else if (byte === COMMA || byte === COLON) values++;
    else if (closes) depth--;
    else if (byte === 0x5b || byte === 0x7b) {
      opened = true;
      if (++depth > bounds.depth) return 'depth';
    }
    if (values > bounds.values) return 'values';
  }
  return undefined;
}

/** Returns the end of a string like `endOfString`, on the bytes. */
function endOfBytes(bytes: Uint8Array, from: number): number {
  let end = from;
  for (let byte = bytes[end]; byte !== QUOTE && byte !== undefined; byte = bytes[end])
    end += byte === BACKSLASH ? 2 : 1;
  return end;
}

/** Returns true when text that is not parsed yet nests deeper than `MAX_DEPTH`. */
export function nestsTooDeep(bytes: Uint8Array): boolean {
  return exceedsBounds(bytes, { depth: MAX_DEPTH, values: Number.POSITIVE_INFINITY }) !== undefined;
}
