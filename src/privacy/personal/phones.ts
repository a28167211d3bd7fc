/**
 * Finds telephone numbers in a text by how they are written. Order ids, EANs, tracking numbers, dates and
 * prices do not match.
 */

import type { PersonalRange } from './personal-range.ts';

/** The bounds of a number in groups of digits: the characters after its first digit, up to its last. */
const MAX_REST = 39;
const MIN_REST = 5;

/** Matches a group of digits with its brackets and plus sign. */
const GROUP = /[+(]{0,2}\d+\)?/g;

/** The highest number of digits in the international numbering plan (E.164). */
const MAX_DIGITS = 15;
const MIN_DIGITS = 7;
/** The lowest number of digits if no call word comes before them. */
const MIN_NATIONAL = 9;

/**
 * Matches words for a phone in the languages of the marketplaces. A number of the right length after one of
 * them is a telephone number.
 */
const CALL_WORDS =
  /(?:(?<!\p{L})(?:t[eé]l|telefon[oe]?|tel[eé]fono|telefonnummer|telefoon|t[eé]l[eé]phone|telefax|phone|fax|mobile?|m[oó]vil|mobiel|handy|handynummer|cell|cellulare|cellphone|gsm|portable|puhelin|whats ?app|call|anruf|anrufen|rufen?)|電話|電話番号|携帯|手机|电话|전화|☎️?|☏|📞|📱)[\s.:=#"'-]{0,4}(?:(?:nr|no|nummer|number|is|ist|at|on|unter|an|me|us|mich|uns)[\s.:]{1,3}){0,3}$/iu;
/** The number of characters before a number in which such a word is looked for. */
const WORD_ROOM = 40;

/** `+33 6 12 34 56 78` has six groups. A longer row of groups contains no telephone numbers. */
const MAX_GROUPS = 8;
const MAX_GROUPS_IN_A_ROW = 12;

const ORDER_ID = /^\d{3}-\d{7}-\d{7}$/;
const ISBN = /^97[89][ -]?\d/;
/** Matches `06.12.34.56.78`, which begins like a date. */
const PAIRS = /^0[1-9](?:\.\d{2}){4}$/;
/** Matches `(11) 91234-5678`. */
const AREA_IN_BRACKETS = /^\(\d{2,4}\)[ -]?\d{3,5}[ -]\d{3,4}$/;
const DATE = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})(?!\d)/;
/** Matches digits with a single point. */
const DECIMAL = /^\d+\.\d+$/;
/** Matches thousands: `1.234.567`, `0.123.456`. */
const THOUSANDS = /^\d{1,3}(?:\.\d{3})+$/;
const NORTH_AMERICAN = /^(?:1[-. ])?(?:\([2-9]\d{2}\)[-. ]?|[2-9]\d{2}[-. ])\d{3}[-. ]\d{4}$/;
/** Matches mobile numbers that are often written in one piece. */
const MOBILE_IN_ONE = /^0(?:1[567]|[467]|[789]0)\d{8,9}$/;
const SEPARATOR = /[\s()./\u2010-\u2015-]/u;

interface PhoneOptions {
  /**
   * Finds only numbers in international form (`+49 30 1234567`), for texts that may be a code or an id as a
   * whole.
   */
  onlyInternational?: boolean;
}

/**
 * Yields the numbers in the order of the text, in linear time: candidates do not overlap and have at most 41
 * characters.
 */
export function* findPhones(
  text: string,
  { onlyInternational = false }: PhoneOptions = {},
): Generator<PersonalRange> {
  for (const { start, end } of findCandidates(text)) {
    const from = Math.max(0, start - WORD_ROOM);
    const around = narrow(text.slice(from, end + 2));
    const groups = toGroups(around.slice(start - from, end - from), start - from);
    if (groups.length > MAX_GROUPS_IN_A_ROW) continue;
    for (let first = 0; first < groups.length; first += 1) {
      const last = findLast(around, groups, first, onlyInternational);
      if (last < 0) continue;
      yield {
        kind: 'phone',
        start: from + (groups[first]?.start ?? 0),
        end: from + (groups[last]?.end ?? 0),
      };
      first = last;
    }
  }
}

/** Yields ranges of digits and usual separators that have enough digits for a number. */
function* findCandidates(text: string): Generator<{ start: number; end: number }> {
  for (let first = 0; first < text.length; first += 1) {
    if (!isDigit(narrowCode(text.charCodeAt(first)))) continue;
    let last = first;
    let digits = 1;
    const furthest = Math.min(text.length - 1, first + MAX_REST);
    for (let at = first + 1; at <= furthest; at += 1) {
      const code = narrowCode(text.charCodeAt(at));
      if (isDigit(code)) {
        last = at;
        digits += 1;
      } else if (!isSeparator(code)) break;
    }
    if (last - first < MIN_REST) continue;
    const before = first === 0 ? 0 : narrowCode(text.charCodeAt(first - 1));
    const start = before === PLUS || before === BRACKET ? first - 1 : first;
    first = last;
    if (digits >= MIN_DIGITS) yield { start, end: last + 1 };
  }
}

