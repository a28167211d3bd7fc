/**
 * The single redaction before every sink: it replaces known secrets by value, and anything that looks like a
 * secret by shape.
 */

import { endOfString, jsonText } from '../../base/json.ts';
import { ServiceText } from '../../base/text/service-text.ts';
import { createKnownSecrets, MIN_SECRET_CHARACTERS } from './known-secrets.ts';

export interface Redactor {
  /**
   * Redacts this secret from now on. Values under 8 characters are redacted by shape only, since they could
   * be words.
   * @param use its current use (`access token of default`): it is not dropped until another secret replaces
   * it
   */
  add(secret: string, use?: string): void;
  redact(text: string): string;
  /**
   * Returns a copy with every string and number redacted, member names included. Members with a secret's name
   * are replaced whole. Errors become plain objects, texts of the service their structured form.
   */
  redactValue(value: unknown): unknown;
  /**
   * Does the same for parsed JSON, but returns the value itself if there is nothing to redact, which one pass
   * over its text decides.
   * @param json exactly this value as JSON, if it has been written already.
   */
  redactJson(value: unknown, json?: string): unknown;
}

const MARK = '[redacted]';
/** Replaces a folder that must not be disclosed. */
const FOLDER_MARK = '[server]';

/**
 * @param folders of this machine that are hidden from users at other machines: paths in them show their last
 * part only
 */
export function createRedactor(folders: readonly string[] = []): Redactor {
  const known = createKnownSecrets();
  const hidden = [...new Set(folders)].sort((one, other) => other.length - one.length);
  const hiddenInJson = hidden.map((folder) => JSON.stringify(folder).slice(1, -1));

  const redact = (text: string): string => {
    const { inText, shortest, standIn } = known.needles();
    let clean = hidden.reduce(hideFolder, text);
    // Most texts are shorter than any secret, and cannot contain one.
    if (text.length >= shortest && standIn(text))
      for (const needle of inText) clean = clean.replaceAll(needle, MARK);
    return redactShapes(clean, MARK);
  };
  const redactValue = (value: unknown) => copyRedacted(value, redact, new Map());
  const redactJson = (value: unknown, json = jsonText(value)): unknown => {
    const { inJson, standIn } = known.needles();
    const hasSecret = standIn(json) && inJson.some((needle) => json.includes(needle));
    const mayHaveFolder = hiddenInJson.some((folder) => json.includes(folder));
    return hasSecret || mayHaveFolder || mayMatchPattern(json) ? redactValue(value) : value;
  };

  return { add: known.add, redact, redactValue, redactJson };
}

/** Hides the folder if a path begins with it, but not in the middle of another path or of an address. */
function hideFolder(text: string, folder: string): string {
  const parts = text.split(folder);
  return parts.reduce((before, after) => {
    const isWhole = !PATH_CHARACTER.test(before.at(-1) ?? '') && !NAME_CHARACTER.test(after.at(0) ?? '');
    return `${before}${isWhole ? FOLDER_MARK : folder}${after}`;
  });
}

