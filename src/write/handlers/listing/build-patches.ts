/**
 * Builds the patches of one listing from a seller's words. Each patch is a whole attribute, with everything
 * in it that is not to change.
 */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { isJsonObject, type JsonObject, objectsIn, toObject } from '../../../base/json.ts';
import { quoteName } from '../../../base/text/quote-name.ts';
import { currencyOf } from '../../../service/facts/marketplaces.ts';
import { attributeOfPatch } from '../../model/listing/apply-patches.ts';
import {
  type Attributes,
  crossedBounds,
  isWarehouse,
  OFFER,
  onlySchedule,
  STOCK,
  selectorOf,
  withEntry,
} from '../../model/listing/entries.ts';
import { offeredNow } from '../../model/listing/offered-now.ts';
import { checkSale } from '../../model/listing/sale-dates.ts';
import { checkAmount } from './amount.ts';
import type { RequestedListing } from './requested-items.ts';
import { MAX_IMAGES, type SetValues } from './set-values.ts';

/** The current state of a listing in one marketplace, as far as `set` changes it. */
export interface CurrentListing {
  /** The entries of each attribute in this marketplace, with the values that are offered now. */
  attributes: Attributes;
  /** Names of attributes that are possibly not offered as they were submitted. */
  unclear: ReadonlySet<string>;
  /** Codes of the channels through which the listing is fulfilled. */
  channels: readonly string[];
  productType: string | undefined;
}

