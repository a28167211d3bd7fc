/**
 * Handles the entries of a listing's attribute: their selectors, and the marketplaces that they belong to.
 */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { isJsonObject, type JsonObject, toObject } from '../../../base/json.ts';
import { own } from '../../../service/facts/schema-parts.ts';

/** The members that select an entry; all others are its content. */
export const SELECTORS = [
  'marketplace_id',
  'language_tag',
  'audience',
  'fulfillment_channel_code',
  'currency',
] as const;
/** The defaults of absent selectors. */
const DEFAULTS: Readonly<Record<string, string>> = { audience: 'ALL', fulfillment_channel_code: 'DEFAULT' };

/** The attributes whose entries have members of their own. */
export const OFFER = 'purchasable_offer';
export const STOCK = 'fulfillment_availability';

/** The selectors that tell the entries of an attribute apart, beside the marketplace: a channel, an offer. */
const KEY_SELECTORS: Readonly<Record<string, readonly (typeof SELECTORS)[number][]>> = {
  [STOCK]: ['fulfillment_channel_code'],
  [OFFER]: ['audience', 'currency'],
};

/**
 * The attributes whose patches replace only the entries that their values name: the others stay (docs#1714,
 * models#2061).
 */
export const LEAVES_UNNAMED: ReadonlySet<string> = new Set([STOCK]);

/** Returns the selectors that name such an entry, defaults included; undefined for any other attribute. */
export function keyOf(name: string, entry: unknown): JsonObject | undefined {
  const selectors = own(KEY_SELECTORS, name);
  if (selectors === undefined) return undefined;
  const one = toObject(entry);
  return Object.fromEntries(
    ['marketplace_id', ...selectors].flatMap((member) => {
      const value = selectorOf(one, member);
      return value === undefined ? [] : [[member, value]];
    }),
  );
}

/** Returns true for a channel of the service's own warehouses. */
export const isWarehouse = (code: string): boolean => code.startsWith('AMAZON');

/** The price members of an offer, and their names. */
export const PRICES: Readonly<Record<string, string>> = {
  our_price: 'price',
  discounted_price: 'sale price',
  minimum_seller_allowed_price: 'minimum price',
  maximum_seller_allowed_price: 'maximum price',
};

export type Attributes = Readonly<Record<string, readonly unknown[]>>;

/** Returns the names of any of these, each once. */
export const namesIn = (...all: readonly object[]): string[] => [
  ...new Set(all.flatMap((one) => Object.keys(one))),
];

export const entriesOf = (attributes: Attributes, name: string): readonly unknown[] =>
  own(attributes, name) ?? [];

/** Builds attributes by name; one without entries is left out. */
export function attributesFor(
  names: readonly string[],
  toEntries: (name: string) => readonly unknown[],
): Record<string, readonly unknown[]> {
  const all = names.map((name) => [name, toEntries(name)] as const);
  return Object.fromEntries(all.filter(([, entries]) => entries.length > 0));
}

/** Parses attributes of a response: a list of entries by name; anything else has no attributes. */
export function toAttributes(value: unknown): Record<string, readonly unknown[]> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, entries]) => [name, toList(entries)]));
}

export const toList = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

/** Returns the entries that apply in these marketplaces; those that name none apply in all. */
export function entriesInMarketplaces(
  attributes: Attributes,
  places: readonly string[],
): Record<string, readonly unknown[]> {
  return attributesFor(Object.keys(attributes), (name) =>
    entriesOf(attributes, name).filter((entry) => isInMarketplaces(entry, places)),
  );
}

/** Returns true if the entry applies in one of the marketplaces; one that names none applies in all. */
export function isInMarketplaces(entry: unknown, places: readonly string[]): boolean {
  const id = marketplaceOfEntry(entry);
  return id === undefined || places.length === 0 || places.includes(id);
}

/** Returns the marketplace that an entry names. */
export function marketplaceOfEntry(entry: unknown): string | undefined {
  const { marketplace_id: id } = toObject(entry);
  return typeof id === 'string' ? id : undefined;
}

