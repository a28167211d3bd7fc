/** The plain words of `set`, each checked by itself: what a seller wants a listing to have. */

import { closest, distance } from 'fastest-levenshtein';
import type { Problem } from '../../../base/errors.ts';
import { parseJson } from '../../../base/json.ts';
import { quoteName } from '../../../base/text/quote-name.ts';
import { count } from '../../../base/text/value-words.ts';
import { readMoment } from '../../model/listing/sale-dates.ts';
import { type Amount, readAmount } from './amount.ts';

/** Each image has a place of its own: the main one and eight others. */
export const MOST_IMAGES = 9;
const LONGEST_TEXT = 10_000;
const MOST_BULLET_POINTS = 50;

/** What came of one value; `null` only where the word allows it. */
type Read<Value> = (given: unknown) => { value: Value } | { problem: string };

const READ = {
  price: readMoney,
  sale_price: orNull(readMoney),
  sale_from: readDate('begins'),
  sale_to: readDate('ends'),
  minimum_price: orNull(readMoney),
  maximum_price: orNull(readMoney),
  currency: readCurrency,
  quantity: readWhole('10'),
  handling_time: readWhole('2 (days)'),
  title: readText,
  description: readText,
  bullet_points: readTexts(MOST_BULLET_POINTS, readText),
  add_bullet_points: readTexts(MOST_BULLET_POINTS, readText),
  main_image: readImage,
  images: readTexts(MOST_IMAGES, readImage),
  language: readLanguage,
};

type SetWord = keyof typeof READ;

/** Values that a word takes; null takes away what is there. */
export type SetValues = {
  [Word in SetWord]?: Extract<ReturnType<(typeof READ)[Word]>, { value: unknown }>['value'];
};

const READERS: { [Word in SetWord]: Read<SetValues[Word]> } = READ;

/** In the order in which they are told. */
export const SET_WORDS: readonly string[] = Object.keys(READERS);

/** Words that say something only beside others. */
const BESIDE: ReadonlySet<string> = new Set(['currency', 'language']);

/**
 * @param isRow of a query: a value that is not there changes nothing, and lists are JSON
 */
export function readSet(
  given: Readonly<Record<string, unknown>>,
  { isRow = false }: { isRow?: boolean } = {},
): { values: SetValues } | { problems: Problem[] } {
  const values: SetValues = {};
  const problems: Problem[] = [];
  for (const [name, one] of Object.entries(given)) {
    if (isRow && one === null) continue;
    const problem = isSetWord(name)
      ? readInto(values, name, isRow ? unpack(name, one) : one)
      : unknownWord(name);
    if (problem !== undefined) problems.push({ path: name, message: problem });
  }
  if (problems.length > 0) return { problems };
  if (Object.keys(values).every((name) => BESIDE.has(name))) {
    return { problems: [{ path: '', message: `sets nothing; give one of: ${SET_WORDS.join(', ')}` }] };
  }
  return { values };
}

export const isSetWord = (name: string): name is SetWord => Object.hasOwn(READERS, name);

function readInto<Word extends SetWord>(values: SetValues, name: Word, given: unknown): string | undefined {
  const read: Read<SetValues[Word]> = READERS[name];
  const found = read(given);
  if ('problem' in found) return found.problem;
  values[name] = found.value;
  return undefined;
}

const LISTS: ReadonlySet<string> = new Set(['bullet_points', 'add_bullet_points', 'images']);

/** Rows have no lists. */
function unpack(name: SetWord, given: unknown): unknown {
  if (typeof given !== 'string' || !LISTS.has(name)) return given;
  return parseJson(given) ?? given;
}