/** The marketplace of the change. */
export interface PatchTarget {
  marketplaceId: string;
  /** The name within a sentence: `Germany`, `the United States`. */
  name: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/** A problem with one word of `set`, in sellers' terms. */
interface SetProblem {
  /** The word of `set` with the problem. */
  word: string;
  /** The rest of a sentence that begins with the word. */
  message: string;
}

/** One whole attribute as it is to be; an attribute without entries is deleted. */
interface SetAttribute {
  name: string;
  entries: readonly unknown[];
}

/** @param item as searchListingsItems and getListingsItem return it, with its attributes and offers */
export function readCurrentListing(
  item: unknown,
  { marketplaceId, now }: Pick<PatchTarget, 'marketplaceId' | 'now'>,
): CurrentListing {
  const shown = toObject(item);
  const { attributes, unclear } = offeredNow(shown, [marketplaceId], now);
  const codes = [
    ...objectsIn(attributes.fulfillment_availability).map(({ fulfillment_channel_code: code }) => code),
    ...objectsIn(shown.fulfillmentAvailability).map(({ fulfillmentChannelCode: code }) => code),
  ];
  return {
    attributes,
    unclear: new Set(unclear.keys()),
    channels: [...new Set(codes.filter((code) => typeof code === 'string'))],
    productType: productTypeOf(shown, marketplaceId),
  };
}

function productTypeOf(shown: Record<string, unknown>, marketplaceId: string): string | undefined {
  const all = [...objectsIn(shown.productTypes), ...objectsIn(shown.summaries)];
  const here = all.find((one) => one.marketplaceId === marketplaceId) ?? all[0];
  return typeof here?.productType === 'string' ? here.productType : undefined;
}

const problem = (word: string, message: string): SetProblem => ({ word, message });

const isProblem = (value: object): value is SetProblem => 'message' in value && 'word' in value;

export interface AttributePatch {
  op: 'replace' | 'delete';
  path: string;
  value: readonly unknown[];
}

/** Builds the patches: `patches` change what was read, and `same` would repeat it. */
export function buildPatches(
  state: CurrentListing,
  values: SetValues,
  target: PatchTarget,
): { patches: AttributePatch[]; same: AttributePatch[] } | { problems: SetProblem[] } {
  const parts = [
    setOffer(state, values, target) ?? [],
    setStock(state, values, target) ?? [],
    setTexts(state, values, target),
    setImages(state, values, target),
  ].flat();
  const problems = parts.filter(isProblem);
  if (problems.length > 0) return { problems };
  const attributes = parts.flatMap((part) => (isProblem(part) ? [] : [part]));
  const isSame = ({ name, entries }: SetAttribute) =>
    !state.unclear.has(name) && canonicalJson(entries) === canonicalJson(state.attributes[name] ?? []);
  return {
    patches: attributes.filter((one) => !isSame(one)).map((one) => toPatch(one, target)),
    same: attributes.filter(isSame).map((one) => toPatch(one, target)),
  };
}

function toPatch({ name, entries }: SetAttribute, { marketplaceId }: PatchTarget): AttributePatch {
  const path = `/attributes/${name}`;
  if (entries.length > 0) return { op: 'replace', path, value: entries };
  return { op: 'delete', path, value: [{ marketplace_id: marketplaceId }] };
}

// Prices are members of one entry of the offer attribute, so the functions below change one member and leave
// the rest.

/** The words of `set`, with their members of an offer. */
const PRICE_WORDS = [
  ['price', 'our_price'],
  ['minimum_price', 'minimum_seller_allowed_price'],
  ['maximum_price', 'maximum_seller_allowed_price'],
] as const;

const OFFER_WORDS = [
  'price',
  'sale_price',
  'sale_from',
  'sale_to',
  'minimum_price',
  'maximum_price',
] as const;

/** Returns undefined where no part of the offer is to change. */
function setOffer(
  { attributes }: CurrentListing,
  values: SetValues,
  target: PatchTarget,
): SetAttribute | SetProblem | undefined {
  const [first] = OFFER_WORDS.filter((word) => values[word] !== undefined);
  if (first === undefined) return values.currency === undefined ? undefined : NOTHING_IN_IT;
  const entries = attributes[OFFER] ?? [];
  const found = findOffer(entries, values, target, first);
  if ('message' in found) return found;
  const { entry, currency } = found;
  let changed: JsonObject = entry ?? newOffer(currency, target);
  for (const [word, member] of PRICE_WORDS) {
    const next = setPrice(changed, member, word, values[word], currency);
    if (isProblem(next)) return next;
    changed = next;
  }
  const withSale = setSale(changed, values, currency, target.now);
  if (isProblem(withSale)) return withSale;
  if (withSale.our_price === undefined)
    return problem(first, `needs a price: the listing has none in ${target.name}`);
  const wrong = checkBounds(withSale, values);
  if (wrong !== undefined) return wrong;
  return { name: OFFER, entries: withEntry(entries, entry, withSale) };
}

const NOTHING_IN_IT = problem('currency', 'says nothing without an amount');

function newOffer(currency: string, { marketplaceId }: PatchTarget): JsonObject {
  return { currency, audience: 'ALL', marketplace_id: marketplaceId };
}

/** Finds the offer to everyone in the given currency; undefined where the listing has no offer yet. */
function findOffer(
  entries: readonly unknown[],
  values: SetValues,
  { marketplaceId, name }: PatchTarget,
  word: string,
): { entry: JsonObject | undefined; currency: string } | SetProblem {
  const all = entries.filter(isJsonObject).filter((entry) => selectorOf(entry, 'audience') === 'ALL');
  const own = currencyOf(marketplaceId);
  const given = currenciesOf(values);
  const [asked] = given;
  if (given.length > 1) return problem('currency', `must be one: ${given.join(' and ')} are given`);
  const currencies = [...new Set(all.map((entry) => selectorOf(entry, 'currency') ?? own ?? ''))];
  const currency = asked ?? (currencies.length > 1 ? own : (currencies[0] ?? own));
  if (currency === undefined || currency === '') {
    return problem(word, 'needs a currency, which is not known here for this marketplace: add currency');
  }
  const entry = all.filter((one) => (selectorOf(one, 'currency') ?? currency) === currency);
  if (entry.length > 1)
    return problem(word, `cannot be told: there are ${entry.length} offers in ${currency}; give patches`);
  const usual = currencies.length === 0 ? own : currencies.map(quoteName).join(' or ');
  if (entry.length === 0 && usual !== undefined && (currencies.length > 0 || currency !== own)) {
    return problem(
      asked === undefined ? word : 'currency',
      `must be ${usual}, the currency of prices in ${name}, not ${currency}`,
    );
  }
  return { entry: entry[0], currency };
}

/** Returns the given currencies, whether beside an amount or alone. */
function currenciesOf(values: SetValues): string[] {
  const { price, sale_price, minimum_price, maximum_price, currency } = values;
  const amounts = [price, sale_price, minimum_price, maximum_price].map((amount) => amount?.currency);
  return [...new Set([...amounts, currency].filter((one) => one !== undefined))];
}

function setPrice(
  entry: JsonObject,
  member: string,
  word: string,
  amount: SetValues['minimum_price'],
  currency: string,
): JsonObject | SetProblem {
  if (amount === undefined) return entry;
  if (amount === null) return without(entry, member);
  const value = checkAmount(amount.value, currency);
  if (typeof value === 'string') return problem(word, value);
  const step = onlyStep(entry[member]);
  if (step === undefined)
    return problem(word, 'changes over time or has another form than known; give patches');
  return { ...entry, [member]: [{ schedule: [{ ...step, value_with_tax: value }] }] };
}

function without(entry: JsonObject, member: string): JsonObject {
  const { [member]: _old, ...rest } = entry;
  return rest;
}

/**
 * Returns the one step of `[{ schedule: [step] }]`, or an empty step where there is none; undefined for any
 * other form.
 */
function onlyStep(value: unknown): JsonObject | undefined {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return {};
  const schedule = onlySchedule(value);
  if (schedule === undefined || schedule.length > 1) return undefined;
  const [step = {}] = schedule;
  return isJsonObject(step) ? step : undefined;
}

/**
 * Checks a bound only where it is set. The write's plan warns of bounds that contradicted each other before,
 * which does not block the write.
 */
function checkBounds(entry: JsonObject, values: SetValues): SetProblem | undefined {
  const word = (['minimum_price', 'maximum_price'] as const).find((one) => values[one] !== undefined);
  const bounds = word && crossedBounds(entry);
  if (bounds === undefined || word === undefined) return undefined;
  const { least, most } = bounds;
  return word === 'minimum_price'
    ? problem(word, `would be above the maximum price: ${least} and ${most}`)
    : problem(word, `would be below the minimum price: ${most} and ${least}`);
}

// The functions below set the sale price of an offer and its dates; what is not given stays as it is.

const SALE = 'discounted_price';

function setSale(
  entry: JsonObject,
  { sale_price: amount, sale_from: from, sale_to: to }: SetValues,
  currency: string,
  now: number,
): JsonObject | SetProblem {
  if (amount === undefined && from === undefined && to === undefined) return entry;
  if (amount === null) {
    if (from === undefined && to === undefined) return without(entry, SALE);
    return problem('sale_price', 'null ends the sale: leave sale_from and sale_to out');
  }
  const old = onlyStep(entry[SALE]);
  if (old === undefined) return problem('sale_price', 'has several sales, one after the other; give patches');
  const value = amount === undefined ? old.value_with_tax : checkAmount(amount.value, currency);
  if (amount === undefined && value === undefined)
    return problem('sale_price', 'is missing: there is no sale yet');
  if (typeof value === 'string' && amount !== undefined) return problem('sale_price', value);
  const dates = datesOf({ from: from ?? old.start_at, to: to ?? old.end_at }, now, to !== undefined);
  if (isProblem(dates)) return dates;
  const step = { ...old, value_with_tax: value, start_at: dates.from, end_at: dates.to };
  return { ...entry, [SALE]: [{ schedule: [step] }] };
}

/** @param isNew whether the end of the sale is given now */
function datesOf(
  { from, to }: { from: unknown; to: unknown },
  now: number,
  isNew: boolean,
): { from: unknown; to: unknown } | SetProblem {
  if (from === undefined) return problem('sale_from', 'is missing: a sale needs the day on which it begins');
  if (to === undefined) return problem('sale_to', 'is missing: a sale needs the day on which it ends');
  if (typeof from !== 'string' || typeof to !== 'string') return { from, to };
  const wrong = checkSale(from, to, now);
  if (wrong === undefined) return { from, to };
  return problem('sale_to', isNew ? wrong : `is missing: the one that is there ${wrong}`);
}

// The functions below set quantity and handling time of the seller's own channel, never the stock of Amazon's
// warehouses.

const CHANNEL = 'fulfillment_channel_code';
/** The code of the channel that the seller fulfills. */
const OWN = 'DEFAULT';
const MAX_NAMED = 5;

/** Returns undefined where the stock is not to change. */
function setStock(
  { attributes, channels }: CurrentListing,
  { quantity, handling_time: days }: SetValues,
  { marketplaceId }: PatchTarget,
): SetAttribute | SetProblem | undefined {
  if (quantity === undefined && days === undefined) return undefined;
  const word = quantity === undefined ? 'handling_time' : 'quantity';
  const warehouse = channels.find(isWarehouse);
  if (warehouse !== undefined) return problem(word, warehoused(word, warehouse));
  const entries = attributes[STOCK] ?? [];
  const own = ownEntry(entries);
  if ('message' in own) return problem(word, own.message);
  const changed: JsonObject = {
    ...(own.entry ?? { [CHANNEL]: OWN, marketplace_id: marketplaceId }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(days === undefined ? {} : { lead_time_to_ship_max_days: days }),
  };
  return { name: STOCK, entries: withEntry(entries, own.entry, changed) };
}

function warehoused(word: string, code: string): string {
  const why = `this is an FBA listing (${quoteName(code)})`;
  return word === 'quantity'
    ? `cannot be set: ${why}, and its quantity is what the warehouses hold. A quantity would make it one that the seller ships`
    : `cannot be set: ${why}, and the warehouses ship it`;
}

/**
 * Returns the entry of the seller's own channel, or of the only channel, because another code would add a
 * channel.
 */
function ownEntry(entries: readonly unknown[]): { entry: JsonObject | undefined } | { message: string } {
  const all = entries.filter(isJsonObject);
  const own = all.filter((entry) => selectorOf(entry, CHANNEL) === OWN);
  const [entry] = own.length > 0 ? own : all;
  if (own.length === 1 || all.length <= 1) return { entry };
  const codes = all.slice(0, MAX_NAMED).map((one) => quoteName(selectorOf(one, CHANNEL) ?? OWN));
  return { message: `cannot be told: there are ${all.length} channels (${codes.join(', ')}); give patches` };
}

// The functions below set title, description and bullet points in one language; other languages stay.

const TEXTS = [
  ['title', 'item_name'],
  ['description', 'product_description'],
  ['bullet_points', 'bullet_point'],
  ['add_bullet_points', 'bullet_point'],
] as const;

/** Attributes that show the language of a listing. */
const TEXT_ATTRIBUTES = [...new Set(TEXTS.map(([, name]) => name))];

function setTexts(
  { attributes }: CurrentListing,
  values: SetValues,
  target: PatchTarget,
): (SetAttribute | SetProblem)[] {
  const wanted = TEXTS.filter(([word]) => values[word] !== undefined);
  if (wanted.length === 0) {
    return values.language === undefined ? [] : [problem('language', 'says nothing without a text')];
  }
  if (values.bullet_points !== undefined && values.add_bullet_points !== undefined) {
    return [
      problem('add_bullet_points', 'stands beside bullet_points, which are all of them; give one of the two'),
    ];
  }
  return wanted.flatMap(([word, name]) => {
    const entries = attributes[name] ?? [];
    const others = TEXT_ATTRIBUTES.flatMap((written) => attributes[written] ?? []);
    const language = findLanguage(entries, others, values.language, word);
    if (typeof language === 'object') return [language];
    const fresh = {
      ...(language === '' ? {} : { language_tag: language }),
      marketplace_id: target.marketplaceId,
    };
    const texts = [values[word] ?? []].flat();
    const given = { name, entries, language, texts, word, fresh };
    return word === 'add_bullet_points' ? addTexts(given) : replaceTexts(given);
  });
}

interface PatchTexts {
  name: string;
  word: string;
  entries: readonly unknown[];
  /** An empty text where the entries name no language. */
  language: string;
  texts: readonly string[];
  /** The members of a new entry. */
  fresh: JsonObject;
}

function replaceTexts({
  name,
  word,
  entries,
  language,
  texts,
  fresh,
}: PatchTexts): (SetAttribute | SetProblem)[] {
  const old = entries.filter(isJsonObject).filter((entry) => languageOf(entry) === language);
  if (word !== 'bullet_points' && old.length > 1) {
    return [problem(word, `cannot be told: there are ${old.length} of it; give patches`)];
  }
  const made = texts.map((value, at) => {
    const same = old.find((entry) => entry.value === value);
    const like = old[word === 'bullet_points' ? at : 0];
    // Other members of an entry describe its own text, so a new text does not take them over.
    return (
      same ??
      (word === 'bullet_points' ? { value, ...fresh, ...selectorsOf(like) } : { ...fresh, ...like, value })
    );
  });
  const [first] = old;
  const all =
    first === undefined
      ? [...entries, ...made]
      : entries.flatMap((entry) =>
          entry === first ? made : old.some((one) => one === entry) ? [] : [entry],
        );
  return [{ name, entries: all }];
}

/** Appends texts to the existing ones, which stay as they are; a text that exists is not repeated. */
function addTexts({ name, entries, language, texts, fresh }: PatchTexts): SetAttribute[] {
  const isOld = (entry: unknown): entry is JsonObject =>
    isJsonObject(entry) && languageOf(entry) === language;
  const old = new Set(entries.filter(isOld).map(({ value }) => value));
  const made = [...new Set(texts)].filter((value) => !old.has(value)).map((value) => ({ value, ...fresh }));
  const last = entries.findLastIndex(isOld);
  const at = last < 0 ? entries.length : last + 1;
  return [{ name, entries: [...entries.slice(0, at), ...made, ...entries.slice(at)] }];
}

function selectorsOf(entry: JsonObject | undefined): JsonObject {
  if (entry === undefined) return {};
  const { marketplace_id, language_tag } = entry;
  return {
    ...(marketplace_id === undefined ? {} : { marketplace_id }),
    ...(language_tag === undefined ? {} : { language_tag }),
  };
}

const languageOf = ({ language_tag: tag }: JsonObject): string => (typeof tag === 'string' ? tag : '');

const languagesOf = (entries: readonly unknown[]): string[] => [
  ...new Set(entries.filter(isJsonObject).map(languageOf)),
];

/** Returns the given language, or the only one that the listing has. */
function findLanguage(
  entries: readonly unknown[],
  others: readonly unknown[],
  given: string | undefined,
  word: string,
): string | SetProblem {
  const here = languagesOf(entries);
  const known = here.length > 0 ? here : languagesOf(others);
  const [only] = known;
  if (given !== undefined) return known.find((one) => plainTag(one) === plainTag(given)) ?? given;
  if (only !== undefined && known.length === 1) return only;
  return known.length === 0
    ? problem(
        'language',
        `is missing: the listing has no text yet whose language the ${word.replace('_', ' ')} could have; add language, such as de_DE`,
      )
    : problem(
        'language',
        `is missing: the listing is written in ${known.map((one) => (one === '' ? 'none' : quoteName(one))).join(' and ')}`,
      );
}

const plainTag = (tag: string) => tag.toLowerCase().replace('-', '_');

// The functions below set the addresses of a listing's images: the main one, and the others in their order.

/** One attribute for each image, the main image first. */
const IMAGES: readonly string[] = [
  'main_product_image_locator',
  ...Array.from({ length: MAX_IMAGES - 1 }, (_, at) => `other_product_image_locator_${at + 1}`),
];

/** Sets the images; `images` is the whole list, so images that it leaves out are deleted. */
function setImages(
  { attributes }: CurrentListing,
  { main_image: main, images }: SetValues,
  { marketplaceId }: PatchTarget,
): (SetAttribute | SetProblem)[] {
  if (main !== undefined && images !== undefined) {
    return [problem('main_image', 'is the first of images: give one of the two')];
  }
  if (main === undefined && images === undefined) return [];
  const wanted = images ?? (main === undefined ? [] : [main]);
  const attributeNames = images === undefined ? IMAGES.slice(0, 1) : IMAGES;
  return attributeNames.map((name, at) => {
    const entries = attributes[name] ?? [];
    const address = wanted[at];
    const [old] = entries.filter(isJsonObject);
    const next =
      address === undefined
        ? []
        : [{ ...(old ?? { marketplace_id: marketplaceId }), media_location: address }];
    return { name, entries: next };
  });
}

// The part below lists the attributes that must be read to change many listings.

/**
 * Returns the attributes that any listing changes, and those that show its title and language; others are not
 * stored.
 */
export function listNeededListingAttributes(listings: readonly RequestedListing[]): Set<string> {
  const named = listings.flatMap(({ wanted }) =>
    'values' in wanted
      ? Object.entries(ATTRIBUTES).flatMap(([word, names]) => (word in wanted.values ? names : []))
      : wanted.patches.flatMap((patch) => attributeOfPatch(patch) ?? []),
  );
  return new Set([...TEXT_ATTRIBUTES, ...named]);
}

/** Each word of `set` needs a row here, or the code does not compile. */
const ATTRIBUTES: Readonly<Record<keyof SetValues, readonly string[]>> = {
  price: [OFFER],
  sale_price: [OFFER],
  sale_from: [OFFER],
  sale_to: [OFFER],
  minimum_price: [OFFER],
  maximum_price: [OFFER],
  currency: [OFFER],
  quantity: [STOCK],
  handling_time: [STOCK],
  title: ['item_name'],
  description: ['product_description'],
  bullet_points: ['bullet_point'],
  add_bullet_points: ['bullet_point'],
  main_image: IMAGES,
  images: IMAGES,
  language: TEXT_ATTRIBUTES,
};