/** Returns every marketplace that entries name, each once. */
export const marketplacesOfEntries = (entries: readonly unknown[]): string[] => [
  ...new Set(entries.flatMap((entry) => marketplaceOfEntry(entry) ?? [])),
];

/**
 * Sorts entries: those of these marketplaces first, then those of each other, in an order that does not
 * depend on the last write.
 */
export function sortByMarketplace(
  entries: readonly unknown[],
  places: readonly string[],
): readonly unknown[] {
  const others = marketplacesOfEntries(entries)
    .filter((id) => !places.includes(id))
    .toSorted();
  if (places.length === 0) return entries;
  const rank = (entry: unknown) => others.indexOf(marketplaceOfEntry(entry) ?? '');
  return entries.toSorted((one, other) => rank(one) - rank(other));
}

/** Returns a selector's value, its default included; undefined if any value matches. */
export function selectorOf(entry: JsonObject, name: string): string | undefined {
  const value = own(entry, name) ?? DEFAULTS[name];
  return typeof value === 'string' ? value : value === undefined ? undefined : canonicalJson(value);
}

/** Returns true if `wanted` selects `entry`: no selector that both have differs. */
export function isSelected(wanted: JsonObject, entry: unknown): boolean {
  if (!isJsonObject(entry)) return false;
  return SELECTORS.every((name) => {
    const [a, b] = [selectorOf(wanted, name), selectorOf(entry, name)];
    return a === undefined || b === undefined || a === b;
  });
}

/** Returns the content of an entry, without its selectors. */
export function contentOf(entry: unknown): unknown {
  if (!isJsonObject(entry)) return entry;
  const members = Object.entries(entry).filter(([name]) => !SELECTORS.some((selector) => selector === name));
  return Object.fromEntries(members);
}

/** Puts the entry in place of another, or after all if there is none. */
export const withEntry = (
  entries: readonly unknown[],
  old: JsonObject | undefined,
  entry: JsonObject,
): readonly unknown[] =>
  old === undefined ? [...entries, entry] : entries.map((one) => (one === old ? entry : one));

/** Returns the content as an object with its members. */
export function contentMembersOf(entry: unknown): JsonObject {
  const content = contentOf(entry ?? {});
  return toObject(content);
}

/** The known members of a step: any other has a meaning beside the amount. */
const STEP = ['value_with_tax', 'start_at', 'end_at'];
export const isPlainStep = (step: unknown): step is JsonObject =>
  isJsonObject(step) && Object.keys(step).every((name) => STEP.includes(name));

/** Returns the steps of one price of an offer, `{ schedule: [step] }`; undefined for anything else. */
export function scheduleOf(price: unknown): unknown[] | undefined {
  const isPlain = isJsonObject(price) && Object.keys(price).join() === 'schedule';
  return isPlain && Array.isArray(price.schedule) ? price.schedule : undefined;
}

/** Returns the steps of a single price, `[{ schedule: [step] }]`. */
export function onlySchedule(prices: unknown): unknown[] | undefined {
  return Array.isArray(prices) && prices.length === 1 ? scheduleOf(prices[0]) : undefined;
}

/**
 * Returns the minimum and the maximum price of an offer whose minimum is above its maximum, so that no price
 * fits both.
 */
export function crossedBounds(entry: JsonObject): { least: number; most: number } | undefined {
  const [least, most] = [entry.minimum_seller_allowed_price, entry.maximum_seller_allowed_price].map(
    (bound) => toObject(onlySchedule(bound)?.[0]).value_with_tax,
  );
  const isCrossed = typeof least === 'number' && typeof most === 'number' && least > most;
  return isCrossed ? { least, most } : undefined;
}

/** Returns the members that tell an entry of an attribute from the others. */
export function selectorsOf(entry: unknown): JsonObject {
  if (!isJsonObject(entry)) return {};
  return Object.fromEntries(
    SELECTORS.flatMap((name) => (own(entry, name) === undefined ? [] : [[name, own(entry, name)]])),
  );
}
