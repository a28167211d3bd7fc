/**
 * Masks and shortens values for the journal: personal data and secrets are masked, the rest is cut until a
 * line stays one small write.
 */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { isJsonObject } from '../../../base/json.ts';
import { formatPath, type Segments } from '../../../base/json-difference.ts';
import { shortenToCharacters } from '../../../base/text/shorten.ts';
import { splitName } from '../../../privacy/personal/member-rule.ts';
import type { PersonalData } from '../../../privacy/personal/personal-data.ts';
import type { Change, MemberChange } from '../../model/change.ts';

const MASKED = '[masked]';
/** No real member name is longer; a longer text that pretends to be one is hidden rather than searched. */
const MAX_NAME = 200;

/** Parts of a member name, in lower case and without punctuation, whose values are secret. */
const SECRETS = /token|secret|password|authorization/;
/**
 * Words of a member name, with a blank between two, whose values are personal: `headphones` and `addressable`
 * contain none of them.
 */
const WORDS =
  / (?:e ?mails?|e ?mail ?addresse?s?|postal ?codes?|zip ?codes?|zip|tax ?id|cpf|cnpj|passport|(?:national|citizen|citizenship|identity) ?(?:id|number)|birth|birth ?(?:day|date)|iban|bank ?account|gift ?message) /;
/**
 * More such words, which only count before a number or a kind at the end: `phone_form_factor` describes a
 * thing.
 */
const LAST_WORDS =
  / (?:(?:tele|cell|mobile|home|work|buyer|customer|recipient|contact|ship|shipping|bill|billing)?phones?|fax|mobile|(?:shipping|billing|delivery|street)?address(?:es)?)(?: (?:numbers?|no|id|extension|ext|home|work|primary|secondary|lines?|fields?|details?|info|data|text|one|two|three|four|\d))* $/;
const WHOLE =
  /^((first|last|middle|full|given|family|buyer|recipient|contact|customer|sender|company|business)?name|surname|city|county|district|stateorregion|street|ssn)$/;
/**
 * The characters that no e-mail address has, the maximum length before its @, and the pattern of what
 * follows.
 */
