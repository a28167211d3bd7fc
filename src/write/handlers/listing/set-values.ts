/** Checks each plain word of `set`, which is a value that a seller wants a listing to have. */

import * as z from 'zod';
import type { Problem } from '../../../base/errors.ts';
import { parseJson } from '../../../base/json.ts';
import { count } from '../../../base/text/format-value.ts';
import { nearestName } from '../../../base/text/nearest-name.ts';
import { quoteName } from '../../../base/text/quote-name.ts';
import { readMoment } from '../../model/listing/sale-dates.ts';
import { type PriceAmount, readAmount } from './amount.ts';

/** Each image has an attribute of its own: the main one and eight others. */
export const MAX_IMAGES = 9;
const MAX_TEXT_LENGTH = 10_000;
const MAX_BULLET_POINTS = 50;
const CURRENCY = 'must be three letters, such as EUR';

const AMOUNT = 'must be a number such as 17.99';
const amount = z.union([z.number(), z.string()], AMOUNT).transform(toAmount);
const amountOrNull = z
  .union([z.number(), z.string(), z.null()], AMOUNT)
  .transform((given, ctx) => (given === null ? null : toAmount(given, ctx)));

/** The schema of each word. Its value is what the service is to have; null removes the current one. */
export const SET_SHAPE = {
  price: amount.describe('Regular price, as buyers see it: 17.99 or "17.99 EUR"'),
  sale_price: amountOrNull.describe('null ends the sale; a new sale needs sale_from and sale_to'),
  sale_from: dateOf('begins').describe('First day: 2026-12-01 or 2026-12-01T08:00:00Z'),
  sale_to: dateOf('ends').describe('Last day'),
  minimum_price: amountOrNull.describe('Lowest price allowed; null removes it'),
  maximum_price: amountOrNull.describe('Highest price allowed; null removes it'),
  currency: z
    .string(CURRENCY)
    .trim()
    .toUpperCase()
    .refine((code) => /^[A-Z]{3}$/.test(code), CURRENCY)
    .describe("Of the prices; default: the marketplace's"),
  quantity: whole('10').describe('Units in stock, 0 for out of stock; not for FBA'),
  handling_time: whole('2 (days)').describe('Days until shipped'),
  title: text(),
  description: text(),
  bullet_points: texts(MAX_BULLET_POINTS, text()).describe('All bullet points'),
  add_bullet_points: texts(MAX_BULLET_POINTS, text()).describe('Added after the existing ones'),
  main_image: image().describe('https address of the first image'),
  images: texts(MAX_IMAGES, image()).describe('https addresses of all images, the main one first'),
  language: z
    .string({ error: languageProblem })
    .trim()
    .refine((name) => /^[a-z]{2}[_-][a-z]{2}$/i.test(name), { error: languageProblem })
    .transform((name) => `${name.slice(0, 2).toLowerCase()}_${name.slice(3).toUpperCase()}`)
    .describe("Of the texts: de_DE; default: the listing's"),
};

type SetWord = keyof typeof SET_SHAPE;

/** The values of the words; null removes the current one. */
export type SetValues = { [Word in SetWord]?: z.output<(typeof SET_SHAPE)[Word]> };

const SCHEMAS: { [Word in SetWord]: z.ZodType<SetValues[Word]> } = SET_SHAPE;

/** The words in the order in which messages list them. */
export const SET_WORDS: readonly string[] = Object.keys(SCHEMAS);

/** Words that have a meaning only beside others. */
const DEPENDENT_WORDS: ReadonlySet<string> = new Set(['currency', 'language']);

/** @param isRow true for a row of a query, where a missing value changes nothing and lists are JSON */
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
      : describeUnknownWord(name);
    if (problem !== undefined) problems.push({ path: name, message: problem });
  }
  if (problems.length > 0) return { problems };
  if (Object.keys(values).every((name) => DEPENDENT_WORDS.has(name))) {
    return { problems: [{ path: '', message: `sets nothing; give one of: ${SET_WORDS.join(', ')}` }] };
  }
  return { values };
}

export const isSetWord = (name: string): name is SetWord => Object.hasOwn(SCHEMAS, name);

function readInto<Word extends SetWord>(values: SetValues, name: Word, given: unknown): string | undefined {
  const schema: z.ZodType<SetValues[Word]> = SCHEMAS[name];
  const { data, error } = schema.safeParse(given);
  if (error === undefined) values[name] = data;
  const [issue] = error?.issues ?? [];
  const [at] = issue?.path ?? [];
  return typeof at === 'number' ? `number ${at + 1} ${issue?.message}` : issue?.message;
}

const LISTS: ReadonlySet<string> = new Set(['bullet_points', 'add_bullet_points', 'images']);

/** Parses lists that are JSON, because rows have no lists. */
function unpack(name: SetWord, given: unknown): unknown {
  if (typeof given !== 'string' || !LISTS.has(name)) return given;
  return parseJson(given) ?? given;
}

/** The names that other programs and reports use. */
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

/** The maximum length of a name that is compared with others. */
const MAX_COMPARED = 64;

export function describeUnknownWord(name: string): string {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
    .slice(0, MAX_COMPARED);
  const meant = OTHER_NAMES.get(plain) ?? nearestName(plain, SET_WORDS);
  return `is not a word of set${meant === undefined ? '.' : `; did you mean ${meant}?`} Known: ${SET_WORDS.join(', ')}. Anything else can be given as patches`;
}

function toAmount(given: number | string, ctx: z.RefinementCtx): PriceAmount {
  const read = readAmount(given);
  if (typeof read !== 'string') return read;
  ctx.addIssue(read);
  return z.NEVER;
}

function dateOf(what: string) {
  const problem = `must be the day or moment on which the sale ${what}: 2026-12-01 or 2026-12-01T08:00:00Z`;
  return z
    .string(problem)
    .trim()
    .refine((date) => readMoment(date) !== undefined, problem);
}

/** Accepts digits as text, because spreadsheets and queries give numbers as text. */
function whole(example: string) {
  const problem = `must be a whole number of 0 or more, such as ${example}`;
  const toNumber = (given: unknown) =>
    typeof given === 'string' && /^\d{1,9}$/.test(given.trim()) ? Number(given) : given;
  return z.preprocess(toNumber, z.int(problem).min(0, problem));
}

function text() {
  const problem = 'must be a text that is not empty';
  return z
    .string(problem)
    .refine((given) => given.trim() !== '', problem)
    .refine(
      (given) => given.length <= MAX_TEXT_LENGTH,
      `must have at most ${count(MAX_TEXT_LENGTH)} characters`,
    );
}

function texts(max: number, one: z.ZodType<string>) {
  const problem = `must be a list of 1 to ${max} texts, in a query as JSON: json_array(...)`;
  return z.array(one, problem).min(1, problem).max(max, problem);
}

function image() {
  const problem = 'must be the address of an image: https://... that the service can read';
  return z
    .string(problem)
    .trim()
    .refine((address) => /^(?:https?|s3):\/\/[^\s"<>\\]{3,2000}$/.test(address), problem);
}

function languageProblem({ input }: { input?: unknown }): string {
  const shown = quoteName(String(input).slice(0, 40));
  return `must be a language with its country, such as de_DE; ${shown} is none`;
}
