/** Stores the secrets that a process knows, with their current uses and every spelling to search for. */

import { escapeText } from '../../base/text/escape-text.ts';
import { createNeedleFinder } from './needle-finder.ts';

/** Shorter secrets could be words. */
export const MIN_SECRET_CHARACTERS = 8;

/**
 * The limit of stored secrets, because rotating tokens pile up in a process that runs for weeks. Those used
 * longest ago are dropped.
 */
const MAX_SECRETS = 1000;

export function createKnownSecrets() {
  /** The secret that was used last comes last. */
  const known = new Map<string, readonly string[]>();
  const inUse = new Map<string, string>();
  let needles: Needles | undefined;

  const forgetOldest = (added: string): void => {
    const retained = new Set([...inUse.values(), added]);
    for (const secret of known.keys()) {
      if (known.size <= MAX_SECRETS) return;
      if (!retained.has(secret)) known.delete(secret);
    }
  };

  /** Marks a secret as just used; false if it is not known. */
  const touch = (secret: string): boolean => {
    const spelled = known.get(secret);
    if (spelled === undefined) return false;
    known.delete(secret);
    known.set(secret, spelled);
    return true;
  };

  /** The replaced secret counts as just used, because it was in use until now. */
  const replaceInUse = (secret: string, use: string): void => {
    const before = inUse.get(use);
    if (before === secret) return;
    touch(before ?? '');
    inUse.set(use, secret);
  };

  /** Implements `Redactor.add`. */
  const add = (secret: string, use?: string): void => {
    if (secret.length < MIN_SECRET_CHARACTERS) return;
    if (use !== undefined) replaceInUse(secret, use);
    if (touch(secret)) return;
    known.set(secret, listSpellings(secret));
    needles = undefined;
    if (known.size > MAX_SECRETS) forgetOldest(secret);
  };

  return {
    add,
    needles(): Needles {
      needles ??= toNeedles([...known.values()].flat());
      return needles;
    },
  };
}

/** Every spelling of every secret, in a text and in the JSON of that text. */
interface Needles {
  /** The longest first, so that a secret that begins with another one is replaced as a whole. */
  inText: readonly string[];
  inJson: readonly string[];
  /** The number of characters of the shortest spelling. */
  shortest: number;
  /** False for a text, or its JSON, that contains none of them, as most do; one pass decides it. */
  standIn(text: string): boolean;
}

function toNeedles(spelled: readonly string[]): Needles {
  const inText = [...new Set(spelled)].sort((a, b) => b.length - a.length);
  const inJson = [...new Set(inText.map((needle) => JSON.stringify(needle).slice(1, -1)))];
  return {
    inText,
    inJson,
    shortest: inText.at(-1)?.length ?? Number.POSITIVE_INFINITY,
    standIn: createNeedleFinder([...new Set([...inText, ...inJson])]),
  };
}

/**
 * Returns every form that a secret may have in a text: as it is, JSON-escaped, URL-encoded, and in base64 at
 * any offset.
 */
export function listSpellings(secret: string): string[] {
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
    ...spellAsNumber(secret),
    ...spellInBase64(secret),
  ];
  return [...new Set(found)].filter((one) => one.length >= MIN_SECRET_CHARACTERS);
}

/** A secret of digits may come back as a number, without leading zeros and perhaps with an exponent. */
function spellAsNumber(secret: string): string[] {
  return /^\d+(?:\.\d+)?$/.test(secret) ? [String(Number(secret))] : [];
}

/**
 * Encodes as a sender would, which replaces what UTF-8 cannot express; `encodeURIComponent` alone throws on
 * half a surrogate pair.
 */
function encodeUrl(text: string): string {
  return encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'));
}

function lowerHex(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
}

/**
 * Returns the part of the base64 form that does not depend on its neighbors, for each of the three possible
 * offsets.
 */
function spellInBase64(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const start = Math.ceil((offset * 8) / 6);
    const end = Math.floor(((offset + bytes.length) * 8) / 6);
    const core = encoded.slice(start, end);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
