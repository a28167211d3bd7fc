/**
 * Masks personal data in free text: values that look personal (e-mail addresses, telephone numbers) and
 * values with a name before them. Each is replaced by a placeholder.
 */

import { findEmails, findSpelledEmails, mayContainEmail } from './emails.ts';
import type { PersonalKind } from './kinds.ts';
import { findNamedValues, mayContainNamedValues } from './named-values.ts';
import { changeOutsidePlaceholders } from './outside-placeholders.ts';
import { copyRange, type PersonalRange } from './personal-range.ts';
import { findPhones } from './phones.ts';

/** Makes the placeholder of a value and records its original; undefined if the value stays as it is. */
type MakePlaceholder = (kind: PersonalKind, value: string) => string | undefined;

const PLUS = 0x2b;
/** Matches scripts that are written without blanks between words. */
const UNSPACED = /[\u3040-\u30FF\u3400-\u9FFF]/;
/**
 * A quick test that spares most texts of an answer the rest: it matches word separators and signs of an
 * address.
 */
const MAY_BE_PERSONAL = /[\s@＠%\\=&"'\u3040-\u30FF\u3400-\u9FFF]|^\+/;
/** True if there are words beside the digits; without them, a row of digits is more likely a code. */
const isText = (text: string) => UNSPACED.test(text) || (/\s/.test(text) && /\p{L}/u.test(text));

/** Masks a value of which nothing else is known; codes and ids are left alone. */
export function maskFreeText(text: string, markOf: MakePlaceholder): string {
  if (!MAY_BE_PERSONAL.test(text)) return text;
  const isPhoneForAbroad = text.charCodeAt(0) === PLUS;
  const isProse = text.length > 7 && isText(text);
  const emails = mayContainEmail(text) ? findEmails(text) : [];
  const named = mayContainNamedValues(text) ? findNamedValues(text) : [];
  if (!isProse && !isPhoneForAbroad) return replaceFound(text, mergeInOrder(named, emails), markOf);
  const found = mergeInOrder(emails, findPhones(text, { onlyInternational: !isProse }));
  return replaceFound(text, mergeInOrder(named, found), markOf);
}

/** Masks e-mail addresses only, for the name of a thing: numbers in it are those of parts and parcels. */
export function maskEmails(text: string, markOf: MakePlaceholder): string {
  return replaceFound(text, findEmails(text), markOf);
}

/** Masks prose that people write; placeholders in it stay. */
export function maskProse(text: string, markOf: MakePlaceholder): string {
  return changeOutsidePlaceholders(text, (piece) => {
    const named = mayContainNamedValues(piece) ? findNamedValues(piece) : [];
    const emails = mergeInOrder(findEmails(piece), findSpelledEmails(piece));
    return replaceFound(piece, mergeInOrder(named, mergeInOrder(emails, findPhones(piece))), markOf);
  });
}

/**
 * Matches a name of up to three words that begins a sentence or a clause, before the placeholder of a
 * contact.
 */
const SIGNER =
  /(^|[.!?…,;\n]\s{0,5})(\p{Lu}[\p{L}'’-]{1,30}(?: \p{Lu}[\p{L}'’-]{0,30}\.?){0,2})(, ?|\s{0,5}[-–—|\n]\s{0,5})(?=«(?:e-mail|phone) )/gu;
/** Matches words before a contact that are no names. */
const NO_NAME =
  /\b(?:(?:tele)?phone|telefon|tel[eé]fono|t[eé]l[eé]phone|tel|mobile?|handy|cell|e-?mail|mail|fax|whatsapp|contact|kontakt|contacto|support|service|hello|hi|hallo|hola|thanks|thank you|danke|gracias|merci|regards|gr[uü](?:ß|ss)e|saludos|cordialement|please|call|note)$/iu;

/**
 * Hides the name that signs a text before a contact: `Too small. Anna, «phone ...»`. The name gets no
 * placeholder, because the same word elsewhere may be no name.
 */
export function hideSigners(masked: string): string {
  if (!masked.includes('«')) return masked;
  return masked.replace(SIGNER, (whole: string, before: string, name: string, between: string) =>
    NO_NAME.test(name) ? whole : `${before}[name]${between}`,
  );
}

/** Masks texts of errors and logs, which name members without their values; placeholders in them stay. */
export function maskMessage(text: string, markOf: MakePlaceholder): string {
  return changeOutsidePlaceholders(text, (piece) =>
    replaceFound(piece, mergeInOrder(findEmails(piece), findPhones(piece)), markOf),
  );
}

function replaceFound(text: string, found: Iterable<PersonalRange>, markOf: MakePlaceholder): string {
  let clean = '';
  let done = 0;
  for (const one of found) {
    // A find that overlaps the last one is skipped: digits before an @ are part of an address already, and an
    // address may be part of a named value.
    if (one.start < done) continue;
    const value = copyRange(text, one);
    clean += text.slice(done, one.start) + (markOf(one.kind, value) ?? value);
    done = one.end;
  }
  return done === 0 ? text : clean + text.slice(done);
}

/** Merges both in the order of their start, lazily because a text can have very many. */
function* mergeInOrder(
  some: Iterable<PersonalRange>,
  others: Iterable<PersonalRange>,
): Generator<PersonalRange> {
  const waiting = others[Symbol.iterator]();
  let next = waiting.next();
  for (const one of some) {
    for (; next.done !== true && next.value.start < one.start; next = waiting.next()) yield next.value;
    yield one;
  }
  for (; next.done !== true; next = waiting.next()) yield next.value;
}
