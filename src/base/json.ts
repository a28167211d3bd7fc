/** What JSON is to every wing: guards, text, size, and the one limit of nesting, checked at each door. */

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

/** The same where it is a JSON object; one without members in the place of anything else. */
export const toObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** The JSON objects of a list; none of anything else. */
export const objectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** A copy without the members that are undefined, at the top only. */
export function dropUndefined<T extends object>(object: T): T {
  const copy = { ...object };
  for (const name in copy) if (copy[name] === undefined) delete copy[name];
  return copy;
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

/** Where a JSON string that goes on at `from` ends: its closing quote, or the end of the text. */
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

/** What JSON text may hold before it is parsed: `depth` levels, `values` values and member names together. */
export interface JsonBounds {
  depth: number;
  values: number;
}

/**
 * For text before it is parsed: counts brackets, values and member names outside strings, on the bytes, in one pass
 * without recursion. Undefined where both bounds hold. Exact for JSON; of what is none, some number comes out.
 */
export function exceedsBounds(bytes: Uint8Array, bounds: JsonBounds): keyof JsonBounds | undefined {
  if (bytes.length <= Math.min(bounds.depth, bounds.values)) return undefined;
  let depth = 0;
  let values = 1;
  /** Just behind an opening bracket: what follows is the first value, unless the bracket closes. */
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

/** The same as `endOfString`, on the bytes. */
function endOfBytes(bytes: Uint8Array, from: number): number {
  let end = from;
  for (let byte = bytes[end]; byte !== QUOTE && byte !== undefined; byte = bytes[end])
    end += byte === BACKSLASH ? 2 : 1;
  return end;
}

/** For text before it is parsed: true when it nests deeper than `MAX_DEPTH`. */
export function nestsTooDeep(bytes: Uint8Array): boolean {
  return exceedsBounds(bytes, { depth: MAX_DEPTH, values: Number.POSITIVE_INFINITY }) !== undefined;
}
