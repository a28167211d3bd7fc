/** The one redaction before every sink: known secrets by value, and anything that looks like one by shape. */

import { jsonText } from '../json.ts';
import { escapeText } from '../text/escape-text.ts';
import { ServiceText } from '../text/service-text.ts';
import { mayHoldShape, redactShapes, SECRET_MEMBERS } from './shapes.ts';

export interface Redactor {
  /**
   * From now on this secret never leaves; values under 8 characters are left to the shapes, since they could be words.
   * @param use what it is in use as (`access token of default`): it is not forgotten until another one takes its place
   */
  add(secret: string, use?: string): void;
  redact(text: string): string;
  /**
   * A copy with every string and number redacted, keys included, and members with a secret's name blotted out. Errors
   * become plain objects, words of the service their structured form.
   */
  redactValue(value: unknown): unknown;
  /**
   * For data as a JSON parser makes it: the value itself where there is nothing to redact, found in one look at its text.
   * @param json exactly this value as JSON, where it has been written already.
   */
  redactJson(value: unknown, json?: string): unknown;
}

const MARK = '[redacted]';
const MIN_SECRET_CHARACTERS = 8;

/** Rotating tokens would pile up in a process that lives for weeks: beyond so many, those that were used longest ago go. */
const MAX_SECRETS = 1000;

export function createRedactor(): Redactor {
  /** The one that was used last stands last. */
  const known = new Map<string, readonly string[]>();
  const inUse = new Map<string, string>();
  let needles: Needles | undefined;

  const forgetOldest = (added: string): void => {
    const kept = new Set([...inUse.values(), added]);
    for (const secret of known.keys()) {
      if (known.size <= MAX_SECRETS) return;
      if (!kept.has(secret)) known.delete(secret);
    }
  };

  /** Used just now. False where it is not known. */
  const touch = (secret: string): boolean => {
    const spelled = known.get(secret);
    if (spelled === undefined) return false;
    known.delete(secret);
    known.set(secret, spelled);
    return true;
  };

  /** What it replaces was in use until now. */
  const replaceInUse = (secret: string, use: string): void => {
    touch(inUse.get(use) ?? '');
    inUse.set(use, secret);
  };

  const add = (secret: string, use?: string): void => {
    if (secret.length < MIN_SECRET_CHARACTERS) return;
    if (use !== undefined) replaceInUse(secret, use);
    if (touch(secret)) return;
    known.set(secret, spellings(secret));
    needles = undefined;
    if (known.size > MAX_SECRETS) forgetOldest(secret);
  };

  const currentNeedles = (): Needles => {
    needles ??= toNeedles([...known.values()].flat());
    return needles;
  };

  const redact = (text: string): string => {
    const { inText, shortest } = currentNeedles();
    let clean = text;
    // Most texts are shorter than any secret, and cannot hold one.
    if (text.length >= shortest) for (const needle of inText) clean = clean.replaceAll(needle, MARK);
    return redactShapes(clean, MARK);
  };
  const redactValue = (value: unknown) => copyRedacted(value, redact, new Map());
  const redactJson = (value: unknown, json = jsonText(value)): unknown => {
    const isClean = !mayHoldShape(json) && !currentNeedles().inJson.some((needle) => json.includes(needle));
    return isClean ? value : redactValue(value);
  };

  return { add, redact, redactValue, redactJson };
}

/** Every spelling of every secret, as it stands in a text, and as it stands in the JSON of that text. */
interface Needles {
  /** The longest first: where one secret begins with another, the whole of it goes. */
  inText: readonly string[];
  inJson: readonly string[];
  /** Characters of the shortest one. */
  shortest: number;
}

function toNeedles(spelled: readonly string[]): Needles {
  const inText = [...new Set(spelled)].sort((a, b) => b.length - a.length);
  return {
    inText,
    inJson: [...new Set(inText.map((needle) => JSON.stringify(needle).slice(1, -1)))],
    shortest: inText.at(-1)?.length ?? Number.POSITIVE_INFINITY,
  };
}