const PATH_CHARACTER = /[\w.:/\\-]/;
const NAME_CHARACTER = /[\w-]/;

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
  // The prototype stays, so that lossless JSON numbers keep their class; an error's prototype would add
  // nothing.
  const copy: Record<string, unknown> = Object.create(
    value instanceof Error ? Object.prototype : Object.getPrototypeOf(value),
  );
  copies.set(value, copy);
  for (const [key, member] of [...errorMembers(value), ...Object.entries(value)]) {
    const blot = SECRET_MEMBERS.has(key.toLowerCase());
    const clean = blot ? redactMember(member, redact, copies) : copyRedacted(member, redact, copies);
    Object.defineProperty(copy, redact(key), {
      value: clean,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return copy;
}

/** Returns the members of an error that are not enumerable. */
function errorMembers(value: object): [string, unknown][] {
  if (!(value instanceof Error)) return [];
  return [
    ['name', value.name],
    ['message', value.message],
    ['stack', value.stack],
    ...(value.cause === undefined ? [] : [['cause', value.cause] satisfies [string, unknown]]),
  ];
}

function redactList(list: readonly unknown[], redact: (text: string) => string, copies: Copies): unknown {
  const known = copies.get(list);
  if (known !== undefined) return known;
  const blotted: unknown[] = [];
  copies.set(list, blotted);
  for (const item of list) blotted.push(redactMember(item, redact, copies));
  return blotted;
}

/**
 * Replaces any value of a member with a secret's name, unless it is empty, too short, or masked on purpose.
 */
function redactMember(member: unknown, redact: (text: string) => string, copies: Copies): unknown {
  if (typeof member === 'number' || typeof member === 'bigint')
    return String(member).length < MIN_SECRET_CHARACTERS ? member : MARK;
  if (Array.isArray(member)) return redactList(member, redact, copies);
  if (typeof member !== 'string') return copyRedacted(member, redact, copies);
  return member === '' || isMasked(member) ? member : MARK;
}

/** The prefixes of the service's secrets: access, refresh and restricted data token, client secret. */
const kinds = ['Atza|', 'Atzr|', 'Atz.sprdt|', 'amzn1.oa2-cs.'];

/**
 * Returns for example `Atza|…(382 characters)`: a known prefix and the length, no character of the secret
 * itself.
 */
export function maskToken(token: string): string {
  const kind = kinds.find((prefix) => token.startsWith(prefix)) ?? '';
  return `${kind}…(${token.length} characters)`;
}

/** True for a result of `maskToken`, which is shown on purpose. */
function isMasked(text: string): boolean {
  return /^[^…]{0,20}…\(\d{1,9} characters\)$/.test(text);
}

// Members with these names contain a secret, and are redacted in any notation.

const names = [
  'client_secret',
  'clientSecret',
  'refresh_token',
  'refreshToken',
  'access_token',
  'accessToken',
  'restrictedDataToken',
  'x-amz-access-token',
  'SELLER_CLIENT_SECRET',
  'SELLER_REFRESH_TOKEN',
];

/** The same names in lower case. */
const SECRET_MEMBERS: ReadonlySet<string> = new Set(names.map((name) => name.toLowerCase()));

const name = `(?:${names.join('|')})`;

/** A masked token (`Atza|…(382 characters)`) is shown on purpose. */
const unlessMasked = '(?![^"\'…]{0,20}…\\()';

/**
 * Each pattern preserves its first group and drops the rest. All are linear: no repetition is beside another
 * that takes the same characters, and every optional run is bounded. None repeats a group, because that takes
 * stack for each round.
 */
const patterns: readonly RegExp[] = [
  /(\bBearer[ \t]{1,8})[\w~+/|=.%-]{12,}/gi,
  /(Atz[a-z.]{0,10}(?:\||%7C|\\u007c))[\w~+/|=.%-]+/gi,
  /(amzn1\.oa2-cs\.)[\w.-]+/gi,
  // This matches JSON inside a JSON string, escaped any number of times.
  new RegExp(`(\\\\"${name}\\\\{1,8}"\\s{0,8}:\\s{0,8}\\\\{1,8}")${unlessMasked}[^"\\\\]+`, 'gi'),
  // This matches the output of Node for an object.
  new RegExp(`(${name}'?\\s{0,8}[:=]\\s{0,8}')${unlessMasked}[^']+`, 'gi'),
  // This matches a form, an address, or an environment block.
  new RegExp(`(\\b${name}=)(?=[^\\s&'"])${unlessMasked}[^\\s&'"]+`, 'gi'),
];

/** Matches JSON up to the value, which is whole or cut off in the middle. */
const jsonMember = new RegExp(`"${name}"\\s{0,8}:\\s{0,8}"(?!")${unlessMasked}`, 'gi');

/**
 * Every pattern needs one of these words: a text without them is left as it is, for the cost of one search.
 */
const hint = /bearer|atz|amzn1|client_?secret|refresh_?token|access_?token|access-token|restricteddatatoken/i;

/** False if the text cannot match any pattern. */
function mayMatchPattern(text: string): boolean {
  return hint.test(text);
}

function redactShapes(text: string, mark: string): string {
  if (!mayMatchPattern(text)) return text;
  let clean = redactJsonMembers(text, mark);
  for (const pattern of patterns) {
    clean = clean.replace(pattern, (whole: string, beforeSecret: string) =>
      whole === `${beforeSecret}${mark}` ? whole : `${beforeSecret}${mark}`,
    );
  }
  return clean;
}

function redactJsonMembers(text: string, mark: string): string {
  let clean = '';
  let done = 0;
  for (const match of text.matchAll(jsonMember)) {
    // The match is inside a value that is replaced already.
    if (match.index < done) continue;
    const start = match.index + match[0].length;
    clean += text.slice(done, start) + mark;
    done = endOfString(text, start);
  }
  return clean + text.slice(done);
}
