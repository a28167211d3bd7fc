/**
 * Reads JSON text without losing anything: it finds members that an object has twice, and hands over the
 * items of a list one by one.
 */

import { isSafeNumber } from 'lossless-json';

export interface JsonReading {
  /**
   * Receives each item of the list in this member of the root, or of the root itself where it is a list; the
   * list is empty in the value then.
   */
  items?: { member: string; each(item: unknown, at: number): void };
}

/** The text is not JSON. */
export class NoJsonError extends Error {
  override readonly name = 'NoJsonError';
}

interface ReadJson {
  value: unknown;
  /** Paths of members that an object has twice, the first hundred. */
  repeated: readonly string[];
}

const MAX_REPEATED = 100;

/** @throws NoJsonError */
export function readJsonText(text: string, { items }: JsonReading = {}): ReadJson {
  const repeated: string[] = [];
  const path: (string | number)[] = [];
  let at = 0;

  const fail = (): never => {
    throw new NoJsonError('The text is no JSON');
  };
  const skip = () => {
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      at += 1;
    }
  };
  const take = (sign: string): boolean => {
    skip();
    if (text[at] !== sign) return false;
    at += 1;
    return true;
  };
  const readString = (): string => {
    const end = endOfString(text, at + 1);
    const written = text.slice(at, end);
    at = end;
    return parseString(written) ?? fail();
  };
  const readObject = (): unknown => {
    const members: [string, unknown][] = [];
    const names = new Set<string>();
    if (take('}')) return {};
    do {
      skip();
      if (text[at] !== '"') fail();
      const name = readString();
      if (!take(':')) fail();
      path.push(name);
      if (names.has(name) && repeated.length < MAX_REPEATED) repeated.push(path.join('.'));
      names.add(name);
      members.push([name, readValue()]);
      path.pop();
    } while (take(','));
    if (!take('}')) fail();
    return Object.fromEntries(members);
  };
  const readList = (): unknown => {
    const isItems =
      items !== undefined && (path.length === 0 || (path.length === 1 && path[0] === items.member));
    const all: unknown[] = [];
    if (take(']')) return all;
    let index = 0;
    do {
      path.push(index);
      const value = readValue();
      if (isItems) items.each(value, index);
      else all.push(value);
      path.pop();
      index += 1;
    } while (take(','));
    if (!take(']')) fail();
    return all;
  };
  const readValue = (): unknown => {
    skip();
    const sign = text[at];
    if (sign === '"') return readString();
    if (sign === '{' || sign === '[') {
      at += 1;
      return sign === '{' ? readObject() : readList();
    }
    PLAIN.lastIndex = at;
    const [written] = PLAIN.exec(text) ?? [];
    if (written === undefined) return fail();
    at += written.length;
    if (Object.hasOwn(WORDS, written)) return WORDS[written];
    // A number with more digits than a JavaScript number holds is shown as text, as it is sent.
    return isSafeNumber(written) ? Number(written) : written;
  };
  const value = readValue();
  skip();
  if (at < text.length) fail();
  return { value, repeated };
}

/** Returns the index behind the closing quote. */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from);
  for (;;) {
    if (end < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(end - slashes - 1) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end + 1;
    end = text.indexOf('"', end + 1);
  }
}

const BACKSLASH = 0x5c;

const PLAIN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

/** Parses a string with its quotes; returns undefined for text that is no string. */
function parseString(written: string): string | undefined {
  const inside = written.slice(1, -1);
  if (written.length >= 2 && written.endsWith('"') && !/[\\\p{Cc}"]/u.test(inside)) return inside;
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
