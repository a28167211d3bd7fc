/** putListingsItem, patchListingsItem, deleteListingsItem: accepted or INVALID with a 200, as the public service answers. */

import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { isJsonObject } from '../../src/base/json.ts';
import { decimalsOf } from '../../src/service/facts/marketplaces.ts';
import { type Answer, type Call, ok, readBody } from '../answer.ts';
import type { ListingFixture } from '../fixtures/listing.ts';
import type { Played } from '../router.ts';
import {
  type Attributes,
  attributesOf,
  firstPrice,
  type ListingStore,
  withAttributes,
} from './listing-store.ts';
import { refuseOtherSellers, unknownSku } from './listings.ts';
import { readFilledList } from './query.ts';
import { settleIssues } from './settle-issues.ts';

const entries = z.array(z.looseObject({}));
/** A whole attribute, with or without the group in front, as the public service takes it (models#4228). */
const ATTRIBUTE = /^\/(?:attributes\/)?(?!attributes$)[^/]+$/;
const onePatchSchema = z.looseObject({
  op: z.enum(['add', 'replace', 'merge', 'delete']),
  path: z.string().regex(ATTRIBUTE, 'Invalid path: only whole attributes can be patched.'),
  value: entries.optional(),
});
const patchSchema = z.looseObject({
  productType: z.string().min(1),
  patches: z.array(onePatchSchema).min(1),
});
const putSchema = z.looseObject({
  productType: z.string().min(1),
  attributes: z.record(z.string(), entries),
});

export const playListingWrites = (store: ListingStore): Played => ({
  'listings-items/patchListingsItem': (call) => patchAt(store, keyOf(call), call.body),
  'listings-items/putListingsItem': (call) => putAt(store, keyOf(call), call.body),
  'listings-items/deleteListingsItem': (call) => removeAt(store, keyOf(call)),
});

export interface ListingKey {
  sku: string;
  marketplaceIds: readonly string[];
  isPreview: boolean;
}

/** @throws Refusal */
function keyOf(call: Call): ListingKey {
  const marketplaceIds = readFilledList(call.query, 'marketplaceIds');
  refuseOtherSellers(call);
  const isPreview = call.query.get('mode') === 'VALIDATION_PREVIEW';
  return { sku: call.params.sku ?? '', marketplaceIds, isPreview };
}

/** Patches a listing, for feeds too, like the two functions below. @throws Refusal */
export const patchAt = (store: ListingStore, place: ListingKey, given: unknown): Answer =>
  store.alone(place.sku, () => patch(store, place, given));

export const putAt = (store: ListingStore, place: ListingKey, given: unknown): Answer =>
  store.alone(place.sku, () => put(store, place, given));

export const removeAt = (store: ListingStore, place: ListingKey): Answer =>
  store.alone(place.sku, () => remove(store, place));

function patch(store: ListingStore, place: ListingKey, given: unknown): Answer {
  const { productType, patches } = readBody(patchSchema, given, 'the body');
  const listing = store.latest(place.sku) ?? unknownSku(place.sku, place.marketplaceIds);
  const after = patches.reduce(
    (attributes, one) => applyPatch(attributes, one, place),
    attributesOf(listing),
  );
  const touched = patches.map(({ path }) => nameOf(path));
  const problems = [...judgeType(listing, productType), ...judgeListing(after, touched)];
  return finish(store, place, problems, () =>
    settleIssues(withAttributes(listing, after), after, { ...place, touched }),
  );
}

function put(store: ListingStore, place: ListingKey, given: unknown): Answer {
  const { productType, attributes } = readBody(putSchema, given, 'the body');
  const listing = store.latest(place.sku);
  const problems = [
    ...(listing === undefined ? [] : judgeType(listing, productType)),
    ...(attributes.item_name === undefined
      ? [error('90220', "'item_name' is required but is missing.", 'item_name')]
      : []),
    ...judgeListing(attributes, Object.keys(attributes)),
  ];
  return finish(store, place, problems, () =>
    withAttributes(listing ?? newListing(place, productType), attributes),
  );
}

function remove(store: ListingStore, place: ListingKey): Answer {
  if (store.latest(place.sku) === undefined) unknownSku(place.sku, place.marketplaceIds);
  return finish(store, place, [], () => undefined);
}

function finish(
  store: ListingStore,
  { sku, isPreview }: ListingKey,
  issues: ListingProblem[],
  make: () => ListingFixture | undefined,
): Answer {
  const isInvalid = issues.length > 0;
  if (!isInvalid && !isPreview) store.write(sku, make());
  const status = isInvalid ? 'INVALID' : isPreview ? 'VALID' : 'ACCEPTED';
  return ok({ sku, status, submissionId: randomUUID().replaceAll('-', ''), issues });
}

const nameOf = (path: string) =>
  path
    .replace(/^\/(attributes\/)?/, '')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');

/** Whole attributes, in the marketplaces of the call and in those that the value names; the entries of others stay. */
function applyPatch(
  attributes: Attributes,
  { op, path, value = [] }: z.infer<typeof onePatchSchema>,
  { marketplaceIds }: ListingKey,
): Attributes {
  const name = nameOf(path);
  const all = attributes[name] ?? [];
  const isHere = (entry: unknown) =>
    !isJsonObject(entry) ||
    typeof entry.marketplace_id !== 'string' ||
    marketplaceIds.includes(entry.marketplace_id) ||
    value.some(({ marketplace_id: named }) => named === entry.marketplace_id);
  const here = all.filter(isHere);
  const others = all.filter((entry) => !isHere(entry));
  const changed =
    op === 'merge'
      ? merge(here, value)
      : op === 'delete'
        ? here.filter((entry) => !isNamed(entry, value))
        : replace(here, value, name);
  const { [name]: _old, ...rest } = attributes;
  const now = [...changed, ...others];
  return now.length === 0 ? rest : { ...rest, [name]: now };
}

