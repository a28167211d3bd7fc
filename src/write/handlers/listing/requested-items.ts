/**
 * Reads the items of a call, or the rows of a query, as one list with each SKU once and its requested change.
 */

import * as z from 'zod';
import { InputError, type Problem } from '../../../base/errors.ts';
import { toObject } from '../../../base/json.ts';
import { quoteText } from '../../../base/text/escape-text.ts';
import { count } from '../../../base/text/format-value.ts';
import { quoteName } from '../../../base/text/quote-name.ts';
import { shortenToCharacters } from '../../../base/text/shorten.ts';
import type { QueryResult } from '../../../data/tables/table-types.ts';
import { describeIssues } from '../../../render/arguments/parse-arguments.ts';
import { hidesDotSegment } from '../../../service/facts/path-template.ts';
import {
  describeUnknownWord,
  isSetWord,
  readSet,
  SET_SHAPE,
  SET_WORDS,
  type SetValues,
} from './set-values.ts';

/** The maximum number of messages in one feed, and of listings in one call. */
export const MAX_LISTINGS = 25_000;
/** The maximum number of problems to list. */
const MAX_PROBLEMS = 20;
const MAX_SKU = 100;

const NO_SKU = 'is missing; it must be a text';

/** A spreadsheet turns a SKU that consists of digits into a number. */
const skuSchema = z.preprocess(
  (given) => (typeof given === 'number' && Number.isSafeInteger(given) ? String(given) : given),
  z
    .string(NO_SKU)
    .refine((sku) => sku.trim() !== '', NO_SKU)
    .refine((sku) => sku.length <= MAX_SKU, `must have at most ${MAX_SKU} characters`)
    .refine((sku) => !hidesDotSegment(sku), {
      error: ({ input }) =>
        `${quoteText(String(input))} cannot be sent: as part of an address, a SKU of one or two dots means another resource; change that listing in Seller Central`,
    }),
);

const NO_PATCHES = 'patches must be a list of patches that is not empty';

/** Matches what patchListingsItem takes; a test compares it with the facts of that operation. */
const patchesSchema = z
  .array(
    z.looseObject({
      op: z.enum(['add', 'replace', 'merge', 'delete']),
      path: z.string().describe('/attributes/color'),
      value: z.array(z.record(z.string(), z.unknown())).optional(),
    }),
    NO_PATCHES,
  )
  .min(1, NO_PATCHES);

/** One of `items` as it is advertised; `readItem` checks its parts, so that each problem names the SKU. */
export const listingItemSchema = z.strictObject({
  sku: skuSchema,
  set: z.strictObject(SET_SHAPE).partial().optional(),
  patches: patchesSchema
    .optional()
    .describe('Instead of set, for other attributes: JSON Patch of patchListingsItem, whole attributes'),
});

/** The change that is requested for one listing. */
export interface RequestedListing {
  sku: string;
  /** The position in the call: `items.3`, `row 4`. */
  at: string;
  wanted: { values: SetValues } | { patches: readonly unknown[] };
}

/** The items that can be read, and the problems with the others. */
export interface RequestedItems {
  listings: RequestedListing[];
  problems: Problem[];
  /** The same as in `PreparedBatch`. */
  leftOut?: string[];
}

export const tooManyListings = (total: number): InputError =>
  new InputError(
    `There are ${count(total)} listings; one call takes at most ${count(MAX_LISTINGS)}. Nothing was sent.`,
    'Change them in several calls: the first so many, then the others.',
  );

/** @throws InputError for no items, and for too many */
export function readItems(items: readonly unknown[]): RequestedItems {
  if (items.length > MAX_LISTINGS) throw tooManyListings(items.length);
  if (items.length === 0) throw new InputError('items is empty; nothing was sent.', HOW_TO_NAME);
  return collect(
    items.map((item, at) => [`items.${at}`, toObject(item)]),
    readItem,
  );
}

const HOW_TO_NAME =
  'Name the listings: items: [{"sku": "LAMP-1", "set": {"price": 17.99}}], or a query that gives them.';

type ItemReading = { wanted: RequestedListing['wanted'] } | { problems: Problem[] };

function readItem({ sku: _, set, patches, ...others }: Record<string, unknown>): ItemReading {
  const wrong = (message: string): ItemReading => ({ problems: [{ path: '', message }] });
  const [other] = Object.keys(others);
  if (other !== undefined) {
    const inside = isSetWord(other) ? `; put it into set: {"${other}": ...}` : '';
    return wrong(`takes sku and set, or sku and patches, not ${shortName(other)}${inside}`);
  }
  if ((set === undefined) === (patches === undefined))
    return wrong('must have set or patches, one of the two');
  if (patches !== undefined) return readPatches(patches);
  const read = readSet(toObject(set));
  if ('values' in read) return { wanted: read };
  return {
    problems: read.problems.map(({ path, message }) => ({
      path: ['set', path].filter(Boolean).join('.'),
      message,
    })),
  };
}