/** Every form in which a secret may stand in a text: as it is, JSON-escaped, URL-encoded, in base64 wherever it begins. */
function spellings(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const url = encodeUrl(secret);
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const found = [
    secret,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    escaped.replaceAll('/', '\\/'),
    url,
    form,
    lowerHex(url),
    lowerHex(form),
    encodeUrl(url),
    escapeText(secret),
    ...asNumber(secret),
    ...base64Cores(secret),
  ];
  return [...new Set(found)].filter((one) => one.length >= MIN_SECRET_CHARACTERS);
}

/** Digits come back as a number, without leading zeros and perhaps with an exponent. */
function asNumber(secret: string): string[] {
  return /^\d+(?:\.\d+)?$/.test(secret) ? [String(Number(secret))] : [];
}

/** `encodeURIComponent` throws on half a surrogate pair; what cannot be sent as UTF-8 is replaced as a sender would. */
function encodeUrl(text: string): string {
  return encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'));
}

function lowerHex(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
}

/** The part of the base64 form that does not depend on the neighbours, for each of the three places where it can begin. */
function base64Cores(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const start = Math.ceil((offset * 8) / 6);
    const end = Math.floor(((offset + bytes.length) * 8) / 6);
    const core = encoded.slice(start, end);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

type Copies = Map<object, unknown>;

function copyRedacted(value: unknown, redact: (text: string) => string, copies: Copies): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value === 'number' || typeof value === 'bigint') return redactNumber(value, redact);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof ServiceText) return redact(value.data());
  if (copies.has(value)) return copies.get(value);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return '[binary]';
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    copies.set(value, list);
    for (const item of value) list.push(copyRedacted(item, redact, copies));
    return list;
  }
  if (value instanceof Map || value instanceof Set) return copyRedacted([...value], redact, copies);
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return copyRedacted(value.toJSON(), redact, copies);
  }
  return copyMembers(value, redact, copies);
}

function redactNumber(value: number | bigint, redact: (text: string) => string): unknown {
  const text = String(value);
  const clean = redact(text);
  return clean === text ? value : clean;
}

function copyMembers(value: object, redact: (text: string) => string, copies: Copies): object {
  // The prototype stays, so that numbers kept as text (lossless JSON) are still that; an error's would say nothing.
  const copy: Record<string, unknown> = Object.create(
    value instanceof Error ? Object.prototype : Object.getPrototypeOf(value),
  );
  copies.set(value, copy);
  for (const [key, member] of [...errorMembers(value), ...Object.entries(value)]) {
    const blot = SECRET_MEMBERS.has(key.toLowerCase());
    const clean = blot ? blotOut(member, redact, copies) : copyRedacted(member, redact, copies);
    Object.defineProperty(copy, redact(key), {
      value: clean,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return copy;
}

/** What an error holds in members that are not enumerable. */
function errorMembers(value: object): [string, unknown][] {
  if (!(value instanceof Error)) return [];
  return [
    ['name', value.name],
    ['message', value.message],
    ['stack', value.stack],
    ...(value.cause === undefined ? [] : [['cause', value.cause] satisfies [string, unknown]]),
  ];
}

/** Whatever stands under a secret's name; only what is empty, or masked on purpose, is none. */
function blotOut(member: unknown, redact: (text: string) => string, copies: Copies): unknown {
  if (typeof member === 'number' || typeof member === 'bigint')
    return String(member).length < MIN_SECRET_CHARACTERS ? member : MARK;
  if (Array.isArray(member)) return member.map((item) => blotOut(item, redact, copies));
  if (typeof member !== 'string') return copyRedacted(member, redact, copies);
  return member === '' || isMasked(member) ? member : MARK;
}

/** The public service's kinds of secret: access, refresh and restricted data token, client secret. */
const kinds = ['Atza|', 'Atzr|', 'Atz.sprdt|', 'amzn1.oa2-cs.'];

/** For example `Atza|…(382 characters)`: a known prefix and the length, no character of the secret itself. */
export function maskToken(token: string): string {
  const kind = kinds.find((prefix) => token.startsWith(prefix)) ?? '';
  return `${kind}…(${token.length} characters)`;
}

/** What `maskToken` makes: shown on purpose. */
function isMasked(text: string): boolean {
  return /^[^…]{0,20}…\(\d{1,9} characters\)$/.test(text);
}