const SEPARATOR = /[\s@<>"'(),;:]/;
const MAX_MAILBOX = 64;
const DOMAIN = /^[^\s@<>"'(),;:]{1,190}\.[^\s@<>"'(),;:.]{1,63}/;
const MAX_DOMAIN = 254;

/** Returns true for a member name whose value is masked, with everything below it. */
export function isSensitive(name: string): boolean {
  if (name.length > MAX_NAME) return true;
  const words = splitName(name);
  const plain = words.replaceAll(' ', '');
  return WHOLE.test(plain) || SECRETS.test(plain) || WORDS.test(words) || LAST_WORDS.test(words);
}

/** Returns true for a dotted path with a sensitive name anywhere on the way. */
export function isSensitivePath(path: string): boolean {
  return path.length > 10 * MAX_NAME || path.split(/[.[\]"]+/).some(isSensitive);
}

/** Masks the e-mail addresses in a text. It checks each @ once, within the length limits of an address. */
export function maskText(text: string): string {
  let masked = '';
  let done = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', Math.max(done, at + 1))) {
    const start = startOfMailbox(text, at, done);
    const domain = start === at ? null : DOMAIN.exec(text.slice(at + 1, at + 1 + MAX_DOMAIN));
    if (domain === null) continue;
    masked += text.slice(done, start) + MASKED;
    done = at + 1 + domain[0].length;
  }
  return masked + text.slice(done);
}

function startOfMailbox(text: string, at: number, done: number): number {
  const first = Math.max(done, at - MAX_MAILBOX);
  let start = at;
  while (start > first && !SEPARATOR.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/**
 * Masks a value below a sensitive name. Empty, missing and boolean values stay, because they reveal nothing
 * about anyone.
 */
function maskHidden(value: unknown): unknown {
  return value !== '' && (typeof value === 'string' || typeof value === 'number') ? MASKED : value;
}

/** The limits within which a value is recorded. */
export interface ShrinkLimits {
  /** Maximum characters of one string or member name. */
  text: number;
  /** Maximum members of one object, or elements of one array. */
  items: number;
  /** Maximum levels of nesting. */
  depth: number;
}

const GENEROUS: ShrinkLimits = { text: 256, items: 100, depth: 16 };
/** The limits from generous to bare; the first that fits is used. */
export const SHRINK_LIMITS: readonly ShrinkLimits[] = [
  GENEROUS,
  { text: 120, items: 30, depth: 8 },
  { text: 60, items: 12, depth: 5 },
  { text: 40, items: 6, depth: 3 },
  { text: 24, items: 4, depth: 1 },
];
/** Text beyond this length is never recorded, so it is not searched either; it is far above every limit. */
const MAX_SEARCHED = 2_048;

/** Returns the value within `room`, with personal members masked. A count replaces what is left out. */
export function shrink(value: unknown, room: ShrinkLimits = GENEROUS, hidden = false, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return shrinkLeaf(value, room, hidden);
  const isList = Array.isArray(value);
  const members: [string, unknown][] = Object.entries(value);
  if (depth >= room.depth && members.length > 0) return `[${members.length} ${isList ? 'items' : 'members'}]`;
  const rest = members.length - room.items;
  const included = members.slice(0, room.items).map(([name, inner]): [string, unknown] => {
    const isHidden = hidden || (!isList && isSensitive(name));
    return [maskAndShorten(name, room.text), shrink(inner, room, isHidden, depth + 1)];
  });
  if (isList) return [...included.map(([, inner]) => inner), ...(rest > 0 ? [`[${rest} more items]`] : [])];
  return Object.fromEntries(rest > 0 ? [...included, ['...', `[${rest} more members]`]] : included);
}

function shrinkLeaf(value: unknown, room: ShrinkLimits, hidden: boolean): unknown {
  if (hidden) return maskHidden(value);
  return typeof value === 'string' ? maskAndShorten(value, room.text) : value;
}

/** Returns a text without e-mail addresses, cut to `length`. */
export function maskAndShorten(text: string, length: number): string {
  if (text.length <= MAX_SEARCHED) return shortenToCharacters(maskText(text), length);
  // The cut may have halved an address before or after its @, which then no longer looks like one.
  const head = withoutHalfAddress(maskText(text.slice(0, MAX_SEARCHED)));
  return shortenToCharacters(head, length, text.length - MAX_SEARCHED);
}

/**
 * Removes the characters at the end that could begin an address: those from 64 before the first @ of the last
 * word.
 */
function withoutHalfAddress(text: string): string {
  let start = text.length;
  while (start > 0 && !/\s/.test(text.charAt(start - 1))) start -= 1;
  const at = text.indexOf('@', start);
  return text.slice(0, Math.max(start, (at < 0 ? text.length : at) - MAX_MAILBOX));
}

/** The other members are names and numbers of ours, and an account name can look like an e-mail address. */
const REQUEST_MEMBERS = ['parameters', 'body'];
const RESULT_MEMBERS = ['error', 'differences', 'what'];

/**
 * Masks what the assistant may not see in a record.
 * @param record an intent or an outcome, on file or read from there
 */
export function maskRecord<T>(record: T, personal: Pick<PersonalData, 'maskRecord' | 'maskTexts'>): T {
  if (!isJsonObject(record)) return record;
  const account = String(record.account ?? '');
  const operation = String(record.operation ?? '');
  const masked = (names: readonly string[], mask = (value: unknown) => value) =>
    names
      .filter((name) => record[name] !== undefined)
      .map((name) => [name, personal.maskTexts(mask(record[name]))] as const);
  const sent = masked(REQUEST_MEMBERS, (value) => personal.maskRecord(account, { operation }, value));
  return { ...record, ...Object.fromEntries([...sent, ...masked(RESULT_MEMBERS)]) };
}

/**
 * Returns whether members contain anything that the assistant may not see, or that the journal would mask.
 */
export function hasPersonalValues(members: readonly MemberChange[], shown: readonly MemberChange[]): boolean {
  if (canonicalJson(members) !== canonicalJson(shown)) return true;
  return members.some(
    ({ segments, before, after }) =>
      isSensitivePath(formatPath(segments)) || looksPersonal(before) || looksPersonal(after),
  );
}

/** Returns the change without the members that the journal would mask. */
export function withoutPersonal(change: Change): Change {
  const { differences = [], ...rest } = change;
  const isPublic = ({ segments, before, after }: (typeof differences)[number]) =>
    !isSensitivePath(formatPath(segments)) && !looksPersonal(before) && !looksPersonal(after);
  const included = differences.filter(isPublic);
  return { ...rest, differences: included, isWhole: false };
}

/** The limits for a value that is shown again, which are above what a query compares. */
const LIMITS = { text: 2_000, items: 1_000, depth: 32 };

/** Returns a member's value without what the journal would mask. */
export function maskMember(segments: Segments, value: unknown): unknown {
  return value === undefined ? undefined : shrink(value, LIMITS, isSensitivePath(formatPath(segments)));
}

function looksPersonal(value: unknown): boolean {
  if (typeof value === 'string') return maskText(value) !== value;
  if (Array.isArray(value)) return value.some(looksPersonal);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([name, member]) => isSensitivePath(name) || looksPersonal(member));
}