const SELECTORS = ['marketplace_id', 'language_tag', 'audience', 'fulfillment_channel_code', 'currency'];

function hasSelectorsOf(entry: unknown, wanted: Record<string, unknown>): boolean {
  if (!isJsonObject(entry)) return false;
  return SELECTORS.every(
    (name) => wanted[name] === undefined || entry[name] === undefined || entry[name] === wanted[name],
  );
}

/** A channel that is not named stays, as at the public service (docs#1714); of other attributes all that is there goes. */
function replace(
  here: readonly unknown[],
  value: readonly Record<string, unknown>[],
  name: string,
): unknown[] {
  if (name !== 'fulfillment_availability') return [...value];
  const channelOf = (entry: unknown) => (isJsonObject(entry) && entry.fulfillment_channel_code) || 'DEFAULT';
  const named = value.map(channelOf);
  return [...value, ...here.filter((entry) => !named.includes(channelOf(entry)))];
}

/** Returns whether an entry matches; an empty value matches all. */
const isNamed = (entry: unknown, wanted: readonly Record<string, unknown>[]) =>
  wanted.length === 0 || wanted.some((one) => hasSelectorsOf(entry, one));

function merge(here: readonly unknown[], value: readonly Record<string, unknown>[]): unknown[] {
  const left = value.filter((one) => !here.some((entry) => hasSelectorsOf(entry, one)));
  const merged = here.map((entry) => {
    const more = value.find((one) => hasSelectorsOf(entry, one));
    return isJsonObject(entry) && more !== undefined ? { ...entry, ...more } : entry;
  });
  return [...merged, ...left];
}

function judgeType({ item }: ListingFixture, productType: string): ListingProblem[] {
  const summaries = Array.isArray(item.summaries) ? item.summaries.filter(isJsonObject) : [];
  if (summaries.length === 0 || productType === 'PRODUCT') return [];
  if (summaries.some((one) => one.productType === productType)) return [];
  return [error('8541', `The listing is not a ${productType}.`, 'product_type')];
}

function newListing({ sku, marketplaceIds }: ListingKey, productType: string): ListingFixture {
  const asin = `B0NEW${sku.replace(/\W/g, '').slice(0, 5).padEnd(5, '0').toUpperCase()}`;
  const summaries = marketplaceIds.map((marketplaceId) => ({ marketplaceId, asin, productType, status: [] }));
  return { asin, marketplaceIds, item: { sku, summaries } };
}

// Finds issues of the attributes of a listing, enough for answers with the status INVALID.

type ListingProblem = ReturnType<typeof error>;

const MAX_TITLE_CHARACTERS = 200;
const MAX_BULLET_POINTS = 10;
const HIGHEST_PRICE = 100_000;

/** Only of the attributes that were touched. */
function judgeListing(attributes: Attributes, touched: readonly string[]): ListingProblem[] {
  return touched.flatMap((name) => {
    const entries = (attributes[name] ?? []).filter(isJsonObject);
    if (name === 'purchasable_offer') return entries.flatMap(judgeOffer);
    if (name === 'fulfillment_availability') return entries.flatMap(judgeStock);
    if (name === 'item_name') return entries.flatMap(judgeTitle);
    return name === 'bullet_point' && entries.length > MAX_BULLET_POINTS
      ? [error('100470', `'bullet_point' has ${entries.length} entries; at most 10 are allowed.`, name)]
      : [];
  });
}

function error(code: string, message: string, attribute: string) {
  return { code, message, severity: 'ERROR', attributeNames: [attribute], categories: ['INVALID_ATTRIBUTE'] };
}

function judgeOffer(entry: Record<string, unknown>): ListingProblem[] {
  const name = 'purchasable_offer';
  const [price, least] = [firstPrice(entry.our_price), firstPrice(entry.minimum_seller_allowed_price)];
  if (price === undefined) return [error('90220', "'our_price' is required but is missing.", name)];
  const isWhole = decimalsOf(String(entry.currency)) === 0;
  const [lowest, highest] = isWhole ? [1, HIGHEST_PRICE * 100] : [0.01, HIGHEST_PRICE];
  if (price <= 0 || price > highest) {
    return [error('18299', `The price ${price} is not between ${lowest} and ${highest}.`, name)];
  }
  if (least !== undefined && price < least) {
    return [error('99300', `The price ${price} is lower than the minimum price ${least}.`, name)];
  }
  return [];
}

function judgeStock({ quantity }: Record<string, unknown>): ListingProblem[] {
  if (quantity === undefined || (typeof quantity === 'number' && Number.isInteger(quantity) && quantity >= 0))
    return [];
  return [error('4000001', "'quantity' is not a whole number of 0 or more.", 'fulfillment_availability')];
}

function judgeTitle({ value }: Record<string, unknown>): ListingProblem[] {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TITLE_CHARACTERS) return [];
  return [
    error('90057', `'item_name' is empty or longer than ${MAX_TITLE_CHARACTERS} characters.`, 'item_name'),
  ];
}
