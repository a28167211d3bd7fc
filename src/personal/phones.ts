/** Telephone numbers in a text, told from order ids, EANs, tracking numbers, dates and prices by how they are written. */

import type { Found } from './found.ts';

/** Digits in groups, as people write a number: where one may stand. */
const CANDIDATE = /[+(]?\d[\d\s()./\u2010-\u2015-]{4,38}\d/gu;

/** A group of digits with what belongs to it. */
const GROUP = /[+(]{0,2}\d+\)?/g;

/** Numbers of the international plan have at most so many digits. */
const MOST_DIGITS = 15;
const FEWEST_DIGITS = 7;

/** In the languages of the marketplaces; behind one of these every number of the right length is a telephone number. */
const CALL_WORDS =
  /(?:(?<!\p{L})(?:t[eé]l|telefon[oe]?|tel[eé]fono|telefonnummer|telefoon|t[eé]l[eé]phone|telefax|phone|fax|mobile?|m[oó]vil|mobiel|handy|handynummer|cell|cellulare|cellphone|gsm|portable|puhelin|whats ?app|call|anruf|anrufen|rufen?)|電話|電話番号|携帯|手机|电话|전화|☎️?|☏|📞|📱)[\s.:=#"'-]{0,4}(?:(?:nr|no|nummer|number|is|ist|at|on|unter|an|me|us|mich|uns)[\s.:]{1,3}){0,3}$/iu;
/** Characters before a number in which such a word is looked for. */
const WORD_ROOM = 40;

/** `+33 6 12 34 56 78` has six groups; a row of more than so many is no row of telephone numbers. */
const MOST_GROUPS = 8;
const MOST_GROUPS_IN_A_ROW = 12;

const ORDER_ID = /^\d{3}-\d{7}-\d{7}$/;
const ISBN = /^97[89][ -]?\d/;
/** `06.12.34.56.78` begins like a date. */
const PAIRS = /^0[1-9](?:\.\d{2}){4}$/;
/** `(11) 91234-5678`. */
const AREA_IN_BRACKETS = /^\(\d{2,4}\)[ -]?\d{3,5}[ -]\d{3,4}$/;
const DATE = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})(?!\d)/;
/** One point or comma and nothing else between digits. */
const DECIMAL = /^\d+\.\d+$/;
/** `1.234.567`, `0.123.456`: thousands. */
const THOUSANDS = /^\d{1,3}(?:\.\d{3})+$/;
const NORTH_AMERICAN = /^(?:1[-. ])?(?:\([2-9]\d{2}\)[-. ]?|[2-9]\d{2}[-. ])\d{3}[-. ]\d{4}$/;
/** Prefixes of mobile numbers that are often written in one piece. */
const MOBILE_IN_ONE = /^0(?:1[567]|[467]|[789]0)\d{8,9}$/;
const SEPARATOR = /[\s()./\u2010-\u2015-]/u;

export interface PhoneOptions {
  /** Only such as are written for abroad (`+49 30 1234567`): for texts that may be a code or an id as a whole. */
  onlyInternational?: boolean;
}

/** Linear in the text: candidates do not overlap, and each is at most 41 characters. */
export function findPhones(written: string, { onlyInternational = false }: PhoneOptions = {}): Found[] {
  const text = narrow(written);
  const found: Found[] = [];
  for (const candidate of text.matchAll(CANDIDATE)) {
    const groups = groupsOf(candidate[0], candidate.index);
    if (groups.length > MOST_GROUPS_IN_A_ROW) continue;
    for (let first = 0; first < groups.length; first += 1) {
      const last = lastOf(text, groups, first, onlyInternational);
      if (last < 0) continue;
      found.push({ kind: 'phone', start: groups[first]?.start ?? 0, end: groups[last]?.end ?? 0 });
      first = last;
    }
  }
  return found;
}

/** Digits and signs as they are written in Japanese and in Arabic, each in its place. */
function narrow(text: string): string {
  return text
    .replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u0660-\u0669]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0x630));
}

interface Group {
  start: number;
  end: number;
}

function groupsOf(candidate: string, from: number): Group[] {
  return Array.from(candidate.matchAll(GROUP), ({ 0: group, index }) => ({
    start: from + index,
    end: from + index + group.length,
  }));
}

/** The last group of the longest number that begins with the group `first`; -1 where none does. */
function lastOf(text: string, groups: readonly Group[], first: number, onlyInternational: boolean): number {
  const start = groups[first]?.start ?? 0;
  if (!isFreeBefore(text, start)) return -1;
  const before = () => text.slice(Math.max(0, start - WORD_ROOM), start);
  for (let last = Math.min(groups.length, first + MOST_GROUPS) - 1; last >= first; last -= 1) {
    const end = groups[last]?.end ?? 0;
    const written = text.slice(start, end);
    if (
      written.length >= FEWEST_DIGITS &&
      isPhone(written, before, onlyInternational) &&
      isFreeBehind(text, end)
    )
      return last;
  }
  return -1;
}

/** Not in the middle of a word, a number, an id or a path; between words in writing without blanks there is nothing. */
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

function isPhone(written: string, before: () => string, onlyInternational: boolean): boolean {
  const digits = written.replace(/\D/g, '');
  if (digits.length < FEWEST_DIGITS || digits.length > MOST_DIGITS) return false;
  if (written.startsWith('+') || written.startsWith('(+')) return /^[1-9]/.test(digits);
  if (onlyInternational) return false;
  if (isOtherThing(written, digits)) return false;
  if (isNational(written, digits)) return true;
  return CALL_WORDS.test(before());
}

function isNational(written: string, digits: string): boolean {
  const isGrouped = SEPARATOR.test(written);
  if (AREA_IN_BRACKETS.test(written)) return digits.length >= 9 && digits.length <= 11;
  if (digits.startsWith('00')) return /^00[1-9]/.test(digits) && digits.length >= (isGrouped ? 10 : 12);
  if (/^0[1-9]/.test(digits)) {
    if (digits.length < 9 || digits.length > 12) return false;
    return isGrouped || (MOBILE_IN_ONE.test(digits) && !isArticleNumber(digits));
  }
  return NORTH_AMERICAN.test(written);
}

function isOtherThing(written: string, digits: string): boolean {
  return (
    ORDER_ID.test(written) ||
    ISBN.test(written) ||
    (DATE.test(written) && !PAIRS.test(written)) ||
    DECIMAL.test(written) ||
    THOUSANDS.test(written) ||
    (written === digits && isArticleNumber(digits))
  );
}

/** EAN, UPC, GTIN: the last digit checks the others. */
function isArticleNumber(digits: string): boolean {
  if (![8, 12, 13, 14].includes(digits.length)) return false;
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}