const PLUS = 0x2b;
const BRACKET = 0x28;

const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

function isSeparator(code: number): boolean {
  if (code < 0x80) {
    // These are blanks and ( ) - . /
    return (
      code === 0x20 ||
      (code >= 0x09 && code <= 0x0d) ||
      code === 0x28 ||
      code === 0x29 ||
      (code >= 0x2d && code <= 0x2f)
    );
  }
  return SEPARATOR.test(String.fromCharCode(code));
}

/** Returns the ASCII form of full-width digits and signs (Japanese) and of Arabic digits. */
function narrowCode(code: number): number {
  if (code < 0x660) return code;
  if (code <= 0x669) return code - 0x630;
  return code >= 0xff01 && code <= 0xff5e ? code - 0xfee0 : code;
}

function narrow(text: string): string {
  return text.replace(/[\uFF01-\uFF5E\u0660-\u0669]/g, (wide) =>
    String.fromCharCode(narrowCode(wide.charCodeAt(0))),
  );
}

interface Digits {
  start: number;
  end: number;
  digits: number;
}

function toGroups(candidate: string, from: number): Digits[] {
  return Array.from(candidate.matchAll(GROUP), ({ 0: group, index }) => ({
    start: from + index,
    end: from + index + group.length,
    digits: group.replace(/\D/g, '').length,
  }));
}

/** Returns the last group of the longest number that begins with the group `first`; -1 if none does. */
function findLast(
  text: string,
  groups: readonly Digits[],
  first: number,
  onlyInternational: boolean,
): number {
  const start = groups[first]?.start ?? 0;
  let digits = 0;
  let last = first;
  for (; last < Math.min(groups.length, first + MAX_GROUPS); last += 1) {
    const more = groups[last]?.digits ?? 0;
    if (digits + more > MAX_DIGITS) break;
    digits += more;
  }
  if (digits < MIN_DIGITS || !isFreeBefore(text, start)) return -1;
  // After another group, the text before this one ends in digits, so no call word can precede it.
  const isCalled = !onlyInternational && first === 0 && CALL_WORDS.test(text.slice(0, start));
  for (last -= 1; digits >= MIN_DIGITS; last -= 1) {
    const end = groups[last]?.end ?? 0;
    if (isPhone(text.slice(start, end), isCalled, onlyInternational) && isFreeBehind(text, end)) return last;
    digits -= groups[last]?.digits ?? 0;
  }
  return -1;
}

/**
 * True unless it is in the middle of a word, number, id or path. In scripts without blanks, letters may touch
 * the number.
 */
function isFreeBefore(text: string, start: number): boolean {
  return !/(?![\u3040-\u30FF\u3400-\u9FFF])[\p{L}\p{N}_][/#-]?$|\d[.:,]$/u.test(
    text.slice(Math.max(0, start - 2), start),
  );
}

function isFreeBehind(text: string, end: number): boolean {
  return !/^(?:(?![\u3040-\u30FF\u3400-\u9FFF])[\p{L}\p{N}_]|[-./:,]\d|-\p{L})/u.test(
    text.slice(end, end + 2),
  );
}

function isPhone(written: string, isCalled: boolean, onlyInternational: boolean): boolean {
  const digits = written.replace(/\D/g, '');
  if (written.startsWith('+')) return /^[1-9]/.test(digits);
  if (onlyInternational || !(isCalled || isNational(written, digits))) return false;
  return !isOtherNumber(written, digits);
}

function isNational(written: string, digits: string): boolean {
  if (digits.length < MIN_NATIONAL) return false;
  const isGrouped = SEPARATOR.test(written);
  if (AREA_IN_BRACKETS.test(written)) return digits.length <= 11;
  if (digits.startsWith('00')) return /^00[1-9]/.test(digits) && digits.length >= (isGrouped ? 10 : 12);
  if (digits.startsWith('0')) {
    if (digits.length > 12) return false;
    return isGrouped || (MOBILE_IN_ONE.test(digits) && !isArticleNumber(digits));
  }
  return NORTH_AMERICAN.test(written);
}

function isOtherNumber(written: string, digits: string): boolean {
  return (
    ORDER_ID.test(written) ||
    ISBN.test(written) ||
    (DATE.test(written) && !PAIRS.test(written)) ||
    DECIMAL.test(written) ||
    THOUSANDS.test(written) ||
    (written === digits && isArticleNumber(digits))
  );
}

/** True for an EAN, UPC or GTIN, whose last digit is a check digit. */
function isArticleNumber(digits: string): boolean {
  if (![8, 12, 13, 14].includes(digits.length)) return false;
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}