/** What other programs and reports call them. */
const OTHER_NAMES: ReadonlyMap<string, SetWord> = new Map([
  ['our_price', 'price'],
  ['amount', 'price'],
  ['discounted_price', 'sale_price'],
  ['sale_start', 'sale_from'],
  ['sale_end', 'sale_to'],
  ['min_price', 'minimum_price'],
  ['max_price', 'maximum_price'],
  ['stock', 'quantity'],
  ['lead_time', 'handling_time'],
  ['lead_time_to_ship_max_days', 'handling_time'],
  ['item_name', 'title'],
  ['product_description', 'description'],
  ['bullets', 'bullet_points'],
  ['bullet_point', 'bullet_points'],
  ['image', 'main_image'],
  ['pictures', 'images'],
]);

/** Characters of a name that is compared with others. */
const LONGEST_COMPARED = 64;

export function unknownWord(name: string): string {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
    .slice(0, LONGEST_COMPARED);
  const nearest = closest(plain, [...SET_WORDS]);
  const meant = OTHER_NAMES.get(plain) ?? (distance(plain, nearest) <= 4 ? nearest : undefined);
  return `is not a word of set${meant === undefined ? '.' : `; did you mean ${meant}?`} Known: ${SET_WORDS.join(', ')}. Anything else can be given as patches`;
}

function orNull<Value>(read: Read<Value>): Read<Value | null> {
  return (given) => (given === null ? { value: null } : read(given));
}

function readMoney(given: unknown): { value: Amount } | { problem: string } {
  const amount = readAmount(given);
  return typeof amount === 'string' ? { problem: amount } : { value: amount };
}

function readDate(what: string): Read<string> {
  return (given) => {
    const problem = `must be the day or moment on which the sale ${what}: 2026-12-01 or 2026-12-01T08:00:00Z`;
    if (typeof given !== 'string' || readMoment(given.trim()) === undefined) return { problem };
    return { value: given.trim() };
  };
}

function readCurrency(given: unknown): { value: string } | { problem: string } {
  const code = typeof given === 'string' ? given.trim().toUpperCase() : '';
  return /^[A-Z]{3}$/.test(code) ? { value: code } : { problem: 'must be three letters, such as EUR' };
}

function readWhole(example: string): Read<number> {
  return (given) => {
    const text = typeof given === 'string' && /^\d{1,9}$/.test(given.trim()) ? Number(given) : given;
    const isWhole = typeof text === 'number' && Number.isSafeInteger(text) && text >= 0;
    return isWhole ? { value: text } : { problem: `must be a whole number of 0 or more, such as ${example}` };
  };
}

function readText(given: unknown): { value: string } | { problem: string } {
  if (typeof given !== 'string' || given.trim() === '')
    return { problem: 'must be a text that is not empty' };
  return given.length <= LONGEST_TEXT
    ? { value: given }
    : { problem: `must have at most ${count(LONGEST_TEXT)} characters` };
}

function readTexts(most: number, read: Read<string>): Read<string[]> {
  return (given) => {
    const problem = `must be a list of 1 to ${most} texts, in a query as JSON: json_array(...)`;
    if (!Array.isArray(given) || given.length === 0 || given.length > most) return { problem };
    const found = given.map(read);
    const wrong = found.findIndex((one) => 'problem' in one);
    const bad = found[wrong];
    if (bad !== undefined && 'problem' in bad) return { problem: `number ${wrong + 1} ${bad.problem}` };
    return { value: found.flatMap((one) => ('value' in one ? [one.value] : [])) };
  };
}

const ADDRESS = /^(?:https?|s3):\/\/[^\s"<>\\]{3,2000}$/;

function readImage(given: unknown): { value: string } | { problem: string } {
  const address = typeof given === 'string' ? given.trim() : '';
  return ADDRESS.test(address)
    ? { value: address }
    : { problem: 'must be the address of an image: https://... that the service can read' };
}

function readLanguage(given: unknown): { value: string } | { problem: string } {
  const text = String(given).trim();
  if (!/^[a-z]{2}[_-][a-z]{2}$/i.test(text)) {
    return {
      problem: `must be a language with its country, such as de_DE; ${quoteName(String(given).slice(0, 40))} is none`,
    };
  }
  return { value: `${text.slice(0, 2).toLowerCase()}_${text.slice(3).toUpperCase()}` };
}