function readPatches(given: unknown): ItemReading {
  const { data: patches, error } = patchesSchema.safeParse(given, { reportInput: true });
  if (patches !== undefined) return { wanted: { patches } };
  if (error.issues.some(({ path }) => path.length === 0))
    return { problems: [{ path: '', message: NO_PATCHES }] };
  const problems = describeIssues(patchesSchema, error.issues);
  return { problems: problems.map(({ path, message }) => ({ path: `patches.${path}`, message })) };
}

/** @throws InputError for columns that set nothing, for no rows, and for too many */
export function readRows({
  columns,
  rows,
  total,
  doubtful = [],
}: Pick<QueryResult, 'columns' | 'rows' | 'total' | 'doubtful'>): RequestedItems {
  const names = columns.map((name) => name.trim().toLowerCase());
  const skuAt = names.indexOf('sku');
  if (skuAt < 0) {
    throw new InputError(
      `The query has no column sku, only: ${columns.slice(0, MAX_PROBLEMS).map(shortName).join(', ')}. Nothing was sent.`,
      'Name it: SELECT seller_sku AS sku, round(price * 0.9, 2) AS price FROM ...',
    );
  }
  const unknown = names.filter((name, at) => at !== skuAt && !isSetWord(name));
  if (unknown.length > 0 || names.length === 1) {
    const problems = unknown
      .slice(0, MAX_PROBLEMS)
      .map((name) => ({ path: shortName(name), message: describeUnknownWord(name) }));
    throw new InputError(
      `${unknown.length === 0 ? 'The query has no column beside sku' : 'The query has columns that set nothing'}; nothing was sent.`,
      `Its columns are sku and what to set: ${SET_WORDS.join(', ')}. A value that is NULL is left as it is.`,
      problems,
    );
  }
  if (total > MAX_LISTINGS) throw tooManyListings(total);
  if (total === 0)
    throw new InputError('The query gives no rows; nothing was sent.', 'Try it with query_data.');
  const doubts = doubtful.filter(({ column }) => column.trim().toLowerCase() !== 'sku');
  const isInDoubt = (row: readonly unknown[]) =>
    doubts.some(({ column }) => (row[columns.indexOf(column)] ?? null) !== null);
  const sure = [...rows.entries()].filter(([, row]) => !isInDoubt(row));
  const leftOut = rows.length - sure.length;
  const reasons = doubts.map(({ column, reason }) => `${shortName(column)}: ${reason}`).join('; ');
  if (sure.length === 0) {
    throw new InputError(
      `All ${count(leftOut)} rows take a value from a column whose values cannot be read for certain (${reasons}). Nothing was sent.`,
      'Give the values as items, or write them in the query as numbers.',
    );
  }
  const asked = collect(
    sure.map(([at, row]) => [
      `row ${at + 1}`,
      Object.fromEntries(names.map((name, column) => [name, row[column] ?? null])),
    ]),
    ({ sku: _, ...row }) => {
      const read = readSet(row, { isRow: true });
      return 'values' in read ? { wanted: read } : read;
    },
  );
  if (leftOut === 0) return asked;
  const which = leftOut === 1 ? '1 row is' : `${count(leftOut)} rows are`;
  return {
    ...asked,
    leftOut: [`${which} left out, because a value cannot be read for certain (${reasons}).`],
  };
}

/** Collects the listings and all problems with any of them. */
function collect(
  given: readonly (readonly [at: string, item: Record<string, unknown>])[],
  read: (item: Record<string, unknown>) => ItemReading,
): RequestedItems {
  const problems: Problem[] = [];
  const seen = new Map<string, string>();
  const listings = given.flatMap(([at, item]): RequestedListing[] => {
    const sku = readSku(item.sku);
    if (typeof sku !== 'string') {
      problems.push({ path: `${at}.sku`, message: sku.problem });
      return [];
    }
    const first = seen.get(sku);
    if (first !== undefined) {
      problems.push({
        path: `${at}.sku`,
        message: `${shortName(sku)} stands in ${first} already; each listing once`,
      });
      return [];
    }
    seen.set(sku, at);
    const found = read(item);
    if ('wanted' in found) return [{ sku, at, wanted: found.wanted }];
    problems.push(...found.problems.map(({ path, message }) => ({ path: pathOf(at, path, sku), message })));
    return [];
  });
  return { listings, problems };
}

const pathOf = (at: string, path: string, sku: string) =>
  `${[at, path].filter(Boolean).join('.')} (${shortName(sku)})`;

const shortName = (name: string) => quoteName(shortenToCharacters(name, MAX_SKU));

function readSku(given: unknown): string | { problem: string } {
  const { data, error } = skuSchema.safeParse(given);
  return data ?? { problem: error?.issues[0]?.message ?? NO_SKU };
}

/** Builds an error that lists at most 20 problems. */
export function listProblems(problems: readonly Problem[]): InputError {
  const rest = problems.length - MAX_PROBLEMS;
  const more =
    rest > 0
      ? `${count(rest)} more are not listed; correct these first, or leave those listings out.`
      : 'Correct these, or leave those listings out.';
  return new InputError(
    'Nothing was sent: not all that is asked for can be done.',
    more,
    problems.slice(0, MAX_PROBLEMS),
  );
}
